// The hours to which a tenant's MARKETING texts are held, in the recipient's local time: a setting of the tenant, as stored
// and shown: 08:00-20:00, or 08:00-20:00 +1 for numbers that begin with +1 only.

import { type LocalHours, nextOpening, placeNumber } from "./local-hours.ts";

/** The setting of a new live tenant. Several states of the US allow marketing texts only in these hours. */
export const DEFAULT_TEXT_HOURS = "08:00-20:00 +1";

const EARLIEST_OPENING = 5 * 60;
/** Longer than the time between the first and the last zone of any country, so that all zones share some of the hours. */
const SHORTEST_MINUTES = 11 * 60;

export const TEXT_HOURS_WORDS =
  "hours such as 08:00-20:00, that begin at 05:00 or later and last 11 hours or more, or off";

interface TextHours extends LocalHours {
  /** The hours as written. */
  readonly hours: string;
  /** Numbers that do not begin with this are texted at any time. Empty: all numbers observe the hours. */
  readonly beginning: string;
}

/** Parses a setting. Returns undefined if it is not valid. */
export function parseTextHours(text: string): TextHours | undefined {
  const [, hours = "", from, to, beginning = ""] = /^((\d\d:\d\d)-(\d\d:\d\d))(?: (\+[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const opensAt = readMinutes(from);
  const closesAt = readMinutes(to);
  const isValid = opensAt >= EARLIEST_OPENING && closesAt - opensAt >= SHORTEST_MINUTES && closesAt <= 24 * 60;
  return isValid ? { hours, beginning, opensAt, closesAt } : undefined;
}

function readMinutes(time = ""): number {
  const [hour, minute] = time.split(":").map(Number);
  return hour === undefined || minute === undefined || minute > 59 ? Number.NaN : hour * 60 + minute;
}

/** A text, as far as its tenant's hours are concerned. */
export interface HeldText {
  readonly channel: string;
  readonly type: string;
  readonly purpose: "SEND" | "CONFIRMATION";
}

/** Returns whether the message observes text hours: a MARKETING text does, but not the answer to a text from the phone. */
export function keepsTextHours({ channel, type, purpose }: HeldText): boolean {
  return channel === "SMS" && type === "MARKETING" && purpose === "SEND";
}

/** When a text may be sent, and the hours and time zone that decide. */
export interface TextHold {
  /** In epoch milliseconds. */
  readonly until: number;
  readonly timezone: string;
  /** Such as 08:00-20:00. */
  readonly hours: string;
}

/**
 * Finds until when a text to the number is held. Undefined if it may be sent now. The time zone is that of the area code,
 * else of the country. If the number may be in several zones, the hours are observed in all of them; a number without an area
 * code or country, such as +1 800 or +883, is treated as one of the continental US.
 */
export function findTextHold(setting: string | null, number: string, now: number): TextHold | undefined {
  const textHours = setting === null ? undefined : parseTextHours(setting);
  if (textHours === undefined || !number.startsWith(textHours.beginning)) return undefined;
  const { startAt, timezone } = nextOpening(placeNumber(number).zones, textHours, now);
  return startAt > now ? { until: startAt, timezone, hours: textHours.hours } : undefined;
}
