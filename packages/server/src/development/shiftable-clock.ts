import type { Clock } from "../platform/clock.ts";
import { createMovableClock, type MovableClock } from "./movable-clock.ts";

/** Long enough for a slow callback receiver, the slowest thing that a step may wait for. */
const PATIENCE_MS = 20_000;

/** Creates a clock that runs like `base` and can be moved ahead of it. */
export function createShiftableClock(base: Clock): MovableClock {
  return createMovableClock(base, { patienceMs: PATIENCE_MS });
}
