// Finds times that are within given hours of the day where a phone number is.

import { zonesOfAreaCode, zonesOfCountry } from "./number-zones.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The outermost zones of the continental United States: a time allowed in both is also allowed in the zones between. */
const continentalZones: readonly string[] = ["America/Los_Angeles", "America/New_York"];

/** Hours of a day in local time, in minutes after midnight. They begin at 05:00 or later, when no zone changes its clocks. */
export interface LocalHours {
  readonly opensAt: number;
  /** The first minute that is no longer within the hours. */
  readonly closesAt: number;
}

/** Lists the zones that a number may be in. Only zones known from the area code, or a country's one zone, are certain. */
export function placeNumber(number: string): { zones: readonly string[]; isGuess: boolean } {
  const areaZones = zonesOfAreaCode(number);
  if (areaZones !== undefined) return { zones: areaZones, isGuess: false };
  const countryZones = zonesOfCountry(number);
  return { zones: countryZones ?? continentalZones, isGuess: countryZones?.length !== 1 };
}

/** The first time, `now` or later, that is within the hours in all of the zones, and the zone that decided. */
export function nextOpening(
  zones: readonly string[],
  hours: LocalHours,
  now: number,
): { startAt: number; timezone: string } {
  let startAt = now;
  let timezone = lastToOpen(zones, now);
  // when the hours begin in one zone, they may be over in another: move to that time, and check all zones again
  for (let turns = 0; turns < zones.length * 2; turns += 1) {
    const closed = zones.find((zone) => !isOpen(zone, hours, startAt));
    if (closed === undefined) return { startAt, timezone };
    startAt = openingAfter(closed, hours, startAt);
    timezone = closed;
  }
  throw new Error(`no time is within these hours in all of ${zones.join(", ")}`);
}

function isOpen(zone: string, { opensAt, closesAt }: LocalHours, epochMs: number): boolean {
  const { minute } = wallClock(zone, epochMs);
  return minute >= opensAt && minute < closesAt;
}

function openingAfter(zone: string, { opensAt }: LocalHours, epochMs: number): number {
  const { minute, midnight } = wallClock(zone, epochMs);
  const morning = midnight + opensAt * MINUTE_MS + (minute < opensAt ? 0 : DAY_MS);
  // use the offset in the morning: clocks may change during the night before
  const guess = morning - offsetAt(zone, epochMs);
  return morning - offsetAt(zone, guess);
}

function lastToOpen(zones: readonly string[], now: number): string {
  const byOffset = [...zones].sort((one, other) => offsetAt(one, now) - offsetAt(other, now));
  return byOffset[0] ?? "UTC";
}

/** Local time minus UTC, in milliseconds. */
function offsetAt(zone: string, epochMs: number): number {
  return wallClock(zone, epochMs).local - Math.floor(epochMs / 1_000) * 1_000;
}

/** The zone's local time and last midnight, in milliseconds as if they were UTC, and the minutes since midnight. */
function wallClock(zone: string, epochMs: number): { local: number; midnight: number; minute: number } {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(epochMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, second = 0 } = parts;
  const midnight = Date.UTC(year, month - 1, day);
  const minute = hour * 60 + (parts.minute ?? 0);
  return { local: midnight + minute * MINUTE_MS + second * 1_000, midnight, minute };
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** Bounds the cache: zone names come from requests, in upper or lower case. */
const MOST_FORMATS = 512;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US-u-ca-iso8601-hc-h23", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(zone, format);
  return format;
}
