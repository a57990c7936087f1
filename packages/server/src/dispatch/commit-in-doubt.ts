// Repeats writes whose commit was not acknowledged.

import type { Clock } from "../platform/clock.ts";
import { reached } from "../platform/probes.ts";
import { CommitInDoubt, StoreUnavailable } from "../store/store.ts";

/** Number of tries. The pause between tries doubles; all pauses add up to three seconds. */
const TRIES = 6;
const FIRST_PAUSE_MS = 100;

/**
 * Repeats a write while its commit is in doubt. After the first doubt, also repeats it while the database accepts no
 * writes. The write must be idempotent. Rejects with the last error after six tries.
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
