import { expect, it } from "vitest";
import { type ChannelQuota, findLastDay, progressOf, quotasOf } from "./quota.ts";

const quota = (of: Partial<ChannelQuota>): ChannelQuota => ({
  ...{ channel: "SMS", unit: "segments", limit: 1_000, used: 0, credits: 0, share: 0 },
  ...of,
});

it("lists the channels that are used or could be", () => {
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
  ["half used in a third of the month", { used: 500 }, 10, 21],
  ["as much used as passed", { used: 334 }, 10, 30],
  ["less used than passed", { used: 300 }, 10, undefined],
  ["credits beside it", { used: 500, credits: 1_000 }, 10, undefined],
  ["used up", { used: 1_000 }, 10.5, undefined],
  ["nothing used", { used: 0 }, 29, undefined],
  ["the month has hardly begun", { used: 100 }, 0.2, undefined],
])("%s", (_name, of, passed, day) => {
  expect(findLastDay(quota(of), { passed, days: 30 })).toBe(day);
});

it.each([
  ["2026-11-24T12:00:00Z", "UTC", { passed: 23.5, days: 30 }],
  ["2026-12-01T03:00:00Z", "America/New_York", { passed: 29 + 22 / 24, days: 30 }],
  ["2024-02-29T00:00:00Z", "UTC", { passed: 28, days: 29 }],
])("computes the progress of the month at %s in %s", (at, timezone, progress) => {
  expect(progressOf(new Date(at), timezone)).toEqual(progress);
});
