// When a callback that was not taken is tried again, and for how long.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long each attempt waits after the one before it: the schedule that Standard Webhooks proposes. */
const waitsMs = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Up to this share is added to a wait, lest what failed together come back together. */
const JITTER = 0.1;
/** A receiver may put the next attempt off for no longer. */
const LONGEST_ASKED_MS = 24 * HOUR_MS;

/** How often a callback is tried at most. */
export const MOST_ATTEMPTS = waitsMs.length;

/** What a receiver answered; `status` is undefined where it gave no answer. */
export interface ReceiverAnswer {
  readonly status: number | undefined;
  readonly retryAfter?: string | undefined;
}

export type CallbackDecision =
  | { readonly kind: "delivered" }
  /** The receiver wants nothing more at this URL. */
  | { readonly kind: "gone" }
  | { readonly kind: "retry"; readonly waitMs: number }
  | { readonly kind: "failed" };

/**
 * What follows attempt number `attempt` (from 1). Only a 2xx counts as taken. Retry-After, as seconds or as a date, puts
 * the next attempt off but never brings it forward. `random` gives 0 to 1; `now` is in epoch milliseconds.
 */
export function decideCallback(
  { status, retryAfter }: ReceiverAnswer,
  attempt: number,
  { now, random }: { now: number; random: () => number },
): CallbackDecision {
  if (status !== undefined && status >= 200 && status <= 299) return { kind: "delivered" };
  if (status === 410) return { kind: "gone" };
  const scheduledMs = waitsMs[attempt];
  if (scheduledMs === undefined) return { kind: "failed" };
  const askedMs = Math.min(readRetryAfter(retryAfter, now), LONGEST_ASKED_MS);
  return { kind: "retry", waitMs: Math.max(Math.round(scheduledMs * (1 + JITTER * random())), askedMs) };
}

/** In milliseconds from `now`; 0 for a header that is absent, past, or says nothing (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_MS;
  // `Date.parse` takes a bare number or a word with a digit for a date
  const date = /^[A-Za-z]{3,9}, .+ GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
