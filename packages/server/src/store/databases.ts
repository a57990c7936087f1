// The port through which commands work on a database without opening its store.

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
  /** The age of the tables compared with this build's; undefined for a database without msgd's tables. */
  readonly age: TablesAge | undefined;
  readonly reports: readonly InvariantReport[];
  /** Objects in doubt since the last restore from a backup; undefined if there was none. */
  readonly restoration: Restoration | undefined;
  /** Keys that have sealed the secrets in use; empty for tables of another build. */
  readonly seals: readonly Seal[];
}

/** A migration that was run. */
export type MigrationStep = Pick<Migration, "version" | "name">;

/**
 * The source (a folder's database), the target (a new database on a server) and the rows to copy. Both have this
 * build's tables.
 */
export interface Transfer {
  readonly source: TransferSource;
  readonly target: TransferTarget;
  readonly copies: readonly Copy[];
}

/**
 * Operations of commands on a database without opening a store. `Restored` reports the objects that a restoration put in
 * doubt. Operations that read the tables throw `UnreleasedTables` if no release made them.
 */
export interface Databases<Restored> {
  /** Returns whether the location has a database with msgd's tables. Creates nothing. */
  exists(location: DatabaseLocation): Promise<boolean>;
  /** Checks the tables and data. `now` decides which secrets are in use, in epoch milliseconds. */
  inspect(location: DatabaseLocation, now: number): Promise<Inspection>;
  /** Migrates the tables to this build; returns the migrations that it ran. */
  migrate(location: DatabaseLocation, now: number): Promise<readonly MigrationStep[]>;
  /**
   * Marks everything that waits in a database restored from a backup, so that carriers are asked about it before it is
   * sent, and runs `note` in the same transaction. Throws if the database's server reports instances that use it.
   */
  markRestored(location: DatabaseLocation, now: number, note: Work<void>): Promise<Restored>;
  /**
   * Opens both ends of a transfer, the folder's files and the database at `url`, and locks them against other writers.
   * Throws if the server reports instances that use the database, or if something in the source does not fit the target.
   */
  openTransfer(from: Pick<DataFolder, "databaseFile" | "simulatorFile">, url: string): Promise<Transfer>;
  /** Runs `work` in a transaction of the database at `url`. Throws if an instance uses that database. */
  writeUnserved<T>(url: string, work: Work<T>): Promise<T>;
  /** Copies the database file at `path` to a new file, even while a server uses it. */
  backUp(path: string, file: string): Promise<void>;
  /** Notes in the database at `path` that it was backed up as of `at`. Throws for tables of another build. */
  noteBackup(path: string, at: number): Promise<void>;
  /** Flushes a database file, or a folder's list of files, to disk before it returns. */
  flush(path: string): void;
}
