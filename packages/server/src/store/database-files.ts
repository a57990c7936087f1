import type { Migration } from "./dialect.ts";
import type { InvariantReport } from "./invariants.ts";
import type { Restoration } from "./restorations.ts";

/** The findings on a database file. */
export interface Inspection {
  /** The age of the tables compared with this build's; undefined for a file that has none of msgd's. */
  readonly age: "older" | "current" | "newer" | undefined;
  readonly reports: readonly InvariantReport[];
  /** What is in doubt since the last restore from a backup; undefined if there was none. */
  readonly restoration: Restoration | undefined;
}

/** What commands do with a database file that no store has open. `Restored` says what a restoration put in doubt. */
export interface DatabaseFiles<Restored> {
  /** Copies the database at `path` to a new file, even while a server works on it. */
  backUp(path: string, file: string): Promise<void>;
  inspect(path: string): Promise<Inspection>;
  /** Migrates the tables to this build; returns the steps that it took. */
  migrate(path: string, now: number): Promise<Migration[]>;
  /** Marks what waits in a file that replaces a later one, so that it is asked about before it is sent. */
  restore(path: string, now: number): Promise<Restored>;
  /** Flushes the file, or the folder's list of files, to disk before it returns. */
  flush(path: string): void;
}
