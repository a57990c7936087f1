/** The Idempotency-Key of a write: the caller's, else one made here once for the call. */
import { IDEMPOTENCY_KEY_MAX_LENGTH, IDEMPOTENCY_KEY_PATTERN } from "@msgctl/contract/constants";
import { refusal } from "./refusal.ts";

/**
 * Returns the key of a request: the caller's; else a new one for a POST, and none for any other method.
 *
 * @param method - In capitals.
 * @param given - The caller's key; kept as it is.
 * @param body - The request's JSON. A text-to-speech request may carry its key in the body, with the same meaning: a
 * second key in the header would be refused as a conflict.
 * @throws {UsageError} When the caller's key is not text of 1 to 255 printable ASCII characters, or has a blank at an end.
 */
export function idempotencyKeyOf(method: string, given: string | undefined, body?: string): string | undefined {
  const inBody = given === undefined && method === "POST" ? keyInBody(body) : undefined;
  const key = given === undefined ? inBody : given;
  if (key === undefined) return method === "POST" ? newKey() : undefined;
  // HTTP strips blanks from the ends, which would change the key
  if (typeof key === "string" && IDEMPOTENCY_KEY_PATTERN.test(key) && !/^ | $/.test(key)) return key;
  throw refusal(
    "The idempotency key",
    key,
    `text of 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} printable ASCII characters, without a blank at either end`,
    "Give each action its own, such as order-417, or leave it out",
  );
}

/** A UUIDv7 (RFC 9562). It begins with the time, so that a server's index of keys grows only at its end. */
export function newKey(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  const random = globalThis.crypto.randomUUID().slice(15);
  return `${time.replace(/.{8}/, "$&-")}-7${random}`;
}

function keyInBody(body: string | undefined): unknown {
  if (!body?.includes('"idempotencyKey"')) return undefined;
  return (JSON.parse(body) as { idempotencyKey?: unknown }).idempotencyKey;
}
