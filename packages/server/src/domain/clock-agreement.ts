// The tolerated difference between a machine's clock and the database's, which every instance compares its own with.

/** Difference above which the operator is warned. */
const APART_MS = 2_000;
/** Past this nothing may be decided by the clock: a one-time password would expire unsent. */
export const WRONG_MS = 10_000;

export type ClockAgreement = "agrees" | "apart" | "wrong";

/**
 * Judges a clock that is at least `apartMs` from the database's. A state ends at half the bound at which it began:
 * otherwise one near the bound would be reported again and again.
 */
export function judgeClock(apartMs: number, before: ClockAgreement): ClockAgreement {
  if (apartMs > (before === "wrong" ? WRONG_MS / 2 : WRONG_MS)) return "wrong";
  if (apartMs > (before === "agrees" ? APART_MS : APART_MS / 2)) return "apart";
  return "agrees";
}
