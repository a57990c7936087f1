const unitsMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

const DURATION = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;

/** Milliseconds of a duration such as `90s`, `72h` or `1h30m`: days, hours, minutes and seconds, each at most once. */
export function parseDuration(text: string): number | undefined {
  const parts = text === "" ? null : DURATION.exec(text);
  if (parts === null) return undefined;
  return Object.values(unitsMs).reduce((sum, unitMs, index) => sum + Number(parts[index + 1] ?? 0) * unitMs, 0);
}
