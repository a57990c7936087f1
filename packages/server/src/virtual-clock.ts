import type { Clock } from "./clock.ts";

export interface VirtualClock extends Clock {
  /** Moves to `epochMs` through everything due on the way, each at its own time and only when the last has settled. */
  advanceTo(epochMs: number): Promise<void>;
  /** The same, `milliseconds` from now. */
  advanceBy(milliseconds: number): Promise<void>;
  /** Waits, at the time it is, until nobody watched is busy. */
  settle(): Promise<void>;
  /** Has the clock stand still while `isBusy` says so: work that a wake set off takes no time by this clock. */
  watch(isBusy: () => boolean): void;
}

interface Wake {
  dueMs: number;
  run: () => void;
}

/** Work may hop between those watched through promises: they count as calm when they stay so for several turns. */
const CALM_TURNS = 3;

/** A clock that stands still until it is told to advance, so that 72 hours pass in milliseconds. */
export function createVirtualClock(startMs: number): VirtualClock {
  let nowMs = startMs;
  const wakes: Wake[] = [];
  const watched: (() => boolean)[] = [];

  async function settle(): Promise<void> {
    let calmTurns = 0;
    while (calmTurns < CALM_TURNS) {
      await nextTurn();
      const busy = watched.some((isBusy) => isBusy()) || runDue();
      calmTurns = busy ? 0 : calmTurns + 1;
    }
  }

  /** Runs what is due now, and says whether there was any. */
  function runDue(): boolean {
    const due = takeDue(nowMs);
    for (const wake of due) wake.run();
    return due.length > 0;
  }

  /** Those of the earliest time at or before `untilMs`, in the order in which they were asked for. */
  function takeDue(untilMs: number): Wake[] {
    const earliestMs = Math.min(...wakes.map(({ dueMs }) => dueMs));
    if (earliestMs > untilMs || wakes.length === 0) return [];
    const due = wakes.filter(({ dueMs }) => dueMs === earliestMs);
    for (const wake of due) wakes.splice(wakes.indexOf(wake), 1);
    return due;
  }

  async function advanceTo(epochMs: number): Promise<void> {
    if (epochMs < nowMs) {
      throw new RangeError(`The clock reads ${nowMs} and cannot go back to ${epochMs}: advance it to a later time.`);
    }
    await settle();
    for (let due = takeDue(epochMs); due.length > 0; due = takeDue(epochMs)) {
      nowMs = Math.max(nowMs, due[0]?.dueMs ?? nowMs);
      for (const wake of due) wake.run();
      await settle();
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
    settle,
    watch(isBusy) {
      watched.push(isBusy);
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
