// Moving time on: a clock laid over another one, that can be told to be later. What was to happen on the way happens,
// each at its own time, in order, and only when what came before it has settled.

import type { Clock } from "../platform/clock.ts";

export interface MovableClock extends Clock {
  /** How far it is ahead of the clock it is laid over, in milliseconds. */
  readonly offsetMs: number;
  /**
   * Moves to `epochMs` through everything due on the way, each at its own time and only when the last has settled. Once
   * `signal` is aborted it stays where it is.
   */
  advanceTo(epochMs: number, signal?: AbortSignal): Promise<void>;
  /** The same, `milliseconds` from now. */
  advanceBy(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Runs what is due now, and waits until nobody watched is busy. */
  settle(): Promise<void>;
  /** Has the clock stand still while `isBusy` says so: what a wake sets off takes no time by this clock. */
  watch(isBusy: () => boolean): void;
  /** Goes back to the time of the clock it is laid over. For whoever has thrown away all that was dated. */
  returnToBase(): void;
}

interface Wake {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Work hops between those watched through promises: only several idle turns in a row mean that it is over. */
const CALM_TURNS = 3;

/**
 * Lays a movable clock over `base`. While it is being moved it stands still but for the steps it takes.
 * `patienceMs` bounds how long, in real time, one step waits for those who are busy: what they wait for may itself be
 * a wake further on.
 */
export function createMovableClock(base: Clock, { patienceMs }: { patienceMs: number }): MovableClock {
  let offsetMs = 0;
  let stoodStillAt: number | undefined;
  let alarm: { dueMs: number; cancel: () => void } | undefined;
  /** By time; those of one time as they were asked for. */
  const wakes: Wake[] = [];
  const watched: (() => boolean)[] = [];

  const now = () => stoodStillAt ?? base.now() + offsetMs;

  function add(wake: Wake): void {
    let index = wakes.length;
    while (index > 0 && (wakes[index - 1] as Wake).dueMs > wake.dueMs) index -= 1;
    wakes.splice(index, 0, wake);
    arm();
  }

  /** Has the base wake this clock for its earliest wake. While it is being moved it wakes by itself. */
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

  async function becomeCalm(): Promise<void> {
    const givesUpAt = performance.now() + patienceMs;
    for (let calmTurns = 0; calmTurns < CALM_TURNS; calmTurns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (watched.some((isBusy) => isBusy()) && performance.now() < givesUpAt) calmTurns = -1;
    }
  }

  async function move(from: number, epochMs: number, signal?: AbortSignal): Promise<void> {
    if (epochMs < from) {
      throw new RangeError(`The clock reads ${from} and cannot go back to ${epochMs}: advance it to a later time.`);
    }
    alarm?.cancel();
    alarm = undefined;
    stoodStillAt = from;
    const takeStep = () => (signal?.aborted ? undefined : takeNext(epochMs));
    try {
      await becomeCalm();
      for (let next = takeStep(); next !== undefined; next = takeStep()) {
        stoodStillAt = Math.max(stoodStillAt, next.dueMs);
        next.run();
        await becomeCalm();
      }
      offsetMs = (signal?.aborted ? stoodStillAt : epochMs) - base.now();
    } finally {
      stoodStillAt = undefined;
      arm();
    }
  }

  /** The time is read once: a clock that runs would be past it at a second look. */
  function advanceBy(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const from = now();
    return move(from, from + milliseconds, signal);
  }

  return {
    now,
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
