import { createHash } from "node:crypto";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

/** Random numbers that depend only on the seed and the purpose. Draws for one purpose do not affect another. */
export class Random {
  readonly #generator: RandomGenerator;

  constructor(seed: number, purpose: string) {
    const state = createHash("sha256").update(`${seed} ${purpose}`).digest();
    this.#generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => state.readInt32LE(offset)));
  }

  /** A whole number from 0 to `limit` - 1. `limit` is at most 2^53. */
  below = (limit: number): number => {
    const high = this.#generator.next() >>> 0;
    if (limit <= 0x1_0000_0000) return Math.floor((high * limit) / 0x1_0000_0000);
    const low = this.#generator.next() >>> 0;
    return Math.floor(((high & 0x1f_ffff) * 0x1_0000_0000 + low) / (2 ** 53 / limit));
  };

  /** A number of at least 0 and less than 1. */
  fraction = (): number => (this.#generator.next() >>> 0) / 0x1_0000_0000;

  bytes = (count: number): Buffer => {
    const words = Buffer.allocUnsafe(Math.ceil(count / 4) * 4);
    for (let offset = 0; offset < count; offset += 4) words.writeInt32LE(this.#generator.next(), offset);
    return words.subarray(0, count);
  };

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** A whole number whose order of magnitude is uniformly distributed. */
  spread(least: number, most: number): number {
    return Math.round(least * (most / least) ** this.fraction());
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError("the list to pick from is empty");
    return from[this.below(from.length)] as T;
  }
}
