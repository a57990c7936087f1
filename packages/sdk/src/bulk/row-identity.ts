/**
 * Makes the Idempotency-Key that identifies a row of a list in later runs: from its operation, its exact body and its
 * ordinal among equal rows, never from its position. msgctl's lists use the same definition.
 */
import { UsageError } from "../errors.ts";
import { parseJson, stringifyJson } from "../int64.ts";

/** Format version. Increment it when texts, digests or keys are built differently, so that keys of two formats never mix. */
const FORM = "r1";
/** 128 bits in hexadecimal: the probability that any two of a thousand million different rows collide is 10^-21. */
const DIGEST_LENGTH = 32;
/** Longest part after the prefix: two hyphens, the form, a digest, a hyphen and the longest ordinal. */
const SUFFIX_LENGTH = FORM.length + DIGEST_LENGTH + 10 + 3;

/** Longest prefix of keys of at most `keyLength` characters. */
export const longestPrefix = (keyLength: number): number => keyLength - SUFFIX_LENGTH;

/**
 * Copies a body in its canonical form: the JSON that is sent, with the members of each object sorted. Undefined members
 * are left out; numbers, bigints and texts stay exact. For programs that keep a journal of the rows they send.
 *
 * @param json - The body as JSON.
 */
export function canonicalBody(json: string): unknown {
  return sorted(parseJson(json));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/**
 * The text that identifies a row: operation, line feed and canonical JSON.
 *
 * @param operation - The contract's `operationId`.
 * @param body - In its canonical form.
 */
export function rowText(operation: string, body: unknown): string {
  return `${operation}\n${stringifyJson(body)}`;
}

/** The SHA-256 of the text that identifies a row, in hexadecimal. */
export async function rowDigest(operation: string, body: unknown): Promise<string> {
  const text = new TextEncoder().encode(rowText(operation, body));
  const bytes = new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", text));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The id of a row among all rows, such as `r1-9f86d081884c7d659a2feaa0c55ad015-0`.
 *
 * @param digest - The SHA-256 of its text, in hexadecimal.
 * @param ordinal - Among equal rows, from 0.
 */
export function rowId(digest: string, ordinal: number): string {
  return `${FORM}-${digest.slice(0, DIGEST_LENGTH)}-${ordinal}`;
}

/** The key of a row under a prefix, such as `march-r1-9f86d081884c7d659a2feaa0c55ad015-0`. */
export function rowKey(keyPrefix: string, digest: string, ordinal: number): string {
  return `${keyPrefix}-${rowId(digest, ordinal)}`;
}

/** Numbers in a slot: 64 bits of a digest, and how often it was seen; 0 if the slot is free. */
const SLOT = 3;
/** The table is at most three quarters full, and takes 96 MiB. */
const MOST_ROWS = 6_000_000;

/**
 * Counts equal rows of one run, in a hash table with open addressing: 16 to 32 bytes for each different row, where a Map
 * would take 100 and more.
 */
export class EqualRows {
  readonly #most: number;
  #slots = new Uint32Array(SLOT * 256);
  #size = 0;

  /** @param most - Maximum number of different rows. */
  constructor(most = MOST_ROWS) {
    this.#most = most;
  }

  /**
   * Counts the row, and returns how many rows of this digest came before.
   *
   * @throws {UsageError} For more different rows than the table may hold.
   */
  ordinalOf(digest: string): number {
    if (this.#size * 4 >= (this.#slots.length / SLOT) * 3) this.#grow();
    const high = Number.parseInt(digest.slice(0, 8), 16);
    const low = Number.parseInt(digest.slice(8, 16), 16);
    const at = this.#find(high, low);
    const ordinal = this.#slots[at + 2] as number;
    if (ordinal === 0) {
      if (this.#size === this.#most)
        throw new UsageError(
          `The run has more than ${this.#most} different rows. Split the list, each part with its own keyPrefix, or give ` +
            "idempotencyKey.",
        );
      this.#size += 1;
    }
    this.#slots.set([high, low, ordinal + 1], at);
    return ordinal;
  }

  /** Index of the slot that contains the digest, or is free for it. */
  #find(high: number, low: number): number {
    const slots = this.#slots;
    let at = (low * SLOT) % slots.length;
    while (slots[at + 2] !== 0 && (slots[at] !== high || slots[at + 1] !== low)) at = (at + SLOT) % slots.length;
    return at;
  }

  #grow(): void {
    const former = this.#slots;
    this.#slots = new Uint32Array(former.length * 2);
    for (let at = 0; at < former.length; at += SLOT) {
      const [high = 0, low = 0, count] = former.subarray(at, at + SLOT);
      if (count) this.#slots.set([high, low, count], this.#find(high, low));
    }
  }
}
