// The hours in which a call may ring: 08:00 to 21:00 in the recipient's time zone (47 CFR 64.1200(c)(1)).

import type { Schemas } from "@msgctl/contract";
import type { MessageType } from "../consent/rules.ts";
import { type LocalHours, nextOpening, placeNumber } from "../local-hours.ts";

const callingHours: LocalHours = { opensAt: 8 * 60, closesAt: 21 * 60 };

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
  const opening = nextOpening(zones, callingHours, now);
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
  const startAt = asked.get(name) ?? nextOpening(zones, callingHours, now).startAt;
  asked.set(name, startAt);
  return startAt;
}
