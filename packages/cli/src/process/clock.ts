/** The clock of a command. Tests use one that never waits. */
export interface Clock {
  /** Returns the time in epoch milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds (at most 2^31 - 1), or as soon as the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  pause: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
    }),
};
