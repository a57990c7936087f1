import type { RefusedWait } from "../platform/fair-line.ts";
import { Refusal } from "../rules/refusal.ts";

/**
 * Returns the refusals of requests that wait for a `FairSemaphore` in vain. `words` say its bounds: `Long lists are read for
 * at most … at a time`.
 */
export function refuseBusy(words: string, waitMs: number): (reason: RefusedWait) => Refusal {
  const reasons: Readonly<Record<RefusedWait, string>> = {
    full: `${words}; there is no room to wait.`,
    late: `${words}; there was no room within ${waitMs / 1_000} s.`,
    closed: "The server is stopping.",
  };
  return (reason) => new Refusal("unavailable", `${reasons[reason]} Nothing was done; try again.`);
}
