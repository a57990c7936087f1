// The port between the server and its database. Operations and the dispatcher depend on this file, never on an engine.

import type { Schemas } from "@msgctl/contract";
import type { Randomness } from "../platform/randomness.ts";
import type { Ask, Dialect, EngineTexts, SqlValue } from "./statement.ts";

export type { Ask, SqlValue } from "./statement.ts";

/** One transaction. What is asked comes with its values, but for a batch statement, which has them. */
export interface Transaction {
  /** The first row, or undefined. */
  get<Row>(ask: Ask<Row>, ...values: SqlValue[]): Promise<Row | undefined>;
  all<Row>(ask: Ask<Row>, ...values: SqlValue[]): Promise<Row[]>;
  /** Returns how many rows the statement changed. */
  run(ask: Ask, ...values: SqlValue[]): Promise<number>;
  /**
   * Holds the rows of `SELECT … FOR UPDATE` before the next statement reads them together with others: a statement that
   * itself waits for a row sees the others as they were before it waited. Does nothing on an engine with one writer.
   */
  hold(ask: Ask, ...values: SqlValue[]): void;
  /** The same; units that share their transaction do not hold yet what a batch compares as it writes. */
  holdAlone(ask: Ask, ...values: SqlValue[]): void;
  /**
   * Holds the rows of `SELECT … FOR UPDATE SKIP LOCKED` without waiting. False if there are none that no other transaction
   * holds. On an engine with one writer it does nothing, and is true.
   */
  tryHold(ask: Ask, ...values: SqlValue[]): Promise<boolean>;
  /**
   * Inserts a row of a unique key before anything is locked that others wait for. While another transaction that inserted it is
   * under way, it waits, and nobody for it; not as long as others wait for a row, after which it throws `RowBusy`. Returns false if
   * the row is there. On an engine with one writer, and for units that share a transaction, it does nothing and is true.
   */
  claim(ask: Ask, ...values: SqlValue[]): Promise<boolean>;
  /** Counts the occurrence once the unit's commit is durable; not if the unit is rolled back. */
  note(occurrence: Occurrence): void;
  /** The engine's SQL dialect. */
  readonly dialect: Dialect;
  /** Where ids of new rows come from. */
  readonly randomness: Randomness;
  /** Throws `RunAgain` if other units run in it at the same time: what follows is not for units that share. */
  requireAlone(reason: string): void;
}

/**
 * Where a unit stands among others. In the background it lets others go first. `together`: it may share a transaction
 * with others like it, of which most do the same. `claim`: it takes rows that others skip, and asks about all of them
 * at once; in the background, and in a transaction of its own, which would not skip its own rows.
 */
export type Place = "background" | "together" | "background together" | "claim";

/**
 * A unit of work. It awaits nothing but its transaction, and may be run again from its start: whatever
 * it does outside the transaction must be repeatable.
 */
export type Work<T> = (tx: Transaction) => Promise<T>;

/** Thrown by work that finds out late that it began wrongly: its writes are rolled back, and it is run again. */
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

/** How many rows a query may return: its own limit, or more than any table has. */
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

/** Rows read, handled and released together: about 1 ms of work. */
export const PAGE_ROWS = 100;

/** The database as of the first read, for as many turns of the event loop as it takes. */
export interface Snapshot {
  readonly tx: Transaction;
  /** Releases the snapshot, which the database must keep until then, and its connection. */
  end(): void;
}

export interface Store {
  /** Runs `work` on the rows that are committed as it begins to read. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * The rows as of the first read, page by page, and no faster than they are consumed. They take memory for a page or
   * two, and keep the database's snapshot until they end or are given up.
   */
  readPages<Row>(query: Query<Row>): AsyncIterableIterator<Row[]>;
  /** For reads of several statements, too long for one turn. */
  openSnapshot(): Promise<Snapshot>;
  /**
   * Runs `work` in a transaction; settles after its commit is durable. Rejects with nothing written, or with a
   * `CommitInDoubt` if that is unknown. In the background it lets other work go first, a little of it with each
   * commit.
   */
  write<T>(work: Work<T>, place?: Place): Promise<T>;
  /**
   * For how long, in all, no more writes of requests could begin before others had ended, in milliseconds. Not there where
   * the engine runs in this process, and is as busy as the process.
   */
  readonly saturatedMs?: () => number;
  /** Waits for no answer any more: all work rejects. Not there where the engine runs in this process. */
  readonly breakOff?: () => void;
  /** Waits for the writes in progress, then closes the database. */
  close(): Promise<void>;
}

/** A store that is read and nothing else. */
export type Reader = Pick<Store, "read" | "close">;

/** The store for background work: its writes let those of requests go first. */
export function inBackground(store: Store): Store {
  return {
    ...store,
    write(work, place = "background") {
      return store.write(work, place === "together" ? "background together" : place);
    },
  };
}

/** The database cannot take work now: full disk, failed write, closed. The refused work left no trace. */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable";
}

/** Another transaction has held what the work was to change for longer than work waits. */
export class RowBusy extends StoreUnavailable {
  override readonly name = "RowBusy";
}

/**
 * A commit whose end is not known: the disk failed under it, and the database has to be reopened; or the connection was
 * lost, or the server gave up waiting for its standby.
 */
export class CommitInDoubt extends Error {
  override readonly name = "CommitInDoubt";
}

// Countable events of units of work, with labels of low cardinality and the tenant of an accepted message.

export type Occurrence =
  /** A message was accepted (QUEUED), was taken by its carrier (SENT), or has come to an end. */
  | {
      readonly kind: "message";
      readonly channel: Schemas["Channel"];
      readonly status: ReachedStatus;
      /** Of one that was accepted. */
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
 * Told of each group: how many units it had, after how many milliseconds it was on disk, and what its units noted. The
 * list is emptied afterwards.
 */
export type NoteCommit = (units: number, ms: number, occurrences: readonly Occurrence[]) => void;

// Damage of the database, which nobody looks for: it is found by whatever reads or writes what is damaged.

/** Codes of SQLite and of PostgreSQL for a damaged page, file or index. */
const DAMAGE = /^(?:SQLITE_(?:CORRUPT|NOTADB)|XX00[12]$)/;

/** Returns the store, with damage noted that work on it meets. */
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
    write: (work, place) => noted(store.write(work, place)),
  };
}

/** Looks at what caused an error, too: a store wraps those of its engine. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && DAMAGE.test(String(error.code))) || isDamage(error.cause);
}
