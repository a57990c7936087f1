import type { VirtualClock } from "../development/clocks.ts";
import type { Clock } from "../platform/clock.ts";

/**
 * Returns a clock whose `after` also fires when the virtual clock has advanced by that time, so that a test can trigger
 * periodic checks. It still fires after the same real time: the virtual clock stands still while a part of the server is busy,
 * and that part may itself be waiting for `after`.
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
