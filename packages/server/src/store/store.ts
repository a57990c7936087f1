// The port between the server and its database. Operations and the dispatcher depend on this file, never on an engine.

import type { Schemas } from "@msgctl/contract";
import type { Randomness } from "../platform/randomness.ts";
import type { Ask, Dialect, EngineTexts, SqlValue } from "./statement.ts";

export type { Ask, SqlValue } from "./statement.ts";

/** One transaction. `values` are the parameters of an SQL text; a call of a batch statement contains its own. */
export interface Transaction {
  /** Returns the first row, or undefined. */
  get<Row>(ask: Ask<Row>, ...values: SqlValue[]): Promise<Row | undefined>;
  all<Row>(ask: Ask<Row>, ...values: SqlValue[]): Promise<Row[]>;
  /** Returns how many rows the statement changed. */
  run(ask: Ask, ...values: SqlValue[]): Promise<number>;
  /**
   * Locks the rows of `SELECT … FOR UPDATE`. Use it before a statement that reads those rows together with others: if that
   * statement itself had to wait for a row lock, it would read the other rows as they were before the wait. Does nothing
   * with a single writer.
   */
  lock(ask: Ask, ...values: SqlValue[]): void;
  /** Locks rows now, except for a write that shares its transaction: its batch checks the rows when it writes. */
  lockAlone(ask: Ask, ...values: SqlValue[]): void;
  /**
   * Locks the rows of `SELECT … FOR UPDATE SKIP LOCKED` without waiting. Returns false if other transactions have
   * locked all of them. With a single writer it does nothing and returns true.
   */
  tryLock(ask: Ask, ...values: SqlValue[]): Promise<boolean>;
  /**
   * Inserts a row with a unique key, before the transaction locks rows that other transactions need. If another open
   * transaction has inserted the row, waits briefly, then throws `RowBusy`. Returns false if the row exists. With a single
   * writer, and for writes that share a transaction, does nothing and returns true.
   */
  claim(ask: Ask, ...values: SqlValue[]): Promise<boolean>;
  /** Reports the occurrence after the commit is durable. */
  note(occurrence: Occurrence): void;
  /** The engine's SQL dialect. */
  readonly dialect: Dialect;
  /** Source of the ids of new rows. */
  readonly randomness: Randomness;
  /** Throws `RunAgain` if the transaction may be shared with other writes. */
  requireAlone(reason: string): void;
}

/**
 * The priority of a write, and whether it may share a transaction. Background writes yield to all other writes.
 * `together`: the write may share a transaction with similar writes. `claim`: a background write that uses SKIP LOCKED,
 * in a separate transaction.
 */
export type WritePriority = "background" | "together" | "background together" | "claim";

/**
 * The work of a read or a write. It must await nothing but its transaction. It may be run again from its start, so its
 * effects outside the transaction must be repeatable.
 */
export type Work<T> = (tx: Transaction) => Promise<T>;

/** Thrown by work that must not share its transaction. The work is rolled back and run again alone. */
export class RunAgain extends Error {
  override readonly name = "RunAgain";
}

/** The description of a list that may have more rows than memory should hold at once. */
export interface Query<Row> {
  /** A SELECT that ends in LIMIT. Its last parameter is the number of rows to return. */
  readonly sql: string | EngineTexts;
  /** The values of the other parameters. */
  readonly values: readonly SqlValue[];
  /** Maximum number of rows. @default no limit */
  readonly limit?: number;
  /** True if the query may scan many rows for each row that it returns. */
  readonly isWalk?: boolean;
  /** Never set: ties the type of the rows to the text. */
  readonly row?: Row;
}

/** Returns the most rows that a query may return: its own limit, or a number larger than any table. */
export function readLimit({ limit = Number.MAX_SAFE_INTEGER }: Query<unknown>): number {
  return limit;
}

/** Reads the query's rows in one statement, up to the query's limit or `most`. */
export function readRows<Row>(tx: Transaction, query: Query<Row>, most = readLimit(query)): Promise<Row[]> {
  return tx.all<Row>(query.sql, ...query.values, Math.min(most, readLimit(query)));
}

/** Returns the only column of the first row; undefined if there is no row or the value is null. */
export async function findValue<Value extends SqlValue>(
  tx: Transaction,
  sql: string | EngineTexts,
  ...values: SqlValue[]
): Promise<Value | undefined> {
  const row = await tx.get<Readonly<Record<string, Value | null>>>(sql, ...values);
  return Object.values(row ?? {})[0] ?? undefined;
}

/** Returns the number that a query counts or sums up; 0 if there is no row. */
export async function findCount(tx: Transaction, sql: string | EngineTexts, ...values: SqlValue[]): Promise<number> {
  return (await findValue<number>(tx, sql, ...values)) ?? 0;
}

