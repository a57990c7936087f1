// Judges the health of a provider by its last answers, and decides how long a removed carrier is kept.

/** The kind under which an operator can explicitly set the simulated carrier, which sends nothing. */
export const SIMULATED = "simulated";

/** How long a removed carrier is kept: longer than any of its messages can be in doubt. */
export const REMOVED_KEPT_DAYS = 30;
export const REMOVED_KEPT_MS = REMOVED_KEPT_DAYS * 24 * 60 * 60 * 1_000;

/** Returns whether events about messages that a carrier accepted are still recorded at `now`, although it was removed. */
export function isHeardAfterRemoval(
  { eventsId, removedAt }: { readonly eventsId: string | null; readonly removedAt: number | null },
  now: number,
): boolean {
  return eventsId !== null && removedAt !== null && now < removedAt + REMOVED_KEPT_MS;
}

/** How many of a provider's last answers are judged. */
const WINDOW = 20;
const FAILURES_IN_A_ROW = 5;
const FAILURES_IN_WINDOW = 4;

/**
 * Describes a provider that is failing: 5 failures in a row, or 4 of the last 20. Undefined if it is not failing.
 * `recent` holds its last answers, oldest first: `1` for a failure of the provider itself, `0` for any other answer.
 */
export function describeFailing(recent: string): string | undefined {
  if (recent.endsWith("1".repeat(FAILURES_IN_A_ROW))) return `failed ${FAILURES_IN_A_ROW} times in a row`;
  const failures = countFailures(recent);
  const isFailing = recent.length >= WINDOW && failures >= FAILURES_IN_WINDOW;
  return isFailing ? `failed ${failures} of the last ${WINDOW} times` : undefined;
}

/** Returns whether a provider that was failing has recovered: few of its last answers are failures. */
export function hasRecovered(recent: string): boolean {
  return countFailures(recent) < FAILURES_IN_WINDOW;
}

function countFailures(recent: string): number {
  return recent.replaceAll("0", "").length;
}

/** Appends an answer, or `count` equal answers, and keeps the last ones. */
export function addAnswer(recent: string, hasFailed: boolean, count = 1): string {
  return (recent + (hasFailed ? "1" : "0").repeat(Math.min(count, WINDOW))).slice(-WINDOW);
}
