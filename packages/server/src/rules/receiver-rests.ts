// How long a receiver that keeps silent is left alone. One attempt ends each rest; what else waits for the receiver
// keeps its attempts.

const FIRST_MS = 5_000;
/** A receiver that is back is found out within this and a tenth more. */
const LONGEST_MS = 5 * 60_000;
/** Up to this share is added, lest receivers that failed together be asked together. */
const JITTER = 0.1;

/** The length, in milliseconds, of rest number `rest` (from 1) since the last answer. `random` gives 0 to 1. */
export function restMs(rest: number, random: () => number): number {
  return Math.round(Math.min(FIRST_MS * 2 ** (rest - 1), LONGEST_MS) * (1 + JITTER * random()));
}
