// Months and days as a tenant sees them: in its own IANA time zone.

const MINUTE_MS = 60_000;
/** Every zone's midnight falls on a quarter of an hour, so a month cannot change inside one. */
const QUARTER_MS = 15 * MINUTE_MS;

/** The last answer for a zone: it holds for the whole quarter of an hour. */
interface ZoneMonth {
  quarter: number;
  start: string;
}

const QUARTERS_AN_HOUR = 4;

const formats = new Map<string, Intl.DateTimeFormat>();
const dayFormats = new Map<string, Intl.DateTimeFormat>();
const lastMonths = new Map<string, ZoneMonth>();
const lastDays = new Map<string, ZoneMonth>();

/** The first day, `YYYY-MM-01`, of the calendar month that holds the instant in `timezone`. */
export function periodStart(epochMs: number, timezone: string): string {
  const quarter = Math.floor(epochMs / QUARTER_MS);
  const last = lastMonths.get(timezone);
  if (last?.quarter === quarter) return last.start;
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(epochMs)
      .map(({ type, value }) => [type, value]),
  );
  const start = `${parts.get("year")}-${parts.get("month")}-01`;
  lastMonths.set(timezone, { quarter, start });
  return start;
}

/** The calendar day, `YYYY-MM-DD`, that holds the instant in `timezone`. */
export function localDate(epochMs: number, timezone: string): string {
  const quarter = Math.floor(epochMs / QUARTER_MS);
  const last = lastDays.get(timezone);
  if (last?.quarter === quarter) return last.start;
  const parts = new Map(
    dayFormatOf(timezone)
      .formatToParts(epochMs)
      .map(({ type, value }) => [type, value]),
  );
  const start = `${parts.get("year")?.padStart(4, "0")}-${parts.get("month")}-${parts.get("day")}`;
  lastDays.set(timezone, { quarter, start });
  return start;
}

/** When the day, `YYYY-MM-DD` of a year from 1970 on, begins in `timezone`, in epoch milliseconds. */
export function startOfDay(date: string, timezone: string): number {
  const utcQuarter = Date.parse(`${date}T00:00:00Z`) / QUARTER_MS;
  // zones lie between 12 hours behind and 14 ahead of UTC
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

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known !== undefined) return known;
  const format = createFormat(timezone);
  formats.set(timezone, format);
  return format;
}

function dayFormatOf(timeZone: string): Intl.DateTimeFormat {
  const known = dayFormats.get(timeZone);
  if (known !== undefined) return known;
  const options = { timeZone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const format = new Intl.DateTimeFormat("en-US-u-ca-iso8601", options);
  dayFormats.set(timeZone, format);
  return format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US-u-ca-iso8601", { timeZone, year: "numeric", month: "2-digit" });
}

const unitsMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

const DURATION = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;

/** Milliseconds of a duration such as `90s`, `72h` or `1h30m`: days, hours, minutes and seconds, each at most once. */
export function parseDuration(text: string): number | undefined {
  const parts = text === "" ? null : DURATION.exec(text);
  if (parts === null) return undefined;
  return Object.values(unitsMs).reduce((sum, unitMs, index) => sum + Number(parts[index + 1] ?? 0) * unitMs, 0);
}

/** A time as views have it: RFC 3339 in UTC. */
export function viewTime(epochMs: number): string;
export function viewTime(epochMs: number | null): string | null;
export function viewTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
