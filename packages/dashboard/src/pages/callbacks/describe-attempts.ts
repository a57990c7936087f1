import type { Views } from "../../api.ts";

/** Says how often a callback was tried, and with what last result. */
export function describeAttempts({
  attempts,
  lastOutcome,
}: Pick<Views["CallbackRow"], "attempts" | "lastOutcome">): string {
  if (attempts > 1) return `${attempts} attempts, last ${lastOutcome}`;
  const outcome = lastOutcome === null ? "" : `: ${lastOutcome}`;
  return `${attempts === 0 ? "not tried" : "1 attempt"}${outcome}`;
}
