// Limits the rate of claims. Dispatching a message costs this process as much as accepting one, so in a burst of sends the
// replies would wait behind dispatch. While sends arrive, the rate grows slowly as long as callers are not delayed, and
// drops when they are.

import type { Clock } from "../../platform/clock.ts";
import { sometimes } from "../../platform/probes.ts";

/** Size limits of one claim, which blocks the store. Larger claims cost less per message. */
const LARGEST_CLAIM = 64;
const LARGEST_BESIDE_SENDS = 32;
const SMALLEST_BESIDE_SENDS = 8;

/** Lowest rate while sends arrive, in messages per second, and the rate above which pauses are not worth their timers. */
const SLOWEST = 160;
const FASTEST = 20_000;
/**
 * Factors by which each load check changes the rate, and the shortest time between checks. The rate stays steady if a
 * quarter of the checks find that callers are delayed.
 */
const FASTER = 1.15;
const SLOWER = 0.7;
const LOOK_MS = 20;
/** Target time of one claim and the pause after it, unless that would make the claim too large or too small. */
const CYCLE_MS = 8;
const LONGEST_CYCLE_MS = (1_000 * SMALLEST_BESIDE_SENDS) / SLOWEST;
/**
 * Share of time that callers may spend waiting for this process, and the larger share that is tolerated once a message
 * has waited for `LATE_MS`: docs/decisions/0050-groups-of-dispatch.md.
 */
const HELD_UP = 0.45;
const HELD_UP_IF_LATE = 0.65;
const LATE_MS = 500;
/** A message that has waited this long is dispatched whatever the load. */
const LONGEST_WAIT_MS = 60_000;

/** Claims at full speed, except while sends arrive: then at a rate that does not delay their callers. */
export class Pace {
  readonly #clock: Pick<Clock, "now">;
  readonly #heldUp: (() => number) | undefined;
  #hasArrivals = false;
  #isBesideSends = false;
  /** How long the oldest message of the last claim had waited. */
  #waitedMs = 0;
  /** Messages per second. */
  #rate = FASTEST;
  #polledAt = 0;
  #claimedAt = 0;
  /** Duration of the current claim and the pause after it. */
  #cycleMs = 0;
  #restsUntil = 0;

  /** `heldUp` returns the share of time that callers spend waiting for this process. Without it, there are no pauses. */
  constructor(clock: Pick<Clock, "now">, heldUp: (() => number) | undefined) {
    this.#clock = clock;
    this.#heldUp = heldUp;
  }

  /** End of the current pause, or undefined if there is none. Setting the clock back does not prolong the pause. */
  get restsUntil(): number | undefined {
    const leftMs = this.#restsUntil - this.#clock.now();
    return leftMs > 0 && leftMs <= LONGEST_CYCLE_MS ? this.#restsUntil : undefined;
  }

  /** Records that something was added to the outbox. */
  noteArrival(): void {
    this.#hasArrivals = true;
  }

  /** Begins a claim. Returns the maximum number of messages to claim. */
  beginClaim(): number {
    const lastCycleMs = this.#cycleMs;
    this.#claimedAt = this.#clock.now();
    this.#cycleMs = 0;
    this.#isBesideSends = this.#heldUp !== undefined && this.#hasArrivals && this.#waitedMs <= LONGEST_WAIT_MS;
    this.#hasArrivals = false;
    if (!this.#isBesideSends) return LARGEST_CLAIM;
    this.#adjust(lastCycleMs);
    if (this.#rate === FASTEST) return LARGEST_BESIDE_SENDS;
    const ofCycle = Math.round((this.#rate * CYCLE_MS) / 1_000);
    const most = Math.min(Math.max(ofCycle, SMALLEST_BESIDE_SENDS), LARGEST_BESIDE_SENDS);
    this.#cycleMs = (1_000 * most) / this.#rate;
    return most;
  }

  /**
   * Starts the pause that follows the claim. If the claim emptied the queue, the pause is long enough for several messages
   * to arrive before the next claim. `oldestDueAt` is the due time of the first message found.
   */
  endClaim({ oldestDueAt, isMoreDue }: { oldestDueAt: number | undefined; isMoreDue: boolean }): void {
    const hasFound = oldestDueAt !== undefined;
    this.#waitedMs = hasFound ? this.#clock.now() - oldestDueAt : 0;
    const cycleMs = this.#isBesideSends && hasFound && !isMoreDue ? Math.max(this.#cycleMs, CYCLE_MS) : this.#cycleMs;
    this.#restsUntil = this.#claimedAt + Math.ceil(cycleMs);
  }

  /** Adjusts the rate to the load, once per check. After a long cycle, adjusts it as much as after several short ones. */
  #adjust(lastCycleMs: number): void {
    const sincePoll = this.#clock.now() - this.#polledAt;
    if (sincePoll >= 0 && sincePoll < LOOK_MS) return;
    this.#polledAt = this.#clock.now();
    const most = this.#waitedMs > LATE_MS ? HELD_UP_IF_LATE : HELD_UP;
    const areHeldUp = (this.#heldUp?.() ?? 0) > most || sometimes("a process is under load");
    const rate = this.#rate * (areHeldUp ? SLOWER : FASTER) ** Math.max(1, lastCycleMs / LOOK_MS);
    this.#rate = Math.min(Math.max(rate, SLOWEST), FASTEST);
  }
}
