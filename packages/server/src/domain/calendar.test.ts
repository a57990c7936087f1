import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localDate, nextDate, periodStart, startOfDay } from "./calendar.ts";

describe("periodStart", () => {
  it.each([
    ["2025-03-01T00:00:00.000Z", "UTC", "2025-03-01"],
    ["2025-02-28T23:59:59.999Z", "UTC", "2025-02-01"],
    ["2025-03-01T04:59:59.999Z", "America/New_York", "2025-02-01"],
    ["2025-03-01T05:00:00.000Z", "America/New_York", "2025-03-01"],
    ["2025-02-28T18:29:59.999Z", "Asia/Kolkata", "2025-02-01"],
    ["2025-02-28T18:30:00.000Z", "Asia/Kolkata", "2025-03-01"],
    ["2024-12-31T18:15:00.000Z", "Asia/Kathmandu", "2025-01-01"],
    ["2024-12-31T10:00:00.000Z", "Pacific/Kiritimati", "2025-01-01"],
    ["2025-07-31T23:30:00.000Z", "Europe/Lisbon", "2025-08-01"],
  ])("returns for %s in %s the month that begins on %s", (instant, timezone, period) => {
    expect(periodStart(Date.parse(instant), timezone)).toBe(period);
  });

  it("returns the given zone's date even if another zone was looked up for the same quarter of an hour", () => {
    const instant = Date.parse("2025-03-01T00:10:00Z");
    expect(periodStart(instant, "America/Denver")).toBe("2025-02-01");
    expect(periodStart(instant, "Asia/Tokyo")).toBe("2025-03-01");
    expect(periodStart(instant + 60_000, "America/Denver")).toBe("2025-02-01");
  });

  it("agrees with the local date that the runtime prints", () => {
    const zones = fc.constantFrom("America/St_Johns", "Australia/Lord_Howe", "Asia/Tehran", "Africa/Casablanca", "UTC");
    const instants = fc.integer({ min: Date.parse("2000-01-01"), max: Date.parse("2060-01-01") });
    fc.assert(
      fc.property(zones, instants, (timeZone, instant) => {
        const localDate = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(instant);
        expect(periodStart(instant, timeZone)).toBe(`${localDate.slice(0, 7)}-01`);
      }),
    );
  });
});

describe("localDate", () => {
  it.each([
    ["2026-03-01T04:59:59.999Z", "America/New_York", "2026-02-28"],
    ["2026-03-01T05:00:00.000Z", "America/New_York", "2026-03-01"],
    ["2026-02-28T18:30:00.000Z", "Asia/Kolkata", "2026-03-01"],
    ["2026-02-28T18:14:59.999Z", "Asia/Kathmandu", "2026-02-28"],
    ["2026-02-28T18:15:00.000Z", "Asia/Kathmandu", "2026-03-01"],
    ["2026-12-31T23:59:59.999Z", "UTC", "2026-12-31"],
  ])("returns for %s in %s the date %s", (instant, timezone, day) => {
    expect(localDate(Date.parse(instant), timezone)).toBe(day);
  });
});

describe("startOfDay", () => {
  it.each([
    ["2026-03-01", "UTC", "2026-03-01T00:00:00.000Z"],
    ["2026-03-01", "America/New_York", "2026-03-01T05:00:00.000Z"],
    // the day on which clocks go forward, and the next day
    ["2026-03-08", "America/New_York", "2026-03-08T05:00:00.000Z"],
    ["2026-03-09", "America/New_York", "2026-03-09T04:00:00.000Z"],
    ["2026-03-01", "Asia/Kathmandu", "2026-02-28T18:15:00.000Z"],
    ["2026-03-01", "Pacific/Kiritimati", "2026-02-28T10:00:00.000Z"],
    ["2026-03-01", "Pacific/Niue", "2026-03-01T11:00:00.000Z"],
    ["2026-03-01", "Etc/GMT+12", "2026-03-01T12:00:00.000Z"],
  ])("returns for %s in %s the instant %s", (day, timezone, instant) => {
    const start = startOfDay(day, timezone);
    expect(new Date(start).toISOString()).toBe(instant);
    expect(localDate(start, timezone)).toBe(day);
    expect(localDate(start - 1, timezone) < day).toBe(true);
  });
});

describe("nextDate", () => {
  it.each([
    ["2026-02-28", "2026-03-01"],
    ["2028-02-28", "2028-02-29"],
    ["2026-12-31", "2027-01-01"],
  ])("returns for %s the date %s", (day, next) => {
    expect(nextDate(day)).toBe(next);
  });
});
