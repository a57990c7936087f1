import type { Views } from "../../api.ts";

/** Describes the number of attempts of a callback, and the result of the last one. */
export function describeAttempts({
  attempts,
  lastOutcome,
}: Pick<Views["CallbackRow"], "attempts" | "lastOutcome">): string {
  if (attempts > 1) return `${attempts} attempts, last ${lastOutcome}`;
  const outcome = lastOutcome === null ? "" : `: ${lastOutcome}`;
  return `${attempts === 0 ? "not tried" : "1 attempt"}${outcome}`;
}
