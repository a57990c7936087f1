import { expect, it } from "vitest";
import { spans, sumOf, toPoints } from "./activity-series.ts";

const [byHour, byDay] = spans;
const now = Date.parse("2026-11-25T03:20:00Z");
const hour = (at: string, of: object) => ({ at, delivered: 0, failed: 0, unknown: 0, underWay: 0, ...of });

it("toPoints() returns a point for each hour, even for an hour without messages", () => {
  const points = toPoints([hour("2026-11-25T02:00:00.000Z", { delivered: 5, failed: 1, underWay: 2, unknown: 1 })], {
    ...{ span: byHour, now, timezone: "UTC" },
  });
  expect(points).toHaveLength(48);
  expect(points.at(-2)).toEqual({
    ...{ at: Date.parse("2026-11-25T02:00:00Z"), accepted: 9, delivered: 5, failed: 1 },
  });
  expect(points.at(-1)).toMatchObject({ accepted: 0 });
  expect(sumOf(points)).toEqual({ accepted: 9, delivered: 5, failed: 1 });
});

it("toPoints() sums the hours of each day in the tenant's time zone, even when the clock is changed", () => {
  const hours = ["2026-11-24T04:00:00Z", "2026-11-24T05:00:00Z", "2026-11-25T03:00:00Z"].map((at) =>
    hour(at, { delivered: 1 }),
  );
  const points = toPoints(hours, { span: byDay ?? byHour, now, timezone: "America/New_York" });
  expect(points.slice(-2).map(({ at, delivered }) => [new Date(at).toISOString(), delivered])).toEqual([
    ["2026-11-23T05:00:00.000Z", 1],
    ["2026-11-24T05:00:00.000Z", 2],
  ]);
  // the clock was set back on the 1st
  expect(points.map(({ at }) => new Date(at).toISOString().slice(11, 13))).toEqual(
    expect.arrayContaining(["04", "05"]),
  );
  expect(points).toHaveLength(30);
});
