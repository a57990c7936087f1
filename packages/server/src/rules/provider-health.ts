/** As many of a provider's last answers as are judged. */
const WINDOW = 20;
const FAILURES_IN_A_ROW = 5;
/** 20 % of the window. */
const FAILURES_IN_WINDOW = 4;

/**
 * What is wrong with a provider, in words, or undefined when nothing is: 5 failures in a row, or 4 of the last 20.
 * `recent` are its last answers, oldest first: `1` for a failure by its own fault, `0` for any other.
 */
export function describeFailing(recent: string): string | undefined {
  if (recent.endsWith("1".repeat(FAILURES_IN_A_ROW))) return `failed ${FAILURES_IN_A_ROW} times in a row`;
  const failures = countFailures(recent);
  const isFailing = recent.length >= WINDOW && failures >= FAILURES_IN_WINDOW;
  return isFailing ? `failed ${failures} of the last ${WINDOW} times` : undefined;
}

/** Whether a provider that was failing is so no more: few failures are left among the answers that are judged. */
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
