import { timingSafeEqual } from "node:crypto";

/** Compares a given signature or secret with the expected one. The time depends only on the lengths of the two. */
export function isSameSecret(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
