// The port for time, and the machine's clock.

import { clearTimeout, performance, setImmediate, setTimeout, nextTick as tick } from "./timers.ts";

/** The source of time for every part of the server, so that a test crosses 72 hours in milliseconds. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a monotonic clock. */
  elapsed(): number;
  /** Calls `run` after `ms` milliseconds of the monotonic clock. Returns a function that cancels the call. */
  after(ms: number, run: () => void): () => void;
  /**
   * Calls `wake` once, as soon as the clock reads `dueMs` or later; for a past time, immediately but asynchronously.
   * Returns a function that cancels the call.
   */
  at(dueMs: number, wake: () => void): () => void;
}

/** How far a stored time of the past may be ahead of the clock. If it is further ahead, a clock was wrong. */
export const CLOCK_FAULT_MS = 60 * 60_000;

/** Runs a function in a later turn of the event loop, after pending events. */
export type NextTurn = (run: () => void) => void;

export const nextTurn: NextTurn = setImmediate;

/** Runs a function after the current one, before pending events. */
export const nextTick: NextTurn = tick;

/**
 * The longest timer after which the system clock checks the time again, in milliseconds. Node's timers stop while the machine
 * sleeps, and do not follow a clock that is set, so a single long timer would be late.
 */
export const LONGEST_LOOK_AWAY_MS = 30_000;

/**
 * The machine's clock. Its timers never keep the process alive. A wait of at most `LONGEST_LOOK_AWAY_MS` ignores changes of
 * the clock, so that a provider's timeout always has the same length. So if the clock is set back in the last 30 seconds of a
 * wait, the wait ends too early, and the caller must check what is due.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
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

/** The system clock with an `after` that keeps the process alive. For work that a caller waits for. */
export const keepingClock: Clock = {
  ...systemClock,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
