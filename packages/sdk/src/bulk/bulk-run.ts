/** Makes one call for each of many rows: the common part of all bulk methods. */
import {
  BULK_CONCURRENCY_DEFAULT,
  BULK_CONCURRENCY_MINIMUM as LEAST,
  BULK_CONCURRENCY_MAXIMUM as MOST,
} from "@msgctl/contract/constants";
import type { ApiCall, Failure, Success } from "../api-call.ts";
import { AbortedError, UsageError } from "../errors.ts";
import type { ReplyData } from "../exact-integers.ts";
import { checkNames, type NamesOf } from "../known-names.ts";
import { type CallOptions, checkCallOptions, type WriteOptions } from "../options.ts";
import { requestRefusal } from "../refusal.ts";
import { writeBody } from "../request-body.ts";
import { Lanes } from "./lanes.ts";
import { canonicalBody } from "./row-identity.ts";
import type { RowKey, RowKeys } from "./row-keys.ts";
import { type Rows, runBounded } from "./run-bounded.ts";
import { GATE, type GatedOptions, RunGate } from "./run-gate.ts";

/** Options of a run. Except for `signal`, the options of any call apply to each row's call. */
export interface BulkOptions<Row, E extends boolean = false> extends CallOptions<E> {
  /**
   * Maximum number of concurrent calls, 1 to 256. The run reads at most that many rows ahead of the loop, so a slow loop
   * body slows the reading down. @default 16
   */
  concurrency?: number | undefined;
  /**
   * Prefix of every row's key; a digest of the row and the number of earlier equal rows follow. If you store the prefix, you
   * can run the list again, in any order or in part: only unsent rows are sent, for as long as the service keeps keys. The
   * run stores up to 32 bytes for each different row, of 6 million at most. 1 to 208 printable ASCII characters.
   * @default a fresh UUID for each run
   */
  keyPrefix?: string | undefined;
  /**
   * Makes each row's key from an id of the row, in place of a prefix. Use it if a row's text may change between runs, or if
   * parts of a list contain equal rows. The run then stores nothing about its rows.
   */
  idempotencyKey?: RowKey<Row> | undefined;
  /** When aborted, the run starts no more rows, ends its calls, and then ends the iteration with an `AbortedError`. */
  signal?: AbortSignal | undefined;
}

interface OutcomeOf<Row> {
  /** Index of the row in the source, from 0. */
  index: number;
  row: Row;
}

/** The outcome of the call of one row. */
export type BulkOutcome<Row, T> =
  | (OutcomeOf<Row> & { idempotencyKey: string } & Success<T>)
  /** The key is missing only if the row is not an object, or the caller's function returned none: then nothing was sent. */
  | (OutcomeOf<Row> & { idempotencyKey: string | undefined } & Failure);

/**
 * A run. It begins when it is iterated, and can be iterated once. It cannot be awaited, nor returned from an async function,
 * which would await it: return it in an object, or from a function that is not async.
 */
export interface BulkRun<Row, T> extends AsyncIterable<BulkOutcome<Row, T>> {
  /** Store the prefix to run the list again. Undefined if a function makes the keys, or if rows record a state. */
  readonly keyPrefix: string | undefined;
  /** Rejects with a `UsageError` that says how to iterate: `await` calls it. */
  readonly then: (onFulfilled: never, onRejected: never) => Promise<never>;
}

/** Makes the call of one row. */
export type RowCall<Row, T, E extends boolean> = (row: Row, options: WriteOptions<E>) => ApiCall<ReplyData<T, E>>;

/** The method that a run belongs to. */
export interface RowMethod<Row, T, E extends boolean> {
  /** Name as its caller writes it: `client.send.many`. */
  name: string;
  call: RowCall<Row, T, E>;
  keys: RowKeys<Row>;
  /** The members that a row may have. */
  fields: object;
  /** Names the lane of a row: rows of one lane are done one after the other, in order. */
  laneOf?: (row: Row) => string;
}

const OF_RUN: NamesOf<Omit<BulkOptions<unknown>, keyof WriteOptions>> = { concurrency: 1, keyPrefix: 1 };

/** @throws {UsageError} For rows that cannot be iterated, and options out of their range. */
export function bulkRun<Row, T, E extends boolean>(
  rows: Rows<Row>,
  { name, call, keys, fields, laneOf }: RowMethod<Row, T, E>,
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
    exactIntegers,
  } = options;
  checkRows(rows);
  checkConcurrency(concurrency);
  checkCallOptions(options, OF_RUN);
  const { keyPrefix, keyOf } = keys;
  const callOptions: CallOptions<E> & GatedOptions = {
    ...{ timeoutMs, totalTimeoutMs, maxRetries, maxReplyBytes, headers, exactIntegers },
    [GATE]: new RunGate(),
  };
  const lanes = new Lanes();
  // This stack is appended to the stack of each row's error, which otherwise would not show the code that started the run.
  const begun = new Error();
  let isIterated = false;

  const work = async (row: Row, index: number, signal: AbortSignal): Promise<BulkOutcome<Row, ReplyData<T, E>>> => {
    try {
      checkRow(row, index);
      // Copied at once: the source may reuse its object for the next row while this row waits.
      const body = canonicalBody(writeBody(row)) as Row & object;
      checkNames(`Row ${index}`, body, fields);
      const key = keyOf(row, index, body);
      const send = async () => {
        const idempotencyKey = await key;
        const outcome = await call(body, { ...callOptions, idempotencyKey, signal }).safe();
        if (!outcome.ok) outcome.error.stack += `\n${begun.stack}`.replace(/^\nError:?/, "");
        return { index, row, idempotencyKey, ...outcome };
      };
      return await (laneOf ? lanes.run(laneOf(body), send) : send());
    } catch (cause) {
      const meta = { attempts: 0, idempotencyKey: undefined };
      return { index, row, idempotencyKey: undefined, ok: false, error: requestRefusal(cause), meta };
    }
  };

  const explainAbort = (startedCount: number) => {
    const said = `The run was stopped by its signal after ${startedCount} rows were started.`;
    const under = keyPrefix === undefined ? "" : ` under keyPrefix ${JSON.stringify(keyPrefix)}: none is sent twice`;
    return new AbortedError(`${said} Run the list again${under}.`, {}, signal?.reason);
  };

  return {
    keyPrefix,
    [Symbol.asyncIterator]() {
      if (isIterated) throw new UsageError("A run is iterated once. To continue, start another with its keyPrefix.");
      isIterated = true;
      return runBounded(rows, work, { concurrency, signal, explainAbort });
    },
    // biome-ignore lint/suspicious/noThenProperty: a run that is awaited would send nothing and say nothing
    then: (onFulfilled, onRejected) =>
      Promise.reject(
        new UsageError(
          `Nothing was sent: ${name} was awaited, or returned from an async function. Iterate it: ` +
            `for await (const outcome of ${name}(rows, options)) …`,
        ),
      ).then(onFulfilled, onRejected),
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
  throw new UsageError(`Row ${index} is ${kind}. It must be an object, as the method for one takes.`);
}

function checkConcurrency(concurrency: number): void {
  if (Number.isInteger(concurrency) && concurrency >= LEAST && concurrency <= MOST) return;
  throw new UsageError(`concurrency is ${String(concurrency)}. It must be a whole number from ${LEAST} to ${MOST}.`);
}
