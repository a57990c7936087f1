// Clocks that can be moved ahead of an underlying clock.

import { type Clock, systemClock } from "../platform/clock.ts";
import { performance, sleep, turnOver } from "../platform/timers.ts";

export interface MovableClock extends Clock {
  /** Milliseconds by which it is ahead of the underlying clock. */
  readonly offsetMs: number;
  /**
   * Advances to `epochMs` and runs everything due on the way, each at its own time and only after the previous one has
   * settled. Stops at the current time when `signal` is aborted, even if something is busy.
   */
  advanceTo(epochMs: number, signal?: AbortSignal): Promise<void>;
  /** Like `advanceTo`, to `milliseconds` from now. */
  advanceBy(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Runs everything due now, and waits until nothing watched is busy. */
  settle(): Promise<void>;
  /** Stops a moving clock while `isBusy` returns true, so that work started by a wake takes no time on this clock. */
  watch(isBusy: () => boolean): void;
  /** Returns to the underlying clock's time. Only safe after everything with a timestamp has been discarded. */
  returnToBase(): void;
}

interface Wake {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Number of idle turns in a row after which work counts as done: one watched part may hand work to another via promises. */
const CALM_TURNS = 3;
/** Number of busy turns after which each check sleeps: the work runs in another thread or process, which needs the CPU. */
const BUSY_TURNS = 20;

/**
 * Creates a movable clock on top of `base`. While it is being moved, its time changes only from wake to wake.
 * `patienceMs` limits how long, in real time, a wake waits for busy parts: they may be waiting for a later wake.
 */
export function createMovableClock(base: Clock, { patienceMs }: { patienceMs: number }): MovableClock {
  let offsetMs = 0;
  let stoodStillAt: number | undefined;
  let alarm: { dueMs: number; cancel: () => void } | undefined;
  /** Sorted by time, then by insertion order. */
  const wakes: Wake[] = [];
  const watched: (() => boolean)[] = [];

  const now = () => stoodStillAt ?? base.now() + offsetMs;

  function add(wake: Wake): void {
    let index = wakes.length;
    while (index > 0 && (wakes[index - 1] as Wake).dueMs > wake.dueMs) index -= 1;
    wakes.splice(index, 0, wake);
    arm();
  }

  /** Sets an alarm on the base clock for the earliest wake. Not needed while the clock is being moved. */
  function arm(): void {
    const [next] = wakes;
    if (next === undefined || stoodStillAt !== undefined) return;
    if (alarm !== undefined && alarm.dueMs <= next.dueMs) return;
    alarm?.cancel();
    alarm = { dueMs: next.dueMs, cancel: base.at(next.dueMs - offsetMs, ring) };
  }

  function ring(): void {
    alarm = undefined;
    for (let next = takeNext(now()); next !== undefined; next = takeNext(now())) next.run();
    arm();
  }

  function takeNext(untilMs: number): Wake | undefined {
    const [next] = wakes;
    return next !== undefined && next.dueMs <= untilMs ? wakes.shift() : undefined;
  }

  async function becomeCalm(signal?: AbortSignal): Promise<void> {
    const givesUpAt = performance.now() + patienceMs;
    let busyTurns = 0;
    for (let calmTurns = 0; calmTurns < CALM_TURNS; calmTurns += 1) {
      await (busyTurns < BUSY_TURNS ? turnOver() : sleep(1));
      if (signal?.aborted) return;
      if (!watched.some((isBusy) => isBusy()) || performance.now() >= givesUpAt) continue;
      calmTurns = -1;
      busyTurns += 1;
    }
  }

  async function move(from: number, epochMs: number, signal?: AbortSignal): Promise<void> {
    if (epochMs < from) {
      throw new RangeError(`The clock reads ${from} and cannot go back to ${epochMs}: advance it to a later time.`);
    }
    alarm?.cancel();
    alarm = undefined;
    stoodStillAt = from;
    const takeWake = () => (signal?.aborted ? undefined : takeNext(epochMs));
    try {
      await becomeCalm(signal);
      for (let next = takeWake(); next !== undefined; next = takeWake()) {
        stoodStillAt = Math.max(stoodStillAt, next.dueMs);
        next.run();
        await becomeCalm(signal);
      }
      offsetMs = (signal?.aborted ? stoodStillAt : epochMs) - base.now();
    } finally {
      stoodStillAt = undefined;
      arm();
    }
  }

  /** Reads the time only once, because a running clock would return a later time on a second read. */
  function advanceBy(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const from = now();
    return move(from, from + milliseconds, signal);
  }

  return {
    now,
    elapsed: () => base.elapsed(),
    after: (ms, run) => base.after(ms, run),
    get offsetMs() {
      return offsetMs;
    },
    at(dueMs, run) {
      const wake: Wake = { dueMs, run };
      add(wake);
      return () => {
        const index = wakes.indexOf(wake);
        if (index >= 0) wakes.splice(index, 1);
      };
    },
    advanceTo: (epochMs, signal) => move(now(), epochMs, signal),
    advanceBy,
    settle: () => advanceBy(0),
    watch(isBusy) {
      watched.push(isBusy);
    },
    returnToBase() {
      alarm?.cancel();
      alarm = undefined;
      offsetMs = 0;
      arm();
    },
  };
}

/** Long enough for a slow callback receiver, which is the slowest thing that a wake may wait for. */
const PATIENCE_MS = 20_000;

/** Creates a clock that runs like `base` and can be moved ahead of it. */
export function createShiftableClock(base: Clock): MovableClock {
  return createMovableClock(base, { patienceMs: PATIENCE_MS });
}

export type VirtualClock = MovableClock;

/** Creates a clock that stands still until it is advanced, so that 72 hours pass in milliseconds. `elapsed` is real time. */
export function createVirtualClock(startMs: number): MovableClock {
  const { elapsed, after } = systemClock;
  const still = { now: () => startMs, elapsed, after, at: () => () => {} };
  return createMovableClock(still, { patienceMs: Number.POSITIVE_INFINITY });
}
