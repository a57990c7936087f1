import { isTimezone } from "@msgctl/contract/timezones";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listAreaCodes, zonesOfAreaCode } from "../number-zones.ts";
import { findCallingTime, findLateCallingTime, keepsQuietHours } from "./quiet-hours.ts";

const at = (time: string) => Date.parse(time);
const inNewYork = "+12125550100";
const inLosAngeles = "+13105550100";

describe("findCallingTime", () => {
  it.each([
    // January: New York is UTC-5
    ["one second before 08:00", inNewYork, null, "2026-01-15T12:59:59Z", "2026-01-15T13:00:00Z"],
    ["at 08:00", inNewYork, null, "2026-01-15T13:00:00Z", null],
    ["one second before 21:00", inNewYork, null, "2026-01-16T01:59:59Z", null],
    ["at 21:00", inNewYork, null, "2026-01-16T02:00:00Z", "2026-01-16T13:00:00Z"],
    ["at local midnight", inNewYork, null, "2026-01-16T05:00:00Z", "2026-01-16T13:00:00Z"],
    [
      "with a time zone that replaces the number's",
      inNewYork,
      "Asia/Tokyo",
      "2026-01-15T13:00:00Z",
      "2026-01-15T23:00:00Z",
    ],
    ["in a zone with a half-hour offset", inNewYork, "Asia/Kolkata", "2026-01-15T20:00:00Z", "2026-01-16T02:30:00Z"],
    // clocks go forward on 8 March 2026 and back on 1 November 2026, at 02:00
    ["in the night when summer time begins", inNewYork, null, "2026-03-08T03:00:00Z", "2026-03-08T12:00:00Z"],
    ["in the night when summer time ends", inNewYork, null, "2026-11-01T03:00:00Z", "2026-11-01T13:00:00Z"],
    ["in the hour that occurs twice", inNewYork, null, "2026-11-01T06:30:00Z", "2026-11-01T13:00:00Z"],
    ["in Arizona, which has no summer time", "+16025550100", null, "2026-07-01T14:59:59Z", "2026-07-01T15:00:00Z"],
    ["at the end of a year", inLosAngeles, null, "2026-01-01T06:00:00Z", "2026-01-01T16:00:00Z"],
  ])("finds the time for a call requested %s", (_name, number, timezone, now, startAt) => {
    const time = findCallingTime({ number, timezone, now: at(now) });
    expect(new Date(time.startAt)).toEqual(new Date(startAt ?? now));
    expect(time.delayedBy).toBe(startAt === null ? null : "QUIET_HOURS");
    expect(time.timezone).toBe(timezone ?? zonesOfAreaCode(number)?.[0]);
  });

  it.each([
    // 08:00 in Los Angeles is 16:00 UTC in winter, and 21:00 in New York is 02:00
    ["+883510012345", "2026-01-15T15:59:59Z", "2026-01-15T16:00:00Z"],
    ["+18005550100", "2026-01-16T02:00:00Z", "2026-01-16T16:00:00Z"],
    ["+18005550100", "2026-01-16T01:59:59Z", null],
  ])(
    "lets a call to %s, requested at %s, ring only while it is daytime in all of the continental US",
    (number, now, startAt) => {
      const time = findCallingTime({ number, timezone: null, now: at(now) });
      expect(time).toEqual({
        startAt: at(startAt ?? now),
        timezone: "America/Los_Angeles",
        delayedBy: startAt === null ? null : "TIMEZONE_INFERRED",
      });
    },
  );

  it.each([
    ["with one zone", "+447700900123", "Europe/London", "2026-01-15T07:59:59Z", "2026-01-15T08:00:00Z", "QUIET_HOURS"],
    ["with one zone, during the day", "+819012345678", "Asia/Tokyo", "2026-01-15T05:00:00Z", null, null],
    // 08:00 in Kaliningrad is 06:00 UTC, and 21:00 in Kamchatka 09:00
    [
      "with many zones",
      "+79161234567",
      "Europe/Kaliningrad",
      "2026-01-15T09:00:00Z",
      "2026-01-16T06:00:00Z",
      "TIMEZONE_INFERRED",
    ],
    ["with many zones, during the day", "+79161234567", "Europe/Kaliningrad", "2026-01-15T08:59:59Z", null, null],
    // 08:00 in Perth is 00:00 UTC; 21:00 on Lord Howe Island is 10:00 UTC in summer and 10:30 UTC in winter
    [
      "with many zones, in summer time",
      "+61412345678",
      "Australia/Perth",
      "2026-01-15T10:00:00Z",
      "2026-01-16T00:00:00Z",
      "TIMEZONE_INFERRED",
    ],
    ["with many zones, in winter", "+61412345678", "Australia/Perth", "2026-07-15T10:29:59Z", null, null],
  ])("finds the time for a call to a country %s: %s", (_name, number, zone, now, startAt, delayedBy) => {
    const time = findCallingTime({ number, timezone: null, now: at(now) });
    expect(time).toEqual({ startAt: at(startAt ?? now), timezone: zone, delayedBy });
  });

  it("finds a time that is in the daytime in both zones of an area code", () => {
    const delay = (now: string) => findCallingTime({ number: "+18505550100", timezone: null, now: at(now) });
    expect(delay("2026-01-15T13:30:00Z")).toMatchObject({ startAt: at("2026-01-15T14:00:00Z") });
    expect(delay("2026-01-16T02:30:00Z")).toMatchObject({
      startAt: at("2026-01-16T14:00:00Z"),
      delayedBy: "QUIET_HOURS",
    });
  });

  it("always finds a time between 08:00 and 21:00, at most 12 hours ahead and never later than necessary", () => {
    const zones = [
      "America/New_York",
      "America/St_Johns",
      "Europe/Berlin",
      "Asia/Kathmandu",
      "Pacific/Auckland",
      "UTC",
    ];
    const hourIn = (zone: string, time: number) =>
      Number(new Intl.DateTimeFormat("en-US", { timeZone: zone, hour: "2-digit", hourCycle: "h23" }).format(time));
    const year = { min: at("2026-01-01T00:00:00Z"), max: at("2027-01-01T00:00:00Z") };
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer(year), (timezone, now) => {
        const { startAt } = findCallingTime({ number: inNewYork, timezone, now });
        const hour = hourIn(timezone, startAt);
        expect(hour >= 8 && hour < 21).toBe(true);
        expect(startAt - now).toBeLessThanOrEqual(12 * 3_600_000);
        if (startAt === now) return;
        expect(hour).toBe(8);
        expect(hourIn(timezone, startAt - 1)).toBe(7);
      }),
    );
  });
});

