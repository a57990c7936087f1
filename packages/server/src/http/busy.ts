import { Refusal } from "../domain/refusal.ts";
import type { RefusedWait, SemaphoreBounds } from "../platform/fair-queue.ts";
import { clearTimeout, setTimeout } from "../platform/timers.ts";

/**
 * Limits how long requests wait for a `FairSemaphore`, in milliseconds. `words` begin the text of a refusal with the reason
 * and the limits, such as `The server is sending too many long lists: …`.
 */
export function limitWait(waitMs: number, words: string): Pick<SemaphoreBounds, "beginWait" | "refuse"> {
  const reasons: Readonly<Record<RefusedWait, string>> = {
    full: `${words}. Too many requests are waiting already.`,
    late: `${words}. No room became free within ${waitMs / 1_000} s.`,
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
