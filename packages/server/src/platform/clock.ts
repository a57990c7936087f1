import { clearTimeout, performance, setImmediate, setTimeout, nextTick as tick } from "./timers.ts";

/** The source of time for every part of the server, so that a test crosses 72 hours in milliseconds. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since some moment, of a clock that is never set. */
  elapsed(): number;
  /** Calls `run` once so many milliseconds have elapsed, however this clock is set. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /**
   * Calls `wake` once, as soon as the clock reads `dueMs` or later; for a past time, immediately but asynchronously.
   * Returns a function that cancels the call.
   */
  at(dueMs: number, wake: () => void): () => void;
}

/**
 * A time of the past that is further ahead than this was stored under a clock that was wrong. Clocks of instances agree to
 * within seconds.
 */
export const CLOCK_FAULT_MS = 60 * 60_000;

/** Runs something in a turn of the event loop of its own, once what has arrived was handled. */
export type NextTurn = (run: () => void) => void;

export const nextTurn: NextTurn = setImmediate;

/** Runs something once nothing is left that goes on by itself, before whatever arrives meanwhile. */
export const nextTick: NextTurn = tick;

/**
 * The longest timer that the system clock sets before it checks the time again, in milliseconds. Node's timers count
 * only the time that the machine is awake, so a single long one would be late by as much as the clock was set forward
 * or the machine slept. Short compared with what is due at a set time; a check costs a microsecond.
 */
export const LONGEST_LOOK_AWAY_MS = 30_000;

/**
 * The machine's own clock. Its timers never keep the process alive. A wait of at most `LONGEST_LOOK_AWAY_MS` ignores
 * changes of the clock, so that a provider's timeout always lasts as long. A clock set back in the last part of a wait
 * therefore wakes too early: a caller must check what is due.
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

/** The same with timers that keep the process alive: those of work that somebody waits for. */
export const keepingClock: Clock = {
  ...systemClock,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
