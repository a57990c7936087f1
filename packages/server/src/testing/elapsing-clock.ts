import type { VirtualClock } from "../development/clocks.ts";
import type { Clock } from "../platform/clock.ts";

/**
 * Returns a clock whose elapsed time moves with the virtual clock, so that a test sees looks timed by elapsed time.
 * Real time elapses too: the virtual clock stands still while a part is busy, and that may be in a pause.
 */
export function withElapsing(clock: VirtualClock): Clock {
  return {
    ...clock,
    after(ms, run) {
      const cancel = () => {
        cancelMoved();
        cancelReal();
      };
      const end = () => {
        cancel();
        run();
      };
      const cancelMoved = clock.at(clock.now() + ms, end);
      const cancelReal = clock.after(ms, end);
      return cancel;
    },
  };
}
