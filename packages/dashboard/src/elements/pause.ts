const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

/** Describes a duration: "0.04 s", "12 min". */
export function describeDuration(ms: number): string {
  for (const [size, unit] of units) if (ms >= 2 * size) return `${Math.round(ms / size)} ${unit}`;
  const seconds = ms / 1_000;
  return `${seconds >= 10 ? Math.round(seconds) : Number(seconds.toPrecision(2))} s`;
}

/** Describes the time between two steps: "+0.04 s", "+12 min". */
export function describePause(from: string, to: string): string {
  return `+${describeDuration(Math.max(0, Date.parse(to) - Date.parse(from)))}`;
}
