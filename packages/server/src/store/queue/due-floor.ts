// Where a look at what falls due at a time begins, on PostgreSQL: not with what fell due long ago. That is gone, and stays in the
// index as long as a transaction may see it.

/** How long before it is written a row may fall due, in milliseconds: it goes before most of the others then. */
const LEAD_MS = 500;
/** How long before a look it usually may: a commit takes its time. */
const SOON_MS = 2 * LEAD_MS;
/** And now and then: clocks differ somewhat. */
const LATE_MS = 10_000;
/** How often so, in milliseconds of real time. */
const STEP_BACK_MS = 1_000;
/** How often all is looked at: what another instance held when its claim was undone. */
const BEGINNING_MS = 30_000;
/** Where looks begin that pass over nothing, in epoch milliseconds. */
export const BEGINNING = 0;

/** The time at which a row is to fall due that is written `now`, and was due for long. */
export function recently(dueAt: number, now: number): number {
  return Math.max(dueAt, now - LEAD_MS);
}

/** Where looks begin after one at `now` whose first row fell due at `first`; undefined if none was due. */
export function floorAfter(now: number, first: number | undefined): number {
  return Math.min(first ?? now, now - SOON_MS);
}

/** The floor of one index, for one process that looks at it. */
export class DueFloor {
  readonly #elapsed: () => number;
  #floor = BEGINNING;
  #lookedAt = BEGINNING;
  #steppedBackAt: number;
  #begunAt: number;

  /** `elapsed` gives milliseconds of a clock that is never set. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
    this.#begunAt = elapsed();
    this.#steppedBackAt = this.#begunAt;
  }

  /** Where what is asked after a look begins, such as what falls due next, in epoch milliseconds. */
  get floor(): number {
    return this.#floor;
  }

  /** The earliest time that a look at `now` has to ask for. */
  at(now: number): number {
    const elapsed = this.#elapsed();
    // a clock that was set back has rows fall due before those that are gone
    if (now < this.#lookedAt || elapsed - this.#begunAt >= BEGINNING_MS) {
      this.#begunAt = elapsed;
      return BEGINNING;
    }
    if (elapsed - this.#steppedBackAt < STEP_BACK_MS) return this.#floor;
    this.#steppedBackAt = elapsed;
    return Math.min(this.#floor, now - LATE_MS);
  }

  /** Has looks begin at `floor` after one at `now`. */
  raise(now: number, floor: number): void {
    this.#lookedAt = now;
    this.#floor = floor;
  }
}
