import type { Clock } from "./clock.ts";

export interface VirtualClock extends Clock {
  /** Moves to `epochMs` through everything due on the way, each at its own time and only when the last has settled. */
  advanceTo(epochMs: number): Promise<void>;
  /** The same, `milliseconds` from now. */
  advanceBy(milliseconds: number): Promise<void>;
  /** Runs what is due now, and waits until nobody watched is busy. */
  settle(): Promise<void>;
  /** Has the clock stand still while `isBusy` says so: what a wake sets off takes no time by this clock. */
  watch(isBusy: () => boolean): void;
}

interface Wake {
  dueMs: number;
  run: () => void;
}

/** Work hops between those watched through promises: only several idle turns in a row mean that it is over. */
const CALM_TURNS = 3;

/** A clock that stands still until it is told to advance, so that 72 hours pass in milliseconds. */
export function createVirtualClock(startMs: number): VirtualClock {
  let nowMs = startMs;
  const wakes: Wake[] = [];
  const watched: (() => boolean)[] = [];

  /** The earliest wake due by `untilMs`; of several at one time the one that was asked for first. */
  function takeNext(untilMs: number): Wake | undefined {
    const earliestMs = wakes.reduce((least, { dueMs }) => Math.min(least, dueMs), Number.POSITIVE_INFINITY);
    if (earliestMs > untilMs) return undefined;
    const index = wakes.findIndex(({ dueMs }) => dueMs === earliestMs);
    return wakes.splice(index, 1)[0];
  }

  async function becomeCalm(): Promise<void> {
    for (let calmTurns = 0; calmTurns < CALM_TURNS; calmTurns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (watched.some((isBusy) => isBusy())) calmTurns = -1;
    }
  }

  async function advanceTo(epochMs: number): Promise<void> {
    if (epochMs < nowMs) {
      throw new RangeError(`The clock reads ${nowMs} and cannot go back to ${epochMs}: advance it to a later time.`);
    }
    await becomeCalm();
    for (let next = takeNext(epochMs); next !== undefined; next = takeNext(epochMs)) {
      nowMs = Math.max(nowMs, next.dueMs);
      next.run();
      await becomeCalm();
    }
    nowMs = epochMs;
  }

  return {
    now: () => nowMs,
    at(dueMs, run) {
      const wake: Wake = { dueMs, run };
      wakes.push(wake);
      return () => {
        const index = wakes.indexOf(wake);
        if (index >= 0) wakes.splice(index, 1);
      };
    },
    advanceTo,
    advanceBy: (milliseconds) => advanceTo(nowMs + milliseconds),
    settle: () => advanceTo(nowMs),
    watch(isBusy) {
      watched.push(isBusy);
    },
  };
}
