import type { Clock } from "../platform/clock.ts";
import { createMovableClock, type MovableClock } from "./movable-clock.ts";

/** A callback's receiver may take its time; nothing else that a step sets off takes as long. */
const PATIENCE_MS = 20_000;

/** A clock that runs as `base` does, and can be moved ahead of it. */
export function createShiftableClock(base: Clock): MovableClock {
  return createMovableClock(base, { patienceMs: PATIENCE_MS });
}
