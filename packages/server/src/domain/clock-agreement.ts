// How far an instance's clock may differ from the database's. Every instance compares the two.

/** Difference above which the operator is warned. */
const APART_MS = 2_000;
/** Difference above which the clock must not decide anything: a one-time password could expire unsent. */
export const WRONG_MS = 10_000;

export type ClockAgreement = "agrees" | "apart" | "wrong";

/**
 * Judges a clock that differs from the database's by at least `apartMs`. A state ends at half the bound at which it
 * began, so that a clock near the bound is not reported again and again.
 */
export function judgeClock(apartMs: number, before: ClockAgreement): ClockAgreement {
  if (apartMs > (before === "wrong" ? WRONG_MS / 2 : WRONG_MS)) return "wrong";
  if (apartMs > (before === "agrees" ? APART_MS : APART_MS / 2)) return "apart";
  return "agrees";
}
