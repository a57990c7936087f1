/** One call for each of many rows: what the bulk methods of all resources share. */
import {
  BULK_CONCURRENCY_DEFAULT,
  BULK_CONCURRENCY_MINIMUM as LEAST,
  BULK_CONCURRENCY_MAXIMUM as MOST,
} from "@msgctl/contract/constants";
import type { ApiCall, Failure, Success } from "../api-call.ts";
import { AbortedError, type MessagingError, UsageError } from "../errors.ts";
import type { ReplyData } from "../exact-integers.ts";
import { type CallOptions, checkBounds, type WriteOptions } from "../options.ts";
import { type RowKey, rowKeys } from "./row-keys.ts";
import { type Rows, runBounded } from "./run-bounded.ts";

/** Options of a run. But for `signal`, those that any call has are those of each row's call. */
export interface BulkOptions<Row, E extends boolean = false> extends CallOptions<E> {
  /**
   * Most calls under way at once, 1 to 256. No more rows than that are read whose outcome is not done with, so a slow
   * loop body slows the reading down. @default 16
   */
  concurrency?: number | undefined;
  /**
   * What the key of every row begins with; its index follows. The same rows in the same order under the same prefix are
   * done once, however often they are run. 1 to 238 printable ASCII characters. @default a fresh UUID for each run
   */
  keyPrefix?: string | undefined;
  /** Makes each row's key, in place of a prefix: where rows have a name of their own, or come in another order. */
  idempotencyKey?: RowKey<Row> | undefined;
  /** Starts no more rows, ends the calls under way, and then the iteration with an `AbortedError`. */
  signal?: AbortSignal | undefined;
}

interface OutcomeOf<Row> {
  /** Place of the row in the source, from 0. */
  index: number;
  row: Row;
}

/** How the call of one row ended. */
export type BulkOutcome<Row, T> =
  | (OutcomeOf<Row> & { idempotencyKey: string } & Success<T>)
  /** Without a key only where the row is no object, or the caller's function gave none: then nothing was sent. */
  | (OutcomeOf<Row> & { idempotencyKey: string | undefined } & Failure);

/** A run, not begun until it is iterated, and iterated once. */
export interface BulkRun<Row, T> extends AsyncIterable<BulkOutcome<Row, T>> {
  /** Give it to a later run of the same rows, and none is done twice; undefined where a function makes the keys. */
  readonly keyPrefix: string | undefined;
}

/** Makes the call of one row. */
export type RowCall<Row, T, E extends boolean> = (row: Row, options: WriteOptions<E>) => ApiCall<ReplyData<T, E>>;

/** @throws {UsageError} For rows that cannot be iterated, and options out of their range. */
export function bulkRun<Row, T, E extends boolean>(
  rows: Rows<Row>,
  call: RowCall<Row, T, E>,
  options: BulkOptions<Row, E>,
): BulkRun<Row, ReplyData<T, E>> {
  const {
    concurrency = BULK_CONCURRENCY_DEFAULT,
    signal,
    timeoutMs,
    totalTimeoutMs,
    maxRetries,
    maxReplyBytes,
    headers,
  } = options;
  checkRows(rows);
  checkConcurrency(concurrency);
  checkBounds(options);
  const { keyPrefix, keyOf } = rowKeys(options);
  const { exactIntegers } = options;
  const callOptions = { timeoutMs, totalTimeoutMs, maxRetries, maxReplyBytes, headers, exactIntegers };
  let isIterated = false;

  const work = async (row: Row, index: number, signal: AbortSignal): Promise<BulkOutcome<Row, ReplyData<T, E>>> => {
    let idempotencyKey: string;
    try {
      checkRow(row, index);
      idempotencyKey = keyOf(row, index);
    } catch (cause) {
      const meta = { attempts: 0, idempotencyKey: undefined };
      return { index, row, idempotencyKey: undefined, ok: false, error: cause as MessagingError, meta };
    }
    const outcome = await call(row, { ...callOptions, idempotencyKey, signal }).safe();
    return { index, row, idempotencyKey, ...outcome };
  };

  const explainAbort = (startedCount: number) => {
    const keys = keyPrefix === undefined ? "keys" : `keyPrefix ${JSON.stringify(keyPrefix)}`;
    const said = `The run was stopped by its signal after ${startedCount} rows were started.`;
    return new AbortedError(
      `${said} Run the same rows under the same ${keys}: none is done twice.`,
      {},
      signal?.reason,
    );
  };

  return {
    keyPrefix,
    [Symbol.asyncIterator]() {
      if (isIterated) throw new UsageError("A run is iterated once. Start another, with its keyPrefix to go on.");
      isIterated = true;
      return runBounded(rows, work, { concurrency, signal, explainAbort });
    },
  };
}

function checkRows(rows: unknown): void {
  const isIterable =
    typeof rows === "object" && rows !== null && (Symbol.asyncIterator in rows || Symbol.iterator in rows);
  if (isIterable) return;
  throw new UsageError(`The rows are ${rows === null ? "null" : `a ${typeof rows}`}. They must be (async) iterable.`);
}

function checkRow(row: unknown, index: number): void {
  if (typeof row === "object" && row !== null && !Array.isArray(row)) return;
  const kind = row === null ? "null" : Array.isArray(row) ? "a list" : typeof row;
  throw new UsageError(`Row ${index} is ${kind}. It must be an object: what the method for one takes.`);
}

function checkConcurrency(concurrency: number): void {
  if (Number.isInteger(concurrency) && concurrency >= LEAST && concurrency <= MOST) return;
  throw new UsageError(`concurrency is ${String(concurrency)}. It must be a whole number from ${LEAST} to ${MOST}.`);
}
