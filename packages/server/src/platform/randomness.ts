import { randomBytes, randomInt } from "node:crypto";

/** The port for random values, which a simulation replaces with repeatable ones. */
export interface Randomness {
  bytes(count: number): Buffer;
  /** Returns an integer from 0 to less than `limit`, which is at most 2^48 - 1. */
  below(limit: number): number;
  /** Returns a number from 0 to less than 1. */
  fraction(): number;
}

/** The machine's own random values, which cannot be predicted. */
export const systemRandomness: Randomness = {
  bytes: randomBytes,
  below: (limit) => randomInt(limit),
  fraction: Math.random,
};
