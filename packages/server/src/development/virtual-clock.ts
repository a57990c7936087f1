import { createMovableClock, type MovableClock } from "./movable-clock.ts";

export type VirtualClock = MovableClock;

/** Creates a clock that stands still until it is advanced, so that 72 hours pass in milliseconds. */
export function createVirtualClock(startMs: number): VirtualClock {
  const still = { now: () => startMs, at: () => () => {} };
  return createMovableClock(still, { patienceMs: Number.POSITIVE_INFINITY });
}
