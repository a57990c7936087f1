/** Formats counts and durations for people. */

/** Formats `1,200`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats `1 row` or `1,200 rows`. */
export function formatRowCount(count: number): string {
  return count === 1 ? "1 row" : `${formatCount(count)} rows`;
}

/** Formats `90 s`, `5 min` or `2.0 h`, rounded up. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 100) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 100 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
