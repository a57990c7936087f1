// The port between the server and its database. Operations and the dispatcher know this file, never an engine.

import type { Occurrence } from "./occurrences.ts";

/** What a statement takes and gives: text, whole numbers up to 2^53-1 (times are epoch milliseconds), or null. */
export type SqlValue = string | number | null;

/**
 * One transaction. Statements number their parameters `$1`, `$2`, …, and end in FOR UPDATE (OF …, SKIP LOCKED) where
 * they read what the transaction is about to change; the same text runs on every engine.
 */
export interface Transaction {
  /** The first row, or undefined. */
  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  /** Returns how many rows the statement changed. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /** Has it counted once the unit's commit is durable, and not where the unit is undone. */
  note(occurrence: Occurrence): void;
  /** What the engine writes differently. */
  readonly dialect: Dialect;
}

/**
 * A unit of work. It awaits nothing but its transaction, and it may be run again from its start:
 * whatever it does outside of the transaction must bear repetition.
 */
export type Work<T> = (tx: Transaction) => Promise<T>;

/** Thrown by work that found out late that it began wrongly: all it wrote is undone, and it is run again. */
export class RunAgain extends Error {
  override readonly name = "RunAgain";
}

/** A list that is yet to be read, as data: it may have more rows than memory should hold at once. */
export interface Query<Row> {
  /** A SELECT that ends in LIMIT; the last parameter is how many rows to give. */
  readonly sql: string;
  /** Those of the other parameters. */
  readonly values: readonly SqlValue[];
  /** The most rows to give. @default all there are */
  readonly limit?: number;
  /** True where it may have to look at many rows for each that it gives. */
  readonly isWalk?: boolean;
  /** Never there: ties the rows' type to the text. */
  readonly row?: Row;
}

/** How many rows a query may give: its own limit, or more than any table has. */
export function readLimit({ limit = Number.MAX_SAFE_INTEGER }: Query<unknown>): number {
  return limit;
}

/** The query's rows at once, as many as it may give or `most`. */
export function readRows<Row>(tx: Transaction, query: Query<Row>, most = readLimit(query)): Promise<Row[]> {
  return tx.all<Row>(query.sql, ...query.values, Math.min(most, readLimit(query)));
}

/** Rows that are read, seen and let go of together: about 1 ms of work. */
export const PAGE_ROWS = 100;

/** The rows as they are when the first of them is read, for as many turns of the event loop as it takes. */
export interface Snapshot {
  readonly tx: Transaction;
  /** Lets go of the moment, which the database has to keep until then, and of its connection. */
  end(): void;
}

export interface Store {
  /** Runs `work` on committed rows. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * The rows as they are when the first of them is read, page by page, and no faster than they are taken. They cost
   * memory for a page or two, and hold what the database knows of that moment until they end or are given up.
   */
  readPages<Row>(query: Query<Row>): AsyncIterableIterator<Row[]>;
  /** For what is of many statements, and too much for one turn. */
  openSnapshot(): Promise<Snapshot>;
  /**
   * Runs `work` in a transaction; settles after its commit is durable. Rejects with nothing written, or with a
   * `CommitInDoubt` where that is not known. In the background it lets other work go first, a little of it with each
   * commit.
   */
  write<T>(work: Work<T>, place?: "background"): Promise<T>;
  /** Waits for the writes under way, then lets go of the database. */
  close(): Promise<void>;
}

/** The store for whom nobody waits: its writes let those of requests go first. */
export function inBackground(store: Store): Store {
  return { ...store, write: (work) => store.write(work, "background") };
}

/** The few words in which engines differ. */
export interface Dialect {
  /** Type of a 64-bit column. */
  readonly int64: string;
  /** Type and constraint of a primary key that the engine counts up. */
  readonly identity: string;
  /** The same of one that is never given again, once its row is gone. */
  readonly singleIdentity: string;
  /** What follows the column list of a table. */
  readonly tableOptions: string;
  /** The same for a table whose rows live in its primary key's index. */
  readonly keyedTableOptions: string;
}

/** The database cannot take work now: full disk, failed write, closed. Nothing of the refused work was kept. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The disk failed while it took a commit: whether the work is kept is known only once the database is opened again. */
export class CommitInDoubt extends Error {
  override readonly name = "CommitInDoubt";
}
