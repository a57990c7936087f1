/** Makes the idempotency key of each row: from its content, from the caller's function, or for this run alone. */
import { IDEMPOTENCY_KEY_MAX_LENGTH, IDEMPOTENCY_KEY_PATTERN } from "@msgctl/contract/constants";
import { UsageError } from "../errors.ts";
import { newKey } from "../idempotency-key.ts";
import { refusal, shown } from "../refusal.ts";
import { EqualRows, longestPrefix, rowDigest, rowKey } from "./row-identity.ts";

/** Returns the key of a row. */
export type RowKey<Row> = (row: Row, index: number) => string;

/** The source of a run's keys. */
export interface KeySource<Row> {
  keyPrefix?: string | undefined;
  idempotencyKey?: RowKey<Row> | undefined;
}

/** The keys of one run. */
export interface RowKeys<Row> {
  /** The prefix under which a later run makes the same keys; undefined if there is none. */
  keyPrefix: string | undefined;
  /** @param body - The row's body, in its canonical form. */
  keyOf(row: Row, index: number, body: unknown): string | Promise<string>;
}

const LONGEST_PREFIX = longestPrefix(IDEMPOTENCY_KEY_MAX_LENGTH);

/**
 * Keys of sends. Under one prefix, equal content gets an equal key, whatever the order, the run or the part of the list.
 *
 * @throws {UsageError} For an invalid prefix, for a value that is not a function, and if both are given.
 */
export function contentKeys<Row>(given: KeySource<Row>, operation: string): RowKeys<Row> {
  const { idempotencyKey, keyPrefix = idempotencyKey === undefined ? newKey() : undefined } = given;
  if (keyPrefix === undefined) return givenKeys(idempotencyKey);
  if (idempotencyKey !== undefined)
    throw new UsageError(
      "keyPrefix and idempotencyKey are both given. Leave one out: each makes the keys of all rows.",
    );
  if (!isPrefix(keyPrefix))
    throw refusal(
      "keyPrefix",
      keyPrefix,
      `text of 1 to ${LONGEST_PREFIX} printable ASCII characters, the first no space`,
      "Store one for each campaign, such as visits-2026-11-21",
    );
  const equal = new EqualRows();
  return {
    keyPrefix,
    async keyOf(_row, _index, body) {
      const digest = await rowDigest(operation, body);
      // Equal rows may swap their ordinals, because they are indistinguishable.
      return rowKey(keyPrefix, digest, equal.ordinalOf(digest));
    },
  };
}

/**
 * Keys of writes that set a state, such as a consent. They serve only this run's retries, because a later run must write the
 * state again, not get a replay.
 *
 * @throws {UsageError} If a prefix is given, or if `idempotencyKey` is not a function.
 */
export function stateKeys<Row>({ idempotencyKey, ...given }: KeySource<Row>): RowKeys<Row> {
  if (given.keyPrefix !== undefined)
    throw new UsageError(
      `keyPrefix is ${shown(given.keyPrefix)}. Leave it out: each run records its rows again. If the rows have ids, give ` +
        "idempotencyKey.",
    );
  if (idempotencyKey !== undefined) return givenKeys(idempotencyKey);
  const runId = newKey();
  return { keyPrefix: undefined, keyOf: (_row, index) => `${runId}-${index}` };
}

/** Whether keys may begin with the prefix. HTTP would strip a blank from the start. */
function isPrefix(prefix: unknown): boolean {
  if (typeof prefix !== "string" || prefix.startsWith(" ")) return false;
  return prefix.length <= LONGEST_PREFIX && IDEMPOTENCY_KEY_PATTERN.test(prefix);
}

/** Takes keys from the caller's function. Without a key a call would make its own, which no later run could reproduce. */
function givenKeys<Row>(idempotencyKey: unknown): RowKeys<Row> {
  if (typeof idempotencyKey !== "function")
    throw refusal(
      "idempotencyKey",
      idempotencyKey,
      "a function that gives each row's key",
      "Under one key, only the first row would be sent",
    );
  const keyOf: RowKey<Row> = (row, index) => {
    const key: unknown = call(idempotencyKey as RowKey<Row>, row, index);
    if (typeof key === "string") return key;
    throw new UsageError(
      `idempotencyKey gave ${shown(key)} for row ${index}. It must give a text, such as an order's id.`,
    );
  };
  return { keyPrefix: undefined, keyOf };
}

function call<Row>(idempotencyKey: RowKey<Row>, row: Row, index: number): string {
  try {
    return idempotencyKey(row, index);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`idempotencyKey threw for row ${index}: ${reason}`, {}, cause);
  }
}
