// How long the write-ahead log is, and what that asks for. In pages, of 4 KiB.

/** What a checkpoint found. */
export interface Checkpointed {
  /** In the log since it last started over. */
  readonly pages: number;
  /** Of them, those that are in the database file now. */
  readonly moved: number;
  /** True where somebody who reads or writes kept it from moving all. */
  readonly isHeld: boolean;
}

/** 32 MB: so seldom that the pause in which the log starts over costs writes next to nothing. */
const LONG_PAGES = 8_000;
/** Part of the log that the last checkpoint moved at most, so that what is left for the pause is less. */
const LITTLE = 1 / 8;

export class LogLength {
  readonly #most: number;
  /** What the log had when another process kept it from starting over: nothing here could make it shorter. */
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

  /** The next commit begins the log anew. */
  startOver(): void {
    this.#given = this.#pages = this.#moved = 0;
  }

  /** It could not start over, and is measured from here on. */
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
