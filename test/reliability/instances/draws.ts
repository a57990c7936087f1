/** Pseudo-random numbers that depend only on the seed. */
export class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number of at least `least` and below `most`. */
  between(least: number, most: number): number {
    return least + this.#next() * (most - least);
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.#next() * list.length)] ?? list[0];
  }

  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, place: this.#next() }))
      .sort((one, other) => one.place - other.place)
      .map(({ item }) => item);
  }

  /** A number of at least 0 and below 1, by mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