/** Returns the only column of all rows. */
export async function listValues<Value extends SqlValue>(
  tx: Transaction,
  sql: string | EngineTexts,
  ...values: SqlValue[]
): Promise<Value[]> {
  const rows = await tx.all<Readonly<Record<string, Value>>>(sql, ...values);
  return rows.map((row) => Object.values(row)[0] as Value);
}

/** Number of rows that are read, handled and released together. */
export const PAGE_ROWS = 100;

/** The database as of the first read. It may stay open over several turns of the event loop. */
export interface Snapshot {
  readonly tx: Transaction;
  /** Releases the snapshot and its connection. Until then, the snapshot costs the database disk space. */
  end(): void;
}

export interface Store {
  /** Runs `work` on the rows that are committed when its first read begins. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * Returns the rows as of the first read, page by page, no faster than they are consumed. Holds one or two pages in
   * memory, and keeps a snapshot open until it ends.
   */
  readPages<Row>(query: Query<Row>): AsyncIterableIterator<Row[]>;
  /** Opens a snapshot for several statements that take too long for one turn of the event loop. */
  openSnapshot(): Promise<Snapshot>;
  /**
   * Runs `work` in a transaction. Resolves when the commit is durable. If it rejects, nothing was written; a
   * `CommitInDoubt` means that this is unknown.
   */
  write<T>(work: Work<T>, priority?: WritePriority): Promise<T>;
  /**
   * Returns the total time during which new writes of requests had to wait for earlier ones to end, in milliseconds.
   * Undefined if the engine runs in this process, and so is as busy as the process.
   */
  readonly saturatedMs?: () => number;
  /** Stops waiting for the database's answers, so that all work rejects. Undefined if the engine runs in this process. */
  readonly breakOff?: () => void;
  /** Waits for the writes in progress, then closes the database. */
  close(): Promise<void>;
}

/** A store that can only be read. */
export type Reader = Pick<Store, "read" | "close">;

/** Returns the store for background work. Its writes yield to the writes of requests. */
export function inBackground(store: Store): Store {
  return {
    ...store,
    write(work, priority = "background") {
      return store.write(work, priority === "together" ? "background together" : priority);
    },
  };
}

/** Thrown if the database cannot work now: full disk, failed write, closed. The failed work changed nothing. */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable";
}

/** Thrown if another transaction has locked a needed row for longer than the wait for locks allows. */
export class RowBusy extends StoreUnavailable {
  override readonly name = "RowBusy";
}

/**
 * Thrown if the outcome of a commit is unknown: the disk failed (the database must be reopened), the connection was
 * lost, or the server stopped waiting for its standby.
 */
export class CommitInDoubt extends Error {
  override readonly name = "CommitInDoubt";
}

/** An event of a write that metrics count, with labels of low cardinality. Accepted messages have their tenant. */
export type Occurrence =
  /** A message was accepted (QUEUED), was accepted by its carrier (SENT), or reached a final status. */
  | {
      readonly kind: "message";
      readonly channel: Schemas["Channel"];
      readonly status: ReachedStatus;
      /** The tenant of an accepted message. */
      readonly tenantId?: number;
    }
  /** A message was not sent because its recipient is suppressed. */
  | { readonly kind: "suppressed"; readonly channel: Schemas["Channel"] }
  | { readonly kind: "callback-attempt"; readonly result: AttemptResult }
  | { readonly kind: "callbacks"; readonly status: CallbackEnd; readonly count: number }
  /** A payment was accepted (PENDING), or reached another status. */
  | { readonly kind: "payment"; readonly status: Schemas["PaymentStatus"] }
  /** An event of a message was written, which is to become a callback. */
  | { readonly kind: "message-event" };

/** The statuses that are counted. SENDING is not, because it only says that a submission is in progress. */
export type ReachedStatus = Exclude<Schemas["MessageStatus"], "SENDING">;

/** The class of the receiver's HTTP status, or the reason why there was none. */
export type AttemptResult =
  | ("2xx" | "3xx" | "4xx" | "5xx" | "other")
  | ("timeout" | "unreachable" | "not_allowed" | "interrupted");

export type CallbackEnd = "DELIVERED" | "FAILED";

/**
 * Called after each group with the number of its writes, the milliseconds until it was on disk, and the occurrences that
 * its writes noted. The caller empties the list afterwards.
 */
export type NoteCommit = (writes: number, ms: number, occurrences: readonly Occurrence[]) => void;

/** Error codes of SQLite and PostgreSQL for a damaged page, file or index. */
const DAMAGE = /^(?:SQLITE_(?:CORRUPT|NOTADB)|XX00[12]$)/;

/** Wraps the store: calls `note` when work fails because the database is damaged. */
export function notingDamage(store: Store, note: () => void): Store {
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isDamage(error)) note();
      throw error;
    }
  };
  return {
    ...store,
    read: (work) => noted(store.read(work)),
    write: (work, priority) => noted(store.write(work, priority)),
  };
}

/** Returns whether the error or its cause reports damage; a store wraps the errors of its engine. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && DAMAGE.test(String(error.code))) || isDamage(error.cause);
}
