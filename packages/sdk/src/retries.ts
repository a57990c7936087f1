/** Whether a request is retried, and after which pause. Pure except for randomness. */
import { readRetryAfter } from "./retry-after.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** A longer wait is the caller's decision, so the call ends at once. */
export const LONGEST_RETRY_AFTER_MS = 60_000;
/** The requested pause is extended by a random time of up to its length, but at most this, to spread waiting calls. */
export const LONGEST_SPREAD_MS = 1_000;

/** Only requests that the service performs once, however often they arrive, are retried: a read, or a write under a key. */
export function isRepeatable(method: string, idempotencyKey: string | undefined): boolean {
  return idempotencyKey !== undefined || method === "GET" || method === "HEAD";
}

/**
 * Whether a retry may succeed: too slow (408), too early (425), too many (429), the service's own failure
 * (5xx), or a 409 that says the first request under this key is still running.
 */
export function isPassing(status: number, body: string): boolean {
  if (status === 409) return body.includes('"idempotency_in_progress"');
  return [408, 425, 429].includes(status) || status >= 500;
}

/**
 * Milliseconds before the next request: what the reply asks for plus a random part of a second, else a random time ("full
 * jitter") of up to half a second, a limit that doubles with each retry up to 8 seconds. `Infinity` when the reply asks for
 * more than a minute, or for more than is left.
 *
 * @param retries - Retries made so far.
 * @param leftMs - Milliseconds left of the call.
 */
export function pauseBefore(
  retries: number,
  reply: { headers: Headers } | undefined,
  leftMs = Number.POSITIVE_INFINITY,
): number {
  const asked = reply && readRetryAfter(reply.headers);
  if (asked === undefined) return Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries);
  if (asked > LONGEST_RETRY_AFTER_MS || asked >= leftMs) return Number.POSITIVE_INFINITY;
  return asked + Math.random() * Math.min(asked, LONGEST_SPREAD_MS, leftMs - asked);
}
