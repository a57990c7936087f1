import { expect, it } from "vitest";
import { cell } from "./cell.ts";

const at = "2026-03-01T22:20:30.456Z";

it.each([
  [0, "2026-03-01 22:20:30 UTC", "2026-03-01 22:20Z"],
  [120, "2026-03-02 00:20:30 +02:00", "2026-03-02 00:20+02"],
  [-210, "2026-03-01 18:50:30 -03:30", "2026-03-01 18:50-03:30"],
  [345, "2026-03-02 04:05:30 +05:45", "2026-03-02 04:05+05:45"],
])("shows an instant in a time zone %i minutes ahead of UTC", (minutes, whole, short) => {
  const zone = () => minutes;
  expect([cell(at, { zone }), cell(at, { zone, isShort: true })]).toEqual([whole, short]);
  expect(cell([at, at], { zone })).toBe(`${whole}, ${whole}`);
});

it("uses the time zone offset at the instant, since summer and winter differ", () => {
  const zone = (instant: Date) => (instant.getUTCMonth() === 6 ? 120 : 60);
  expect(cell("2026-07-01T10:00:00Z", { zone })).toBe("2026-07-01 12:00:00 +02:00");
  expect(cell("2026-01-01T10:00:00Z", { zone })).toBe("2026-01-01 11:00:00 +01:00");
});

it.each([
  ["finalCost", 3, "3.00 USD"],
  ["totals.finalCharges", 0.0125, "0.0125 USD"],
  ["hqMarkup", 0.000001, "0.000001 USD"],
  ["finalCost", 12.5, "12.50 USD"],
  ["finalCost", null, "-"],
  ["amountCents", 500, "500 cents"],
  ["units", 500, "500"],
  ["ready", false, "false"],
  ["text", "", '""'],
  ["text", "2026-13-45T99:99:99Z", "2026-13-45T99:99:99Z"],
  ["free", { id: 9007199254740993n }, '{"id":9007199254740993}'],
])("shows a value of column %s (case %#)", (name, value, text) => {
  expect(cell(value, { name })).toBe(text);
});
