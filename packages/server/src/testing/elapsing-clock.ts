import type { VirtualClock } from "../development/clocks.ts";
import type { Clock } from "../platform/clock.ts";

/**
 * Returns a clock whose elapsed time moves with the virtual clock, so that a test can trigger looks timed by elapsed time.
 * Real time is added, because the virtual clock stands still while a part is busy, and a busy part may wait in a pause.
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
