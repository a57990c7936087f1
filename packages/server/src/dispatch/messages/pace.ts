// Limits the rate of claims. Dispatch takes as much work as acceptance, in the same process: in a burst of sends the
// replies would wait behind it. So beside sends it speeds up a little while callers are not held up, and slows down
// once they are.

import type { Clock } from "../../platform/clock.ts";
import { sometimes } from "../../platform/probes.ts";

/** Bounds of one claim, which holds up the store. Larger claims cost less per message. */
const LARGEST_CLAIM = 64;
const LARGEST_BESIDE_SENDS = 32;
const SMALLEST_BESIDE_SENDS = 8;

/** Messages a second beside sends: at least, and the rate past which no rest is worth its timer. */
const SLOWEST = 160;
const FASTEST = 20_000;
/**
 * Factors of the rate after a check of the load, and the least time between checks. The rate is steady while a quarter
 * of the checks find callers held up.
 */
const FASTER = 1.15;
const SLOWER = 0.7;
const LOOK_MS = 20;
/** Time of one claim and its rest, unless the claim would be too large or too small. */
const CYCLE_MS = 8;
const LONGEST_CYCLE_MS = (1_000 * SMALLEST_BESIDE_SENDS) / SLOWEST;
/**
 * Tolerated share of their time for which callers are held up, and the larger one once a message has waited for
 * `LATE_MS`: docs/decisions/0050-groups-of-dispatch.md.
 */
const HELD_UP = 0.45;
const HELD_UP_IF_LATE = 0.65;
const LATE_MS = 500;
/** A message that has waited this long is dispatched under any load. */
const LONGEST_WAIT_MS = 60_000;

/** Full speed, except while sends come in: then a rate that does not hold up their callers. */
export class Pace {
  readonly #clock: Pick<Clock, "now">;
  readonly #heldUp: (() => number) | undefined;
  #hasArrivals = false;
  #isBesideSends = false;
  /** Wait of the oldest message of the last claim. */
  #waitedMs = 0;
  /** Messages a second. */
  #rate = FASTEST;
  #lookedAt = 0;
  #claimedAt = 0;
  /** Time of the current claim and its rest together. */
  #cycleMs = 0;
  #restsUntil = 0;

  /** `heldUp` returns the share of their time for which callers are held up. Without it there are no rests. */
  constructor(clock: Pick<Clock, "now">, heldUp: (() => number) | undefined) {
    this.#clock = clock;
    this.#heldUp = heldUp;
  }

  /** End of the current rest; undefined if there is none. A clock that was set back does not prolong it. */
  get restsUntil(): number | undefined {
    const leftMs = this.#restsUntil - this.#clock.now();
    return leftMs > 0 && leftMs <= LONGEST_CYCLE_MS ? this.#restsUntil : undefined;
  }

  /** Notes that something was added to the outbox. */
  noteArrival(): void {
    this.#hasArrivals = true;
  }

  /** Begins a claim. Returns how many messages to claim at most. */
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
   * Starts the rest that the claim calls for. A claim that left nothing rests, too, until enough has come for the next.
   * `oldestDueAt` is the due time of the first message found.
   */
  endClaim({ oldestDueAt, isMoreDue }: { oldestDueAt: number | undefined; isMoreDue: boolean }): void {
    const hasFound = oldestDueAt !== undefined;
    this.#waitedMs = hasFound ? this.#clock.now() - oldestDueAt : 0;
    const cycleMs = this.#isBesideSends && hasFound && !isMoreDue ? Math.max(this.#cycleMs, CYCLE_MS) : this.#cycleMs;
    this.#restsUntil = this.#claimedAt + Math.ceil(cycleMs);
  }

  /** Adjusts the rate to the load, once per check; after a long batch by as much as after several short ones. */
  #adjust(lastCycleMs: number): void {
    const sinceLook = this.#clock.now() - this.#lookedAt;
    if (sinceLook >= 0 && sinceLook < LOOK_MS) return;
    this.#lookedAt = this.#clock.now();
    const most = this.#waitedMs > LATE_MS ? HELD_UP_IF_LATE : HELD_UP;
    const areHeldUp = (this.#heldUp?.() ?? 0) > most || sometimes("a process is under load");
    const rate = this.#rate * (areHeldUp ? SLOWER : FASTER) ** Math.max(1, lastCycleMs / LOOK_MS);
    this.#rate = Math.min(Math.max(rate, SLOWEST), FASTEST);
  }
}
