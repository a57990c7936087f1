import type { DatabaseLocation } from "../platform/database-location.ts";
import type { Migration } from "./dialect.ts";
import type { InvariantReport } from "./invariants.ts";
import type { Restoration } from "./restorations.ts";

/** The findings on a database. */
export interface Inspection {
  /** The age of the tables compared with this build's; undefined for a database that has none of msgd's. */
  readonly age: "older" | "current" | "newer" | undefined;
  readonly reports: readonly InvariantReport[];
  /** What is in doubt since the last restore from a backup; undefined if there was none. */
  readonly restoration: Restoration | undefined;
}

/** A step of the tables that was taken. */
export type MigrationStep = Pick<Migration, "version" | "name">;

/** What commands do with a database that they have no store of. `Restored` says what a restoration put in doubt. */
export interface Databases<Restored> {
  /** Whether there is a database with tables of msgd's. Creates nothing. */
  exists(location: DatabaseLocation): Promise<boolean>;
  inspect(location: DatabaseLocation): Promise<Inspection>;
  /** Migrates the tables to this build; returns the steps that it took. */
  migrate(location: DatabaseLocation, now: number): Promise<readonly MigrationStep[]>;
  /**
   * Marks what waits in a database that replaces a later one, so that it is asked about before it is sent. Throws where
   * the database's server knows of instances that use it.
   */
  markRestored(location: DatabaseLocation, now: number): Promise<Restored>;
  /** Copies the database file at `path` to a new file, even while a server works on it. */
  backUp(path: string, file: string): Promise<void>;
  /** Flushes the database file, or the folder's list of files, to disk before it returns. */
  flush(path: string): void;
}
