import type { VirtualClock } from "../development/virtual-clock.ts";
import type { Clock } from "../platform/clock.ts";

/** Returns a clock whose elapsed time is moved with the virtual clock, so that a test sees looks that go by elapsed time. */
export function withElapsing(clock: VirtualClock): Clock {
  return { ...clock, after: (ms, run) => clock.at(clock.now() + ms, run) };
}
