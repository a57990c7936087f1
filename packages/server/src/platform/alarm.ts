// One timer for many wake-up requests.

import type { Clock } from "./clock.ts";

/** A single timer, which fires at the earliest time requested. */
export class Alarm {
  readonly #clock: Pick<Clock, "at">;
  readonly #ring: () => void;
  #set: { dueMs: number; cancel: () => void } | undefined;

  constructor(clock: Pick<Clock, "at">, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Makes the alarm ring at `dueMs`, unless it is already set to an earlier time. */
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
