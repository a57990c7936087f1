// The health of a provider, judged by its last answers, and the name of the carrier that sends nothing.

/** The kind of a carrier that sends nothing, and was chosen by its name. */
export const SIMULATED = "simulated";

/** Last answers of a provider that are judged. */
const WINDOW = 20;
const FAILURES_IN_A_ROW = 5;
const FAILURES_IN_WINDOW = 4;

/**
 * Describes a provider that fails, or undefined: 5 failures in a row, or 4 of the last 20. `recent` are its last answers,
 * oldest first: `1` for a failure of its own, `0` for any other.
 */
export function describeFailing(recent: string): string | undefined {
  if (recent.endsWith("1".repeat(FAILURES_IN_A_ROW))) return `failed ${FAILURES_IN_A_ROW} times in a row`;
  const failures = countFailures(recent);
  const isFailing = recent.length >= WINDOW && failures >= FAILURES_IN_WINDOW;
  return isFailing ? `failed ${failures} of the last ${WINDOW} times` : undefined;
}

/** Whether a provider that was failing works again: few failures are left among the last answers. */
export function hasRecovered(recent: string): boolean {
  return countFailures(recent) < FAILURES_IN_WINDOW;
}

function countFailures(recent: string): number {
  return recent.replaceAll("0", "").length;
}

/** The answers to remember once another has come, or `count` of them that are alike. */
export function addAnswer(recent: string, hasFailed: boolean, count = 1): string {
  return (recent + (hasFailed ? "1" : "0").repeat(Math.min(count, WINDOW))).slice(-WINDOW);
}
