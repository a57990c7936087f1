// The ends of a transfer: the database that rows are taken from, and the one that they are put into. An engine says what
// its tables are. Each end is one transaction, in which nobody else writes to it.

import type { SqlValue, Transaction } from "../store.ts";

export interface Column {
  readonly name: string;
  /** As the engine calls it. */
  readonly type: string;
}

export interface TableShape {
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/** The values of a row, in the order of the columns that were asked for. */
export type RowValues = readonly SqlValue[];

/** The highest id that each table was ever given, where the engine counts them and keeps no id for a second row. */
export type Counters = ReadonlyMap<string, number>;

interface TransferEnd {
  readonly tx: Transaction;
  /** msgd's own, each after those that it refers to. */
  readonly tables: readonly string[];
  /** Those of the simulated carrier's ledger; none where there is no ledger. */
  readonly ledgerTables: readonly string[];
  /** Ends it without a trace, unless it has ended. */
  abandon(): Promise<void>;
}

export interface TransferSource extends TransferEnd {
  listColumns(table: string): Promise<string[]>;
  readCounters(): Promise<Counters>;
}

export interface TransferTarget extends TransferEnd {
  describe(table: string): Promise<TableShape>;
  /** Adds rows that have these columns. */
  insert(table: string, columns: readonly Column[], rows: readonly RowValues[]): Promise<void>;
  /** Called once all rows of the table are there. */
  settle(table: string): Promise<void>;
  /** Has every counter go on after `counters`, and after the ids that there are. */
  raiseCounters(counters: Counters): Promise<void>;
  /** Ends it, and keeps what was written. Throws a `CommitInDoubt` where that is unknown. */
  commit(): Promise<void>;
}
