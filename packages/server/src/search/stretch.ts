// How much time's messages to read at once, so that reading can stop soon after it may not go on.

/** The first stretch. */
const FIRST_MS = 2_000;
/** What a stretch is to take. */
const TAKES_MS = 4;
/** By how much the next one is longer at most, and shorter. */
const LENGTHENED = { most: 2, least: 0.5 };

export class Stretch {
  #lengthMs = FIRST_MS;
  /** What each takes even where nothing is in it, such as the way to a database. */
  #leastMs = Number.POSITIVE_INFINITY;

  /** Of what was accepted in so long, in milliseconds. */
  get lengthMs(): number {
    return this.#lengthMs;
  }

  /** Notes what reading it took: the next one is as long as can be read in a few milliseconds. */
  noteTaken(tookMs: number): void {
    this.#leastMs = Math.min(this.#leastMs, tookMs);
    const fits = TAKES_MS / (tookMs - this.#leastMs);
    this.#lengthMs = Math.round(this.#lengthMs * Math.min(Math.max(fits, LENGTHENED.least), LENGTHENED.most));
  }
}
