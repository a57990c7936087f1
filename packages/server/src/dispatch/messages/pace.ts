// How fast to claim. Dispatching a message takes as much work as accepting one, and more, in the same process: in a burst
// of sends the replies would wait behind the burst's own dispatch. So beside sends dispatch takes the time that they leave:
// a little more as long as callers are not held up, and less once they are, down to a trickle.

import type { Clock } from "../../platform/clock.ts";
import { sometimes } from "../../platform/probes.ts";

/** Bound how long one claim holds up the store; what a message costs is less, the more there are. */
const LARGEST_CLAIM = 64;
const LARGEST_BESIDE_SENDS = 32;
const SMALLEST_BESIDE_SENDS = 8;

/** Messages a second beside sends that take all the time there is, and past which no rest is worth its timer. */
const SLOWEST = 160;
const FASTEST = 20_000;
/**
 * What the rate is multiplied by after a look at the load, and how long one look counts at least. It stays where a quarter of the
 * looks find callers held up.
 */
const FASTER = 1.15;
const SLOWER = 0.7;
const LOOK_MS = 20;
/** The time of one claim and its rest, where a claim of that many messages is neither too large nor too small. */
const STEP_MS = 8;
const LONGEST_STEP_MS = (1_000 * SMALLEST_BESIDE_SENDS) / SLOWEST;
/**
 * Tolerated share of their time for which callers are held up, and the larger one once a message has waited for `LATE_MS`. Between
 * the steady state (below) and a burst (above): docs/decisions/0050-groups-of-dispatch.md.
 */
const HELD_UP = 0.45;
const HELD_UP_IF_LATE = 0.65;
const LATE_MS = 500;
/** A message that has waited this long is dispatched whatever the load. */
const LONGEST_WAIT_MS = 60_000;

/** Full speed, except while sends come in: then at a rate that does not hold up their callers. */
export class Pace {
  readonly #clock: Pick<Clock, "now">;
  readonly #heldUp: (() => number) | undefined;
  #hasArrivals = false;
  #isBesideSends = false;
  /** For how long the oldest message of the last claim had waited then. */
  #waitedMs = 0;
  /** Messages a second. */
  #rate = FASTEST;
  #lookedAt = 0;
  #claimedAt = 0;
  /** How long the current claim and its rest take together. */
  #stepMs = 0;
  #restsUntil = 0;

  /** `heldUp` tells for which share of their time callers are held up. Without it there are no rests. */
  constructor(clock: Pick<Clock, "now">, heldUp: (() => number) | undefined) {
    this.#clock = clock;
    this.#heldUp = heldUp;
  }

  /** When the current rest ends; undefined if there is none. A clock that was set back does not prolong it. */
  get restsUntil(): number | undefined {
    const leftMs = this.#restsUntil - this.#clock.now();
    return leftMs > 0 && leftMs <= LONGEST_STEP_MS ? this.#restsUntil : undefined;
  }

  /** Notes that something was added to the outbox. */
  noteArrival(): void {
    this.#hasArrivals = true;
  }

  /** How many messages to claim at most. */
  beginClaim(): number {
    const lastStepMs = this.#stepMs;
    this.#claimedAt = this.#clock.now();
    this.#stepMs = 0;
    this.#isBesideSends = this.#heldUp !== undefined && this.#hasArrivals && this.#waitedMs <= LONGEST_WAIT_MS;
    this.#hasArrivals = false;
    if (!this.#isBesideSends) return LARGEST_CLAIM;
    this.#adjust(lastStepMs);
    if (this.#rate === FASTEST) return LARGEST_BESIDE_SENDS;
    const ofStep = Math.round((this.#rate * STEP_MS) / 1_000);
    const most = Math.min(Math.max(ofStep, SMALLEST_BESIDE_SENDS), LARGEST_BESIDE_SENDS);
    this.#stepMs = (1_000 * most) / this.#rate;
    return most;
  }

  /**
   * Starts the rest that the claim calls for: also of one that left nothing, until enough has come for the next. `oldestDueAt`
   * is when the first message it found fell due.
   */
  endClaim({ oldestDueAt, isMoreDue }: { oldestDueAt: number | undefined; isMoreDue: boolean }): void {
    const hasFound = oldestDueAt !== undefined;
    this.#waitedMs = hasFound ? this.#clock.now() - oldestDueAt : 0;
    const stepMs = this.#isBesideSends && hasFound && !isMoreDue ? Math.max(this.#stepMs, STEP_MS) : this.#stepMs;
    this.#restsUntil = this.#claimedAt + Math.ceil(stepMs);
  }

  /** By the load as it is, once for each look at it; after a long step, by as much as after several short ones. */
  #adjust(lastStepMs: number): void {
    const sinceLook = this.#clock.now() - this.#lookedAt;
    if (sinceLook >= 0 && sinceLook < LOOK_MS) return;
    this.#lookedAt = this.#clock.now();
    const most = this.#waitedMs > LATE_MS ? HELD_UP_IF_LATE : HELD_UP;
    const areHeldUp = (this.#heldUp?.() ?? 0) > most || sometimes("a process is under load");
    const rate = this.#rate * (areHeldUp ? SLOWER : FASTER) ** Math.max(1, lastStepMs / LOOK_MS);
    this.#rate = Math.min(Math.max(rate, SLOWEST), FASTEST);
  }
}
