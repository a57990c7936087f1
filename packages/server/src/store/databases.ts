// The port between commands and the databases that they have no store of.

import type { DataFolder } from "../platform/data-folder.ts";
import type { DatabaseLocation } from "../platform/database-url.ts";
import type { InvariantReport } from "./invariants.ts";
import type { TablesAge } from "./migrate.ts";
import type { Restoration } from "./restorations.ts";
import type { Seal } from "./sealed-secrets.ts";
import type { Migration } from "./statement.ts";
import type { Work } from "./store.ts";
import type { Copy, TransferSource, TransferTarget } from "./transfer/transfer.ts";

/** The findings on a database. */
export interface Inspection {
  /** The age of the tables compared with this build's; undefined for a database that has none of msgd's. */
  readonly age: TablesAge | undefined;
  readonly reports: readonly InvariantReport[];
  /** Objects in doubt since the last restore from a backup; undefined if there was none. */
  readonly restoration: Restoration | undefined;
  /** Keys that have sealed the secrets in use; none for tables of another build. */
  readonly seals: readonly Seal[];
}

/** A migration that was run. */
export type MigrationStep = Pick<Migration, "version" | "name">;

/** A folder's database, a new one on a server, both of this build, and what goes from one to the other. */
export interface Transfer {
  readonly source: TransferSource;
  readonly target: TransferTarget;
  readonly copies: readonly Copy[];
}

/**
 * Operations of commands on a database without opening a store. `Restored` has the objects that a restoration put in
 * doubt. Those that read the tables throw for `UnreleasedTables`.
 */
export interface Databases<Restored> {
  /** Returns whether there is a database with tables of msgd's. Creates nothing. */
  exists(location: DatabaseLocation): Promise<boolean>;
  /** Checks the tables and data. `now` decides which secrets are in use, in epoch milliseconds. */
  inspect(location: DatabaseLocation, now: number): Promise<Inspection>;
  /** Migrates the tables to this build; returns the migrations that it ran. */
  migrate(location: DatabaseLocation, now: number): Promise<readonly MigrationStep[]>;
  /**
   * Marks everything that waits in a database that replaces a later one, so that it is looked up before it is sent.
   * Throws if the database's server knows of instances that use it.
   */
  markRestored(location: DatabaseLocation, now: number): Promise<Restored>;
  /**
   * Opens both ends of a transfer, each for itself until it ends: the folder's files, and the database at `url`. Throws
   * if its server knows of instances that use it, and for a source with anything that does not fit the target.
   */
  openTransfer(from: Pick<DataFolder, "databaseFile" | "simulatorFile">, url: string): Promise<Transfer>;
  /** Runs `work` in a transaction of a database on a server that no instance uses, and throws if one does. */
  writeUnserved<T>(url: string, work: Work<T>): Promise<T>;
  /** Copies the database file at `path` to a new file, even while a server works on it. */
  backUp(path: string, file: string): Promise<void>;
  /** Notes in the database at `path` that it was backed up as of `at`. Throws for tables of another build. */
  noteBackup(path: string, at: number): Promise<void>;
  /** Flushes the database file, or the folder's list of files, to disk before it returns. */
  flush(path: string): void;
}
