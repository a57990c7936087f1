// Months as a tenant sees them: in its own IANA time zone.

const MINUTE_MS = 60_000;
/** Every zone's midnight falls on a quarter of an hour, so a month cannot change inside one. */
const QUARTER_MS = 15 * MINUTE_MS;

interface ZoneMonth {
  quarter: number;
  start: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const lastMonths = new Map<string, ZoneMonth>();

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

/** Whether `name` is an IANA time zone that this runtime knows, such as `America/New_York`. An offset is not one. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    // not kept: names come from requests, and each is valid in any mixture of upper and lower case
    createFormat(name);
    return true;
  } catch {
    return false;
  }
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known !== undefined) return known;
  const format = createFormat(timezone);
  formats.set(timezone, format);
  return format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US-u-ca-iso8601", { timeZone, year: "numeric", month: "2-digit" });
}
