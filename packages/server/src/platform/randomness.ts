import { randomBytes, randomInt } from "node:crypto";

/** The port for random values, which a simulation replaces with repeatable ones. */
export interface Randomness {
  bytes(count: number): Buffer;
  /** Returns an integer from 0 up to, but not including, `limit`, which may be at most 2^48 - 1. */
  below(limit: number): number;
  /** Returns a number from 0 up to, but not including, 1. */
  fraction(): number;
}

/** Unpredictable random values of the machine. */
export const systemRandomness: Randomness = {
  bytes: randomBytes,
  below: (limit) => randomInt(limit),
  fraction: Math.random,
};
