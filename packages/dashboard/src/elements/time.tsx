// Times in the tenant's zone, the zone in which searches read days: relative within an hour, with the day if it is not today.

import { useEffect, useState } from "preact/hooks";
import { useSession } from "../shell/session.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = 5_000;
/** Interval at which relative times are renewed. */
const RENEWAL_MS = 15_000;

/** The server's clock minus this browser's, in milliseconds: a development server's clock can be moved. */
let aheadMs = 0;

export function setServerTime(now: string): void {
  aheadMs = Date.parse(now) - Date.now();
}

export function serverTime(): Date {
  return new Date(Date.now() + aheadMs);
}

export interface TimeProps {
  readonly at: string;
  /** Shows the date and the time with seconds, instead of a relative time. */
  readonly isWhole?: boolean;
}

export function Time({ at, isWhole = false }: TimeProps) {
  const { timezone } = useSession().tenant;
  const now = useNow();
  const date = new Date(at);
  const { whole, full } = formatsOf(timezone);
  return (
    <time dateTime={at} title={full.format(date)}>
      {isWhole ? whole.format(date) : describeTime(date, now, timezone)}
    </time>
  );
}

/** Follows a count: since when the oldest of what was counted waits. Renders nothing if nothing does. */
export function Since({ at }: { readonly at: string | null }) {
  if (at === null) return null;
  return (
    <>
      , the oldest since <Time at={at} isWhole />
    </>
  );
}

/** Formats a time with its date and seconds. */
export function formatWhole(at: string, timezone: string): string {
  return formatsOf(timezone).whole.format(new Date(at));
}

/** Describes a time as a reader would say it: "4 min ago", "today, 09:12", "Nov 22, 01:04", "Nov 22, 2025, 01:04". */
export function describeTime(date: Date, now: Date, timezone: string, locale?: string): string {
  const ageMs = now.getTime() - date.getTime();
  if (ageMs >= 0 && ageMs < NOW_MS) return "just now";
  if (ageMs >= 0 && ageMs < MINUTE_MS) return `${Math.floor(ageMs / 1_000)} s ago`;
  if (ageMs >= 0 && ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  const { time, day, dayOfYear, isoDay } = formatsOf(timezone, locale);
  if (isoDay.format(date) === isoDay.format(now)) return `today, ${time.format(date)}`;
  const isThisYear = isoDay.format(date).slice(-4) === isoDay.format(now).slice(-4);
  return `${(isThisYear ? day : dayOfYear).format(date)}, ${time.format(date)}`;
}

/** The city of a zone, as a heading names it: "New York", "UTC". */
export function nameZone(timezone: string): string {
  return (timezone.split("/").at(-1) ?? timezone).replaceAll("_", " ");
}

// created once for each zone: creating one takes as long as rendering all rows of a list
const formats = new Map<string, ReturnType<typeof createFormats>>();

/** @param locale - Default: the browser's. */
function formatsOf(timezone: string, locale?: string) {
  const key = `${timezone} ${locale}`;
  const known = formats.get(key) ?? createFormats(timezone, locale);
  formats.set(key, known);
  return known;
}

function createFormats(timeZone: string, locale: string | undefined) {
  const create = (options: Intl.DateTimeFormatOptions, language = locale) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone });
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return {
    time: create(clock),
    day: create({ day: "numeric", month: "short" }),
    dayOfYear: create({ day: "numeric", month: "short", year: "numeric" }),
    isoDay: create({ day: "2-digit", month: "2-digit", year: "numeric" }, "en-US"),
    whole: create({ ...clock, second: "2-digit", day: "numeric", month: "short", year: "numeric" }),
    full: create({
      ...clock,
      ...{ second: "2-digit", weekday: "long", day: "numeric", month: "long", year: "numeric", timeZoneName: "short" },
    }),
  };
}

const renewals = new Set<() => void>();
/** Runs while a time is shown. */
let timer: ReturnType<typeof setInterval> | undefined;

function renewAll(): void {
  if (document.visibilityState === "visible") for (const renew of renewals) renew();
}

/** The server's time, renewed now and then. */
function useNow(): Date {
  const [, setRound] = useState(0);
  useEffect(() => {
    const renew = () => setRound((known) => known + 1);
    renewals.add(renew);
    timer ??= setInterval(renewAll, RENEWAL_MS);
    return () => {
      renewals.delete(renew);
      if (renewals.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return serverTime();
}
