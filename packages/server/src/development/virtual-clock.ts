import { systemClock } from "../platform/clock.ts";
import { createMovableClock, type MovableClock } from "./movable-clock.ts";

export type VirtualClock = MovableClock;

/** Creates a clock that stands still until it is advanced, so that 72 hours pass in milliseconds. What elapses is real time. */
export function createVirtualClock(startMs: number): VirtualClock {
  const { elapsed, after } = systemClock;
  const still = { now: () => startMs, elapsed, after, at: () => () => {} };
  return createMovableClock(still, { patienceMs: Number.POSITIVE_INFINITY });
}
