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
/**
 * How long a callback is tried at most: a little more than all waits with all their jitter (83 h 9 min). One whose turn
 * comes late, because its receiver rests, is tried less often, and not for longer.
 */
export const PATIENCE_MS = 84 * HOUR_MS;

/** What a receiver answered; `status` is undefined where it gave no answer. */
export interface ReceiverAnswer {
  readonly status: number | undefined;
  readonly retryAfter?: string | undefined;
}

/** How far a callback has been tried. */
export interface Tried {
  /** The attempt that was answered, from 1. */
  readonly attempt: number;
  /** Since when it is tried, later by what its receiver put it off; epoch milliseconds. */
  readonly patienceFrom: number;
}

export type CallbackDecision =
  | { readonly kind: "delivered" }
  /** The receiver wants nothing more at this URL. */
  | { readonly kind: "gone" }
  | { readonly kind: "retry"; readonly nextAttemptAt: number; readonly patienceFrom: number }
  | { readonly kind: "failed" };

/**
 * What follows an attempt. Retry-After, as seconds or as a date, puts the next attempt and the
 * end off, but never brings them forward. `random` gives 0 to 1; `now` is in epoch milliseconds.
 */
export function decideCallback(
  { status, retryAfter }: ReceiverAnswer,
  { attempt, patienceFrom }: Tried,
  { now, random }: { now: number; random: () => number },
): CallbackDecision {
  if (isTaken({ status })) return { kind: "delivered" };
  if (status === 410) return { kind: "gone" };
  const waitMs = waitsMs[attempt];
  if (waitMs === undefined) return { kind: "failed" };
  const scheduledMs = Math.round(waitMs * (1 + JITTER * random()));
  const putOffMs = Math.max(0, Math.min(readRetryAfter(retryAfter, now), LONGEST_ASKED_MS) - scheduledMs);
  const nextAttemptAt = now + scheduledMs + putOffMs;
  if (isPatienceOver(patienceFrom + putOffMs, nextAttemptAt)) return { kind: "failed" };
  return { kind: "retry", nextAttemptAt, patienceFrom: patienceFrom + putOffMs };
}

/** Whether the receiver took the callback: only a 2xx says so. */
export function isTaken({ status }: Pick<ReceiverAnswer, "status">): boolean {
  return status !== undefined && status >= 200 && status <= 299;
}

/** Whether a callback tried since `patienceFrom` is given up at `time`. */
export function isPatienceOver(patienceFrom: number, time: number): boolean {
  return time >= patienceFrom + PATIENCE_MS;
}

/** In milliseconds from `now`; 0 for a header that is absent, past, or says nothing (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_MS;
  // `Date.parse` takes a bare number or a word with a digit for a date
  const date = /^[A-Za-z]{3,9}, .+ GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
