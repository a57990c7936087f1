import type { Clock } from "../platform/clock.ts";

/** One wake of the clock, at the earliest time that was asked for. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #set: { dueMs: number; cancel: () => void } | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings at `dueMs`, unless it is to ring earlier anyway. */
  set(dueMs: number): void {
    if (this.#set !== undefined && this.#set.dueMs <= dueMs) return;
    this.clear();
    const cancel = this.#clock.at(dueMs, () => {
      this.#set = undefined;
      this.#ring();
    });
    this.#set = { dueMs, cancel };
  }

  clear(): void {
    this.#set?.cancel();
    this.#set = undefined;
  }
}
