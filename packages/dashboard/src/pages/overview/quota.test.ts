import { expect, it } from "vitest";
import { type ChannelQuota, findLastDay, progressOf, quotasOf } from "./quota.ts";

const quota = (of: Partial<ChannelQuota>): ChannelQuota => ({
  ...{ channel: "SMS", unit: "segments", limit: 1_000, used: 0, credits: 0, share: 0 },
  ...of,
});

it("quotasOf() lists the channels that have a limit, credits or usage", () => {
  const merchant = {
    limits: { smsLimit: 1_000, voiceMinutesLimit: 0, emailLimit: 0 },
    credits: { smsCredits: 0, voiceMinutesCredits: 0, emailCredits: 50 },
    usage: { smsUsed: 250, voiceUsed: 0, emailUsed: 10, periodStart: "2026-11-01" },
  };
  expect(quotasOf(merchant).map(({ channel, share }) => [channel, share])).toEqual([
    ["SMS", 0.25],
    ["EMAIL", 1],
  ]);
});

it.each([
  ["half of the quota is used after a third of the month", { used: 500 }, 10, 21],
  ["the used share is slightly above the passed share of the month", { used: 334 }, 10, 30],
  ["the used share is below the passed share of the month", { used: 300 }, 10, undefined],
  ["there are credits beside the quota", { used: 500, credits: 1_000 }, 10, undefined],
  ["the quota is used up", { used: 1_000 }, 10.5, undefined],
  ["nothing is used", { used: 0 }, 29, undefined],
  ["the month has hardly begun", { used: 100 }, 0.2, undefined],
])("findLastDay() returns the right day if %s", (_name, of, passed, day) => {
  expect(findLastDay(quota(of), { passed, days: 30 })).toBe(day);
});

it.each([
  ["2026-11-24T12:00:00Z", "UTC", { passed: 23.5, days: 30 }],
  ["2026-12-01T03:00:00Z", "America/New_York", { passed: 29 + 22 / 24, days: 30 }],
  ["2024-02-29T00:00:00Z", "UTC", { passed: 28, days: 29 }],
])("progressOf() computes how much of the month has passed at %s in %s", (at, timezone, progress) => {
  expect(progressOf(new Date(at), timezone)).toEqual(progress);
});
