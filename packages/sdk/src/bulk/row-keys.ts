/** The idempotency key of each row of a run: the same rows under the same prefix have the same keys again. */
import { IDEMPOTENCY_KEY_MAX_LENGTH, IDEMPOTENCY_KEY_PATTERN } from "@msgctl/contract/constants";
import { UsageError } from "../errors.ts";
import { newKey } from "../idempotency-key.ts";

/** Gives the key of a row. */
export type RowKey<Row> = (row: Row, index: number) => string;

/** Where the keys of a run come from. */
export interface KeySource<Row> {
  keyPrefix?: string | undefined;
  idempotencyKey?: RowKey<Row> | undefined;
}

/** Leaves room in a key for a hyphen and the longest index, 16 digits. */
const LONGEST_PREFIX = IDEMPOTENCY_KEY_MAX_LENGTH - 17;
/** Up to a thousand million rows, keys sort as the rows do, so that a server's index of keys grows at its end alone. */
const INDEX_DIGITS = 9;

/**
 * The keys of one run, and the prefix to run it again with; undefined where the caller's function makes the keys.
 *
 * @throws {UsageError} For a prefix that no key can have, and where both ways are asked for.
 */
export function rowKeys<Row>(given: KeySource<Row>): { keyPrefix: string | undefined; keyOf: RowKey<Row> } {
  const { keyPrefix = given.idempotencyKey ? undefined : newKey(), idempotencyKey } = given;
  if (keyPrefix === undefined) return { keyPrefix, keyOf: checked(idempotencyKey as RowKey<Row>) };
  if (idempotencyKey)
    throw new UsageError(
      "keyPrefix and idempotencyKey are both given. Leave one out: each makes the keys of all rows.",
    );
  if (!isPrefix(keyPrefix))
    throw new UsageError(
      `keyPrefix is ${JSON.stringify(keyPrefix)}. It must be 1 to ${LONGEST_PREFIX} printable ASCII characters, the first no space.`,
    );
  return { keyPrefix, keyOf: (_row, index) => `${keyPrefix}-${String(index).padStart(INDEX_DIGITS, "0")}` };
}

/** Whether keys may begin with it: HTTP would take a blank off the start. */
function isPrefix(text: string): boolean {
  return IDEMPOTENCY_KEY_PATTERN.test(text) && new RegExp(`^(?! ).{1,${LONGEST_PREFIX}}$`).test(text);
}

/** Without a key a call would make its own, and no later run could know it. */
function checked<Row>(idempotencyKey: RowKey<Row>): RowKey<Row> {
  return (row, index) => {
    const key: unknown = call(idempotencyKey, row, index);
    if (typeof key === "string") return key;
    throw new UsageError(`idempotencyKey gave ${String(key)} for row ${index}. It must give a text for every row.`);
  };
}

function call<Row>(idempotencyKey: RowKey<Row>, row: Row, index: number): string {
  try {
    return idempotencyKey(row, index);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`idempotencyKey threw for row ${index}: ${reason}`, {}, cause);
  }
}
