// The port between the server and its database. Operations and the dispatcher depend on this file, not on an engine.

import type { Schemas } from "@msgctl/contract";
import type { Randomness } from "../platform/randomness.ts";
import type { Ask, Dialect, EngineTexts, SqlValue } from "./statement.ts";

export type { Ask, SqlValue } from "./statement.ts";

/** One transaction. A text is asked with its values; a batch statement has them. */
export interface Transaction {
  /** The first row, or undefined. */
  get<Row>(ask: Ask<Row>, ...values: SqlValue[]): Promise<Row | undefined>;
  all<Row>(ask: Ask<Row>, ...values: SqlValue[]): Promise<Row[]>;
  /** Returns how many rows the statement changed. */
  run(ask: Ask, ...values: SqlValue[]): Promise<number>;
  /**
   * Locks the rows of `SELECT … FOR UPDATE` before the next statement reads them together with others: a statement that
   * itself waits for a row sees the others as they were before. Does nothing on an engine with one writer.
   */
  lock(ask: Ask, ...values: SqlValue[]): void;
  /** Locks rows that a batch compares as it writes; writes that share their transaction do not lock them yet. */
  lockAlone(ask: Ask, ...values: SqlValue[]): void;
  /**
   * Locks the rows of `SELECT … FOR UPDATE SKIP LOCKED` without waiting. Returns false if other transactions have
   * locked all of them. Does nothing on an engine with one writer, and returns true.
   */
  tryLock(ask: Ask, ...values: SqlValue[]): Promise<boolean>;
  /**
   * Inserts a row of a unique key before anything is locked that others wait for. Waits briefly for another transaction that has inserted
   * it, then throws `RowBusy`. Returns false if the row is there. On an engine with one writer, and for writes that share a transaction,
   * does nothing and returns true.
   */
  claim(ask: Ask, ...values: SqlValue[]): Promise<boolean>;
  /** Counts the occurrence once the commit is durable. */
  note(occurrence: Occurrence): void;
  /** The engine's SQL dialect. */
  readonly dialect: Dialect;
  /** Source of the ids of new rows. */
  readonly randomness: Randomness;
  /** Throws `RunAgain` if other writes share the transaction. */
  requireAlone(reason: string): void;
}

/**
 * The priority of a write, and whether it shares a transaction. Background writes let others go first. `together`: it may share a
 * transaction with similar writes. `claim`: a background write that takes rows which others skip, in a transaction of its own.
 */
export type WritePriority = "background" | "together" | "background together" | "claim";

/**
 * What a read or a write does. It awaits nothing but its transaction, and may be run again from its start: its effects outside the transaction must be
 * repeatable.
 */
export type Work<T> = (tx: Transaction) => Promise<T>;

/** Thrown by work that has to begin again, alone: its writes are rolled back, and it is run again. */
export class RunAgain extends Error {
  override readonly name = "RunAgain";
}

/** A list still to be read, as data: it may have more rows than memory should hold at once. */
export interface Query<Row> {
  /** A SELECT that ends in LIMIT; the last parameter is how many rows to return. */
  readonly sql: string | EngineTexts;
  /** The values of the other parameters. */
  readonly values: readonly SqlValue[];
  /** Maximum number of rows. @default all there are */
  readonly limit?: number;
  /** True if it may scan many rows for each that it returns. */
  readonly isWalk?: boolean;
  /** Never set: ties the type of the rows to the text. */
  readonly row?: Row;
}

/** The most rows that a query may return: its own limit, or more than any table has. */
export function readLimit({ limit = Number.MAX_SAFE_INTEGER }: Query<unknown>): number {
  return limit;
}

/** The query's rows at once, up to its limit or `most`. */
export function readRows<Row>(tx: Transaction, query: Query<Row>, most = readLimit(query)): Promise<Row[]> {
  return tx.all<Row>(query.sql, ...query.values, Math.min(most, readLimit(query)));
}

/** The only column of the first row; undefined if there is no row, or the value is null. */
export async function findValue<Value extends SqlValue>(
  tx: Transaction,
  sql: string | EngineTexts,
  ...values: SqlValue[]
): Promise<Value | undefined> {
  const row = await tx.get<Readonly<Record<string, Value | null>>>(sql, ...values);
  return Object.values(row ?? {})[0] ?? undefined;
}

