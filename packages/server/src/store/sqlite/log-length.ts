// The length of the write-ahead log, in pages of 4 KiB, and what it calls for.

/** The result of a checkpoint. */
export interface Checkpointed {
  /** Pages in the log since it last started over. */
  readonly pages: number;
  /** How many of them are in the database file now. */
  readonly moved: number;
  /** True if a reader or writer kept it from moving them all. */
  readonly isHeld: boolean;
}

/** 32 MB: so rarely that the pause in which the log starts over costs writes next to nothing. */
const LONG_PAGES = 8_000;
/** Largest share of the log that the last checkpoint may have moved, so that less is left for the pause. */
const LITTLE = 1 / 8;

export class LogLength {
  readonly #most: number;
  /** The log's length when another process kept it from starting over: nothing here could shorten it. */
  #given = 0;
  #pages = 0;
  #moved = 0;
  #justMoved = 0;

  /** `most` is the bound, in pages. */
  constructor(most: number) {
    this.#most = most;
  }

  note({ pages, moved }: Checkpointed): void {
    if (pages < this.#pages) this.startOver();
    this.#justMoved = moved - this.#moved;
    this.#pages = pages;
    this.#moved = moved;
  }

  /** The next commit restarts the log. */
  startOver(): void {
    this.#given = this.#pages = this.#moved = 0;
  }

  /** The log could not start over, and is measured from here on. */
  accept(): void {
    this.#given = this.#pages;
  }

  get isLong(): boolean {
    return this.#pages - this.#given > LONG_PAGES;
  }

  get isPastBound(): boolean {
    return this.#pages - this.#given > this.#most;
  }

  /** Little is left to move, or nothing more can be. */
  get isNearlyMoved(): boolean {
    return this.#justMoved <= this.#pages * LITTLE;
  }
}
