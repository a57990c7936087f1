import { expect, it } from "vitest";
import { describeTime, nameZone } from "./time.tsx";

const now = new Date("2026-11-29T18:00:00Z");

it.each([
  ["2026-11-29T17:59:57Z", "just now"],
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
