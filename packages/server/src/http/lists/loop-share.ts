// Limits the part of each turn of the event loop that long lists may take, so that other requests wait no longer than
// that for them.

import { FairLine } from "../../platform/fair-line.ts";
import { performance, setImmediate } from "../../platform/timers.ts";

/** The time of 50 sends. A page of a list takes 1 ms, so that a turn has at most two. */
const SHARE_MS = 2;

export class LoopShare {
  readonly #line = new FairLine<() => void>();
  readonly #runningTime: () => number;
  #spentMs = 0;
  #isBusy = false;
  #isTurnWatched = false;

  /** @param runningTime milliseconds from any start */
  constructor(runningTime = () => performance.now()) {
    this.#runningTime = runningTime;
  }

  /** Runs a piece of work for a tenant in this turn, or in a later one if this turn's share is used up. */
  async run<T>(tenantId: number, work: () => T | Promise<T>): Promise<T> {
    if (this.#isBusy || this.#spentMs >= SHARE_MS) {
      await new Promise<void>((resolve) => this.#line.add(tenantId, resolve));
    }
    this.#isBusy = true;
    const startedAt = this.#runningTime();
    try {
      return await work();
    } finally {
      this.#spentMs += this.#runningTime() - startedAt;
      // only now: work that waits for the store outlasts the turn that it began in
      this.#watchTurn();
      this.#isBusy = false;
      this.#admitNext();
    }
  }

  #watchTurn(): void {
    if (this.#isTurnWatched) return;
    this.#isTurnWatched = true;
    setImmediate(() => {
      this.#isTurnWatched = false;
      this.#spentMs = 0;
      this.#admitNext();
    });
  }

  #admitNext(): void {
    if (this.#isBusy || this.#spentMs >= SHARE_MS) return;
    const next = this.#line.take();
    // set now: others may call `run` before it is resumed
    this.#isBusy = next !== undefined;
    next?.item();
  }
}