describe("findLateCallingTime", () => {
  const night = at("2026-01-16T02:30:00Z");
  // 21:30 in New York and 20:30 in Chicago
  const call = { number: "+18505550100", now: night };

  it.each([
    ["all zones of the number", null, "America/Chicago", "2026-01-16T14:00:00Z"],
    ["only the given zone", "America/Chicago", "America/Chicago", "2026-01-16T02:30:00Z"],
    ["the execution zone, if it is not one of the number's", null, "America/Denver", "2026-01-16T02:30:00Z"],
  ])("observes quiet hours in %s", (_name, customerTimezone, executionTimezone, startAt) => {
    expect(findLateCallingTime({ ...call, customerTimezone, executionTimezone })).toBe(at(startAt));
  });
});

describe("the area codes", () => {
  it("are each listed once, in zones that exist", () => {
    const codes = listAreaCodes();
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    for (const code of codes) {
      expect(code).toMatch(/^[2-9]\d\d$/);
      for (const zone of zonesOfAreaCode(`+1${code}5550100`) ?? []) expect(isTimezone(zone), zone).toBe(true);
    }
  });

  // zones are from the public tables of the numbering plan and the time zone database
  it.each([
    ["America/New_York", "202 212 313 329 363 436 465 472 582 624 645 656 679 686 689 728 771 821 826 835 839 943 948"],
    ["America/Chicago", "312 235 327 353 457 464 471 483 557 572 621 659 730 861 924 945 975"],
    ["America/Denver", "303 505 748 983"],
    ["America/Los_Angeles", "415 350 357 369 738 820 837 840"],
    ["America/Phoenix", "480 602 623"],
    ["Pacific/Honolulu", "808"],
    ["America/Vancouver", "604"],
    ["America/Toronto", "416 382 683 742 753 942"],
    ["America/Winnipeg", "204 431 584"],
    ["America/Moncton", "428 506"],
    ["America/Halifax", "782 902"],
    ["America/Puerto_Rico", "787 939"],
    ["America/Jamaica", "658 876"],
    ["America/New_York America/Chicago", "270 364 423 729 448 850 574 606 812 906"],
    ["America/Chicago America/Denver", "308 432 605 620 701 785"],
    ["America/Boise America/Los_Angeles", "208 986 458 541 775"],
    ["America/Anchorage America/Adak", "907"],
    ["America/Denver America/Phoenix", "928"],
    ["America/Edmonton America/Vancouver", "236 250 257 672 778"],
    ["America/Winnipeg America/Regina America/Edmonton", "306 474 639"],
    ["America/St_Johns America/Goose_Bay", "709 879"],
    ["nowhere", "211 500 533 555 800 822 833 888 889 900 911"],
  ])("lie in %s: %s", (zones, codes) => {
    for (const code of codes.split(" ")) {
      expect(zonesOfAreaCode(`+1${code}5550100`)?.join(" ") ?? "nowhere", code).toBe(zones);
    }
  });

  it("give no zone for a number outside the numbering plan", () => {
    expect(zonesOfAreaCode("+442025550100")).toBeUndefined();
  });
});

it("OTP, TRANSACTIONAL and REMINDER calls may ring at night", () => {
  const types = ["OTP", "TRANSACTIONAL", "REMINDER", "MARKETING"] as const;
  expect(types.filter(keepsQuietHours)).toEqual(["MARKETING"]);
});
