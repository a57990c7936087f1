/** Decides whether a request is retried, and after which pause. Pure except for randomness. */
import { readRetryAfter } from "./retry-after.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** If the reply asks for a longer wait, the call ends at once: the caller has to decide. */
export const LONGEST_RETRY_AFTER_MS = 60_000;
/** Limit of the random time that is added to a requested pause, to spread the retries of waiting calls. */
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
 * Returns the pause before the next request, in milliseconds. If the reply asks for a pause, adds a random part of a second
 * to it; returns `Infinity` if it asks for more than a minute, or more than `leftMs`. Otherwise draws a random time ("full
 * jitter"). Its limit is half a second at first, and doubles with each retry up to 8 seconds.
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
