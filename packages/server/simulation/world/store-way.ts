import type { Random } from "../random.ts";

const LEAST_US = 20;
const USUAL_US = 3_000;
const LONGEST_US = 90_000_000;

/** Draws the one-way latency to a store, in microseconds. */
export function drawWay(random: Random, isSlow = false): number {
  return isSlow ? random.spread(USUAL_US, LONGEST_US) : random.spread(LEAST_US, USUAL_US);
}
