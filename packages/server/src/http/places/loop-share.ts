// The part of each turn of the event loop that long lists may take, or long bodies: whatever else the server answers waits no
// longer for them.

import { FairLine } from "./fair-line.ts";

/** As long as 50 sends take. A page of a list is 1 ms of work, so that a turn has at most two. */
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

  /** Does a piece of work for a tenant in this turn, or in a later one where this has had its share. */
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
    // from now on: until it is resumed, somebody else may ask
    this.#isBusy = next !== undefined;
    next?.item();
  }
}
