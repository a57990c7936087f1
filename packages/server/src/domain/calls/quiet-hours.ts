// The hours in which a call may ring: 08:00 to 21:00 in the recipient's time zone (47 CFR 64.1200(c)(1)).

import type { Schemas } from "@msgctl/contract";
import type { MessageType } from "../consent/rules.ts";
import { zonesOfAreaCode, zonesOfCountry } from "../number-zones.ts";

const OPENING_HOUR = 8;
const CLOSING_HOUR = 21;
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** The outermost zones of the continental United States: a time allowed in both is also allowed in the zones between. */
const continentalZones: readonly string[] = ["America/Los_Angeles", "America/New_York"];

export type DelayReason = Extract<Schemas["PolicyReason"], "QUIET_HOURS" | "TIMEZONE_INFERRED">;

/** The time at which a call may start, and its time zone. */
export interface CallingTime {
  /** Epoch milliseconds; `now` if the call may ring immediately. */
  readonly startAt: number;
  /** IANA zone that decided; of several zones, the one whose morning is last. */
  readonly timezone: string;
  /** Null if the call may ring immediately. */
  readonly delayedBy: DelayReason | null;
}

/** Returns whether the type observes quiet hours. Only MARKETING does: recipients expect calls of the other types. */
export function keepsQuietHours(type: MessageType): boolean {
  return type === "MARKETING";
}

/**
 * Finds when a number that observes quiet hours may be called. If no `timezone` is given, the area code decides, else the
 * country. If the country has several zones, the call waits for an hour that is allowed in all of them. A number without
 * an area code or country, such as +1 800 or +883, is treated as one of the continental US.
 * `asked` caches the results for all numbers of one request, which share one `now`.
 */
export function findCallingTime(
  call: { number: string; timezone: string | null; now: number },
  asked: Map<string, CallingTime> = new Map(),
): CallingTime {
  const { number, timezone, now } = call;
  const { zones, isGuess } = timezone === null ? placeNumber(number) : { zones: [timezone], isGuess: false };
  const name = `${isGuess} ${zones.join(" ")}`;
  const earlier = asked.get(name);
  if (earlier !== undefined) return earlier;
  const opening = nextOpening(zones, now);
  const delayedBy = opening.startAt === now ? null : isGuess ? "TIMEZONE_INFERRED" : "QUIET_HOURS";
  const time = { ...opening, delayedBy } as const;
  asked.set(name, time);
  return time;
}

/**
 * Finds when a delayed call may ring: `now` or the next morning, in the `customerTimezone` if it has one. Otherwise the
 * hour must be allowed in the `executionTimezone`, which decided at acceptance, and in all other zones of its number. A
 * call without an `executionTimezone` observes no quiet hours.
 * `asked` caches the results for all calls of one job, which share one `now`.
 */
export function findLateCallingTime(
  call: { number: string; customerTimezone: string | null; executionTimezone: string | null; now: number },
  asked: Map<string, number> = new Map(),
): number {
  const { number, customerTimezone, executionTimezone, now } = call;
  if (executionTimezone === null) return now;
  const { zones: known } = placeNumber(number);
  const isPlaced = customerTimezone === null && known.includes(executionTimezone);
  const zones = isPlaced ? known : [customerTimezone ?? executionTimezone];
  const name = zones.join(" ");
  const startAt = asked.get(name) ?? nextOpening(zones, now).startAt;
  asked.set(name, startAt);
  return startAt;
}

/** Lists the zones that a number may be in. Only zones known from the area code, or a country's one zone, are certain. */
function placeNumber(number: string): { zones: readonly string[]; isGuess: boolean } {
  const areaZones = zonesOfAreaCode(number);
  if (areaZones !== undefined) return { zones: areaZones, isGuess: false };
  const countryZones = zonesOfCountry(number);
  return { zones: countryZones ?? continentalZones, isGuess: countryZones?.length !== 1 };
}

/** The first time, `now` or later, at which calls are allowed in all of the zones. */
function nextOpening(zones: readonly string[], now: number): { startAt: number; timezone: string } {
  let startAt = now;
  let timezone = lastToOpen(zones, now);
  // when one zone begins to allow calls, another may still forbid them: move to that time, and check all zones again
  for (let turns = 0; turns < zones.length * 2; turns += 1) {
    const closed = zones.find((zone) => !isDay(zone, startAt));
    if (closed === undefined) return { startAt, timezone };
    startAt = openingAfter(closed, startAt);
    timezone = closed;
  }
  throw new Error(`no hour allows calls in all of ${zones.join(", ")}`);
}

function isDay(zone: string, epochMs: number): boolean {
  const { hour } = wallClock(zone, epochMs);
  return hour >= OPENING_HOUR && hour < CLOSING_HOUR;
}

function openingAfter(zone: string, epochMs: number): number {
  const { hour, midnight } = wallClock(zone, epochMs);
  const morning = midnight + OPENING_HOUR * HOUR_MS + (hour < OPENING_HOUR ? 0 : DAY_MS);
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

/** The zone's local time, in milliseconds as if it were UTC. */
function wallClock(zone: string, epochMs: number): { local: number; midnight: number; hour: number } {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(epochMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const midnight = Date.UTC(year, month - 1, day);
  return { local: midnight + hour * HOUR_MS + minute * 60_000 + second * 1_000, midnight, hour };
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
