/** Time as a command sees it: tests give one that does not make them wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Ends after so many milliseconds (at most 2^31 - 1), or as soon as the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's own. */
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
