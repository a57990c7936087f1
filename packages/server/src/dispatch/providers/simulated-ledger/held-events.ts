import type { DueEvent } from "./events.ts";

/** An event that this process tells, if it does so in time; after `claimedUntil` others may. */
export interface HeldEvent extends DueEvent {
  readonly claimedUntil: number;
}

/** The events that this process tells itself, by the time they are due; they may be added in any order. */
export class HeldEvents {
  #events: HeldEvent[] = [];

  get nextDueAt(): number | undefined {
    return this.#events[0]?.dueAt;
  }

  add(event: HeldEvent): void {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle] as HeldEvent).dueAt <= event.dueAt) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }

  /** Removes those due by `now`, at most `limit`, and returns them. */
  take(now: number, limit: number): HeldEvent[] {
    const next = this.#events.findIndex(({ dueAt }, index) => dueAt > now || index === limit);
    return this.#events.splice(0, next === -1 ? this.#events.length : next);
  }

  clear(): void {
    this.#events = [];
  }
}
