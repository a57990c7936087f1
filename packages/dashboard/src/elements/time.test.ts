import { expect, it } from "vitest";
import { describeTime, nameZone, startOfDay } from "./time.tsx";

const now = new Date("2026-11-29T18:00:00Z");

it.each([
  ["2026-11-29T17:59:48Z", "12 s ago"],
  ["2026-11-29T17:56:00Z", "4 min ago"],
  ["2026-11-29T14:12:00Z", "today, 09:12"],
  // the day before in New York
  ["2026-11-29T04:30:00Z", "Nov 28, 23:30"],
  ["2025-11-22T06:04:00Z", "Nov 22, 2025, 01:04"],
  ["2026-11-29T18:30:00Z", "today, 13:30"],
])("describes %s as %s", (at, words) => {
  expect(describeTime(new Date(at), now, "America/New_York", "en-US")).toBe(words);
});

it("names a zone by its city", () => {
  expect(["America/New_York", "UTC"].map(nameZone)).toEqual(["New York", "UTC"]);
});

it.each([
  ["2026-11-29", 0, "2026-11-29T05:00:00.000Z"],
  ["2026-11-29", 1, "2026-11-30T05:00:00.000Z"],
  // clocks are set back in the early morning
  ["2026-11-01", 0, "2026-11-01T04:00:00.000Z"],
  ["2026-11-01", 1, "2026-11-02T05:00:00.000Z"],
])("%s and %i days begin at %s in New York", (day, days, at) => {
  expect(startOfDay(day, "America/New_York", days)?.toISOString()).toBe(at);
});

it.each(["", "tomorrow", "2026-13-01"])("finds no day in %j", (text) => {
  expect(startOfDay(text, "UTC")).toBeUndefined();
});
