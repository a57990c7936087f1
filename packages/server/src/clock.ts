/** Where every part of the server takes its time from, so that a test crosses 72 hours in milliseconds. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Calls `wake` once, as soon as the clock reads `dueMs` or later; at once (but never synchronously) for a time past.
   * Returns a function that cancels the call.
   */
  at(dueMs: number, wake: () => void): () => void;
}

/** Node overflows a longer timer to one millisecond. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's own clock. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: Date.now,
  at(dueMs, wake) {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const waitMs = Math.max(0, dueMs - Date.now());
      timer = setTimeout(waitMs > LONGEST_TIMER_MS ? arm : wake, Math.min(waitMs, LONGEST_TIMER_MS));
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};
