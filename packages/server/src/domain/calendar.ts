// Months and days in a tenant's IANA time zone, durations, and the format of times in views.

const MINUTE_MS = 60_000;
/** In every zone midnight falls on a quarter of an hour, so the date never changes within a quarter. */
const QUARTER_MS = 15 * MINUTE_MS;
const QUARTERS_AN_HOUR = 4;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Cache: the last quarter of an hour that was looked up, and its date. */
  quarter: number;
  date: string;
}

const zones = new Map<string, Zone>();

/** The first day, `YYYY-MM-01`, of the month in which the instant falls in `timezone`. */
export function periodStart(epochMs: number, timezone: string): string {
  return `${localDate(epochMs, timezone).slice(0, -2)}01`;
}

/** The date, `YYYY-MM-DD`, on which the instant falls in `timezone`. */
export function localDate(epochMs: number, timezone: string): string {
  const quarter = Math.floor(epochMs / QUARTER_MS);
  const zone = zoneOf(timezone);
  if (zone.quarter === quarter) return zone.date;
  const parts = new Map(zone.format.formatToParts(epochMs).map(({ type, value }) => [type, value]));
  zone.quarter = quarter;
  zone.date = `${parts.get("year")?.padStart(4, "0")}-${parts.get("month")}-${parts.get("day")}`;
  return zone.date;
}

function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  const options = { timeZone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const zone = { format: new Intl.DateTimeFormat("en-US-u-ca-iso8601", options), quarter: Number.NaN, date: "" };
  zones.set(timeZone, zone);
  return zone;
}

/** The first instant of `date` (`YYYY-MM-DD`, 1970 or later) in `timezone`, in epoch milliseconds. */
export function startOfDay(date: string, timezone: string): number {
  const utcQuarter = Date.parse(`${date}T00:00:00Z`) / QUARTER_MS;
  // offsets range from UTC-12 to UTC+14
  let before = utcQuarter - 15 * QUARTERS_AN_HOUR;
  let reached = utcQuarter + 13 * QUARTERS_AN_HOUR;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (localDate(middle * QUARTER_MS, timezone) < date) before = middle;
    else reached = middle;
  }
  return reached * QUARTER_MS;
}

/** The day after `date`, `YYYY-MM-DD`. */
export function nextDate(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 60 * MINUTE_MS).toISOString().slice(0, 10);
}

const unitsMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

const DURATION = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;

/** Parses a duration such as `90s` or `1h30m` (d, h, m and s, each at most once) to milliseconds. */
export function parseDuration(text: string): number | undefined {
  const parts = text === "" ? null : DURATION.exec(text);
  if (parts === null) return undefined;
  return Object.values(unitsMs).reduce((sum, unitMs, index) => sum + Number(parts[index + 1] ?? 0) * unitMs, 0);
}

/** Formats a time for views: RFC 3339 in UTC. */
export function viewTime(epochMs: number): string;
export function viewTime(epochMs: number | null): string | null;
export function viewTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
