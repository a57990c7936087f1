import type { Clock } from "../platform/clock.ts";
import { reached } from "../platform/probes.ts";
import { CommitInDoubt, StoreUnavailable } from "../store/store.ts";

/** Tries, with pauses in between: each twice as long as the one before, three seconds in all. */
const TRIES = 6;
const FIRST_PAUSE_MS = 100;

/**
 * Runs a write again while nobody knows whether it was committed; once that was so, also while the database takes none. The write
 * must have the same result if it was done before. Rejects with the last error after six tries.
 */
export async function runUntilKnown<T>(
  write: () => Promise<T>,
  { clock, isInDoubt = false }: { clock: Pick<Clock, "after">; isInDoubt?: boolean },
): Promise<T> {
  let wasInDoubt = isInDoubt;
  for (let tried = 1; ; tried += 1) {
    try {
      return await write();
    } catch (error) {
      wasInDoubt ||= error instanceof CommitInDoubt;
      const mayPass = error instanceof CommitInDoubt || error instanceof StoreUnavailable;
      if (!wasInDoubt || !mayPass || tried === TRIES) throw error;
      reached("a commit is in doubt, and its write runs again");
      await new Promise<void>((resume) => clock.after(FIRST_PAUSE_MS * 2 ** (tried - 1), resume));
    }
  }
}
