// How fast to claim. Dispatching a message takes several times the work of accepting one, in the same process: in a
// burst of sends the replies would wait behind the burst's own dispatch.

import type { Clock } from "../../platform/clock.ts";

/** Bounds how long one claim holds up the store. */
const LARGEST_CLAIM = 32;
/** One step under load, and the rest after it: 160 messages a second, and no step long enough to hold up replies. */
const SMALL_CLAIM = 16;
const REST_MS = 100;
/** A message that has waited this long is dispatched whatever the load. */
const LONGEST_WAIT_MS = 60_000;

/** Full speed, except for small steps with rests between them while sends come in to a saturated process. */
export class Pace {
  readonly #clock: Pick<Clock, "now">;
  readonly #isLoaded: () => boolean;
  #hasArrivals = false;
  #isPressed = false;
  #isLate = false;
  #restsUntil = 0;

  constructor(clock: Pick<Clock, "now">, isLoaded: () => boolean) {
    this.#clock = clock;
    this.#isLoaded = isLoaded;
  }

  /** When the current rest ends; undefined if there is none. A clock that was set back does not prolong it. */
  get restsUntil(): number | undefined {
    const leftMs = this.#restsUntil - this.#clock.now();
    return leftMs > 0 && leftMs <= REST_MS ? this.#restsUntil : undefined;
  }

  /** Notes that something was added to the outbox. */
  noteArrival(): void {
    this.#hasArrivals = true;
  }

  /** How many messages to claim at most. */
  beginClaim(): number {
    this.#isPressed = this.#hasArrivals && !this.#isLate && this.#isLoaded();
    this.#hasArrivals = false;
    return this.#isPressed ? SMALL_CLAIM : LARGEST_CLAIM;
  }

  /** Starts a rest if the claim was a small one. `oldestDueAt` is when the first message it found fell due. */
  endClaim(oldestDueAt: number | undefined): void {
    const now = this.#clock.now();
    this.#isLate = oldestDueAt !== undefined && now - oldestDueAt > LONGEST_WAIT_MS;
    if (this.#isPressed) this.#restsUntil = now + REST_MS;
  }
}
