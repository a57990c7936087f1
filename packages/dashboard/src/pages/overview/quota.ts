// Usage of a merchant's quota, and the day on which it runs out at this month's pace.

import type { ResponseOf } from "@msgctl/contract";

type Merchant = Pick<ResponseOf<"getMerchant">, "limits" | "credits" | "usage">;

export interface ChannelQuota {
  readonly channel: "SMS" | "VOICE" | "EMAIL";
  readonly unit: string;
  readonly limit: number;
  readonly used: number;
  readonly credits: number;
  /** Used share of the limit, from 0; more than 1 if credits are used. */
  readonly share: number;
}

export const quotaNames: Readonly<Record<ChannelQuota["channel"], string>> = {
  SMS: "SMS",
  VOICE: "Calls",
  EMAIL: "Emails",
};

/** Returns the channels for which the merchant has a limit, credits or usage. */
export function quotasOf({ limits, credits, usage }: Merchant): ChannelQuota[] {
  const all = [
    of("SMS", "segments", limits.smsLimit, usage.smsUsed, credits.smsCredits),
    of("VOICE", "minutes", limits.voiceMinutesLimit, usage.voiceUsed, credits.voiceMinutesCredits),
    of("EMAIL", "emails", limits.emailLimit, usage.emailUsed, credits.emailCredits),
  ];
  return all.filter((quota) => quota.limit > 0 || quota.credits > 0 || quota.used > 0);
}

type Count = number | bigint | string;

function of(channel: ChannelQuota["channel"], unit: string, limit: Count, used: Count, credits: Count): ChannelQuota {
  const quota = { channel, unit, limit: Number(limit), used: Number(used), credits: Number(credits) };
  return { ...quota, share: quota.limit === 0 ? (quota.used > 0 ? 1 : 0) : quota.used / quota.limit };
}

/** How much of a month has passed: `passed` days, with a fraction, of `days`. */
export interface MonthProgress {
  readonly passed: number;
  readonly days: number;
}

/** The progress of the month in a time zone. */
export function progressOf(now: Date, timezone: string): MonthProgress {
  const parts = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: timezone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric" },
  }).formatToParts(now);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return {
    passed: read("day") - 1 + read("hour") / 24,
    days: new Date(Date.UTC(read("year"), read("month"), 0)).getUTCDate(),
  };
}

/**
 * Returns the day of the month on which the limit and the credits run out, at the pace of the month so far. Undefined if
 * they last until the end of the month or have run out already, and in the first 12 hours of the month.
 */
export function findLastDay(
  { limit, used, credits }: ChannelQuota,
  { passed, days }: MonthProgress,
): number | undefined {
  const left = limit + credits - used;
  if (left <= 0 || passed < 0.5 || used === 0) return undefined;
  const last = passed + left / (used / passed);
  return last < days ? Math.floor(last) + 1 : undefined;
}
