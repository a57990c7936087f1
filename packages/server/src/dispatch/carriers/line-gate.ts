// Whether a carrier is given anything from its line. Nothing while it cannot be reached, so that what waits is not tried again
// and again; then one message, and twice as many with each answer.

import type { Clock } from "../../platform/clock.ts";
import { reached } from "../../platform/probes.ts";

/** The first pause, twice as long after each that follows, and the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export class LineGate {
  readonly #clock: Pick<Clock, "now">;
  #pauses = 0;
  #restsUntil = 0;
  /** The most at once for now; undefined for as many as the carrier takes. */
  #ramp: number | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  get isDown(): boolean {
    return this.#pauses > 0;
  }

  /** When the current pause ends; undefined if there is none. A clock that was set back does not prolong it. */
  get restsUntil(): number | undefined {
    const leftMs = this.#restsUntil - this.#clock.now();
    return leftMs > 0 && leftMs <= LONGEST_PAUSE_MS ? this.#restsUntil : undefined;
  }

  /** How many it may have at once, of a capacity. */
  limit(capacity: number): number {
    return Math.min(capacity, this.#ramp ?? capacity);
  }

  /** It answered. @param capacity how many it can have at once */
  noteReached(capacity: number): void {
    this.#pauses = 0;
    this.#restsUntil = 0;
    if (this.#ramp === undefined) return;
    reached("a carrier can be reached again");
    this.#ramp *= 2;
    if (this.#ramp >= capacity) this.#ramp = undefined;
  }

  /** It could not be reached. What was on its way when that was found out counts no more. */
  noteUnreached(): void {
    if (this.restsUntil !== undefined) return;
    reached("a carrier cannot be reached, and its line is closed");
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses, LONGEST_PAUSE_MS);
    this.#pauses += 1;
    this.#restsUntil = this.#clock.now() + pauseMs;
    this.#ramp = 1;
  }
}
