import { expect, it } from "vitest";
import { relativeTime } from "./relative-time.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  [0, "now", "now"],
  [999, "now", "now"],
  [SECOND, "1 s ago", "in 1 s"],
  [MINUTE - 1, "59 s ago", "in 59 s"],
  [MINUTE, "1 min ago", "in 1 min"],
  [HOUR - 1, "59 min ago", "in 59 min"],
  [HOUR, "1 h ago", "in 1 h"],
  [DAY - 1, "23 h ago", "in 23 h"],
  [DAY, "1 day ago", "in 1 day"],
  [2 * DAY, "2 days ago", "in 2 days"],
  [7 * DAY - 1, "6 days ago", "in 6 days"],
  [7 * DAY, undefined, undefined],
  [Number.NaN, undefined, undefined],
])("describes a time %i ms away", (distance, ago, ahead) => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  expect([relativeTime(now - distance, now), relativeTime(now + distance, now)]).toEqual([ago, ahead]);
});
