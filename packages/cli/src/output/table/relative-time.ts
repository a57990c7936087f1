const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Formats `3 min ago` or `in 2 days` from epoch milliseconds. Undefined for a week or more, where a date reads better. */
export function relativeTime(atMs: number, nowMs: number): string | undefined {
  const distanceMs = Math.abs(nowMs - atMs);
  if (!(distanceMs < WEEK_MS)) return undefined;
  if (distanceMs < SECOND_MS) return "now";
  const distance = inWords(distanceMs);
  return atMs > nowMs ? `in ${distance}` : `${distance} ago`;
}

function inWords(distanceMs: number): string {
  const whole = (unitMs: number) => Math.floor(distanceMs / unitMs);
  if (distanceMs < MINUTE_MS) return `${whole(SECOND_MS)} s`;
  if (distanceMs < HOUR_MS) return `${whole(MINUTE_MS)} min`;
  if (distanceMs < DAY_MS) return `${whole(HOUR_MS)} h`;
  return distanceMs < 2 * DAY_MS ? "1 day" : `${whole(DAY_MS)} days`;
}
