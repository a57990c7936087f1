import { randomBytes, randomInt } from "node:crypto";

/** The source of chance for every part that draws a name, an id or a pause, so that a simulation draws the same again. */
export interface Randomness {
  bytes(count: number): Buffer;
  /** A whole number from 0 on, less than `limit`, which is at most 2^48 - 1. */
  below(limit: number): number;
  /** From 0 on, less than 1. */
  fraction(): number;
}

/** The machine's own, which nobody can foresee. */
export const systemRandomness: Randomness = {
  bytes: randomBytes,
  below: (limit) => randomInt(limit),
  fraction: Math.random,
};
