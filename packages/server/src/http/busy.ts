import { Refusal } from "../domain/refusal.ts";
import type { RefusedWait, SemaphoreBounds } from "../platform/fair-queue.ts";
import { clearTimeout, setTimeout } from "../platform/timers.ts";

/**
 * Limits how long requests wait for a `FairSemaphore`, in milliseconds. `words` state its bounds in the refusal: `Long lists
 * are read for at most … at a time`.
 */
export function limitWait(waitMs: number, words: string): Pick<SemaphoreBounds, "beginWait" | "refuse"> {
  const reasons: Readonly<Record<RefusedWait, string>> = {
    full: `${words}; there is no room to wait.`,
    late: `${words}; there was no room within ${waitMs / 1_000} s.`,
    closed: "The server is stopping.",
  };
  return {
    beginWait(expire) {
      const timer = setTimeout(expire, waitMs).unref();
      return () => clearTimeout(timer);
    },
    refuse: (reason) => new Refusal("unavailable", `${reasons[reason]} Nothing was done; try again.`),
  };
}
