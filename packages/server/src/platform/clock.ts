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

/**
 * How long the system clock sleeps before it looks again, in milliseconds. Node's timers count the time that the machine
 * was awake, so what is due later would be as late as the clock was set forward, or the machine asleep. Short beside
 * everything that is due at a time; a look costs a microsecond.
 */
export const LONGEST_LOOK_AWAY_MS = 30_000;

/**
 * The machine's own clock. Its timers never keep the process alive. A wait of no more than `LONGEST_LOOK_AWAY_MS` takes
 * that long however the clock is set meanwhile, so that a provider's time is over when it is; a clock that is set back
 * in the last part of a wait therefore wakes too early, and whoever is woken for a time looks what is due.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  at(dueMs, wake) {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const waitMs = Math.max(0, dueMs - Date.now());
      timer = setTimeout(waitMs > LONGEST_LOOK_AWAY_MS ? arm : wake, Math.min(waitMs, LONGEST_LOOK_AWAY_MS));
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};
