import type { InvariantReport } from "./invariants.ts";
import type { Migration } from "./migrations/migration.ts";
import type { Restoration } from "./restorations.ts";

/** What was found in a database file. */
export interface Inspection {
  /** The tables, beside those of this build; undefined for a file that has none of msgd's. */
  readonly age: "older" | "current" | "newer" | undefined;
  readonly reports: readonly InvariantReport[];
  /** What the data cannot tell of itself since it was last put back from a backup; undefined where it never was. */
  readonly restoration: Restoration | undefined;
}

/** What commands do with a database file that no store is open on. `Restored` says what a restoration put in doubt. */
export interface DatabaseFiles<Restored> {
  /** Copies the database at `path` to a new file, beside a server that works on it. */
  backUp(path: string, file: string): Promise<void>;
  inspect(path: string): Promise<Inspection>;
  /** Brings the tables up to this build; the steps that it took. */
  migrate(path: string, now: number): Promise<Migration[]>;
  /** Has what waits in a file that takes the place of a later one asked about before it is sent. */
  restore(path: string, now: number): Promise<Restored>;
  /** Has the file, or the folder's list of files, on the disk before it returns. */
  flush(path: string): void;
}