/** The number that a query counts or sums up; 0 if there is no row. */
export async function findCount(tx: Transaction, sql: string | EngineTexts, ...values: SqlValue[]): Promise<number> {
  return (await findValue<number>(tx, sql, ...values)) ?? 0;
}

/** The only column of all rows. */
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

/** The database as of the first read, for as many turns of the event loop as it takes. */
export interface Snapshot {
  readonly tx: Transaction;
  /** Releases the snapshot, which the database must keep until then, and its connection. */
  end(): void;
}

export interface Store {
  /** Runs `work` on the rows that are committed when it begins to read. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * Returns the rows as of the first read, page by page, no faster than they are consumed. Takes memory for a page or two, and keeps the
   * database's snapshot until it ends.
   */
  readPages<Row>(query: Query<Row>): AsyncIterableIterator<Row[]>;
  /** Opens a snapshot for several statements that take too long for one turn of the event loop. */
  openSnapshot(): Promise<Snapshot>;
  /**
   * Runs `work` in a transaction; settles after its commit is durable. Rejects with nothing written, or with a `CommitInDoubt` if that is
   * unknown.
   */
  write<T>(work: Work<T>, priority?: WritePriority): Promise<T>;
  /**
   * Returns for how long, in all, writes of requests had to wait for others to end, in milliseconds. Undefined if the engine runs in this
   * process, and is as busy as the process.
   */
  readonly saturatedMs?: () => number;
  /** Stops waiting for answers: all work rejects. Undefined if the engine runs in this process. */
  readonly breakOff?: () => void;
  /** Waits for the writes in progress, then closes the database. */
  close(): Promise<void>;
}

/** A store that is only read. */
export type Reader = Pick<Store, "read" | "close">;

/** The store for background work: its writes let those of requests go first. */
export function inBackground(store: Store): Store {
  return {
    ...store,
    write(work, priority = "background") {
      return store.write(work, priority === "together" ? "background together" : priority);
    },
  };
}

/** The database cannot take work now: full disk, failed write, closed. The refused work left no trace. */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable";
}

/** Another transaction has locked a row that the work was to change for longer than work waits. */
export class RowBusy extends StoreUnavailable {
  override readonly name = "RowBusy";
}

/**
 * A commit with an unknown end: the disk failed, and the database has to be reopened; or the connection was lost, or the server stopped
 * waiting for its standby.
 */
export class CommitInDoubt extends Error {
  override readonly name = "CommitInDoubt";
}

/** A countable event of a write, with labels of low cardinality and the tenant of an accepted message. */
export type Occurrence =
  /** A message was accepted (QUEUED), was taken by its carrier (SENT), or has come to an end. */
  | {
      readonly kind: "message";
      readonly channel: Schemas["Channel"];
      readonly status: ReachedStatus;
      /** The tenant of an accepted message. */
      readonly tenantId?: number;
    }
  | { readonly kind: "callback-attempt"; readonly result: AttemptResult }
  | { readonly kind: "callbacks"; readonly status: CallbackEnd; readonly count: number };

/** The states counted for a message; SENDING says only that its carrier is being asked. */
export type ReachedStatus = Exclude<Schemas["MessageStatus"], "SENDING">;

/** The class of a receiver's status, or why there was none. */
export type AttemptResult =
  | ("2xx" | "3xx" | "4xx" | "5xx" | "other")
  | ("timeout" | "unreachable" | "not_allowed" | "interrupted");

export type CallbackEnd = "DELIVERED" | "FAILED";

/**
 * Called for each group with the number of its writes, the milliseconds until it was on disk, and the occurrences that
 * its writes noted. The list is emptied afterwards.
 */
export type NoteCommit = (writes: number, ms: number, occurrences: readonly Occurrence[]) => void;

/** Codes of SQLite and of PostgreSQL for a damaged page, file or index. */
const DAMAGE = /^(?:SQLITE_(?:CORRUPT|NOTADB)|XX00[12]$)/;

/** Returns the store, which calls `note` when its work meets damage of the database. */
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

/** Tells whether an error or its cause is damage: a store wraps the errors of its engine. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && DAMAGE.test(String(error.code))) || isDamage(error.cause);
}
