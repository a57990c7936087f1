import { describe, expect, it } from "vitest";
import { listAreaCodes, zonesOfAreaCode } from "./number-zones.ts";
import { DEFAULT_TEXT_HOURS, findTextHold, keepsTextHours, parseTextHours } from "./text-hours.ts";

const at = (time: string) => Date.parse(time);
const inNewYork = "+12125550100";

describe("a setting", () => {
  it.each([
    ["08:00-20:00", { hours: "08:00-20:00", beginning: "", opensAt: 480, closesAt: 1_200 }],
    ["08:00-20:00 +1", { hours: "08:00-20:00", beginning: "+1", opensAt: 480, closesAt: 1_200 }],
    ["09:30-20:30 +44", { hours: "09:30-20:30", beginning: "+44", opensAt: 570, closesAt: 1_230 }],
    ["05:00-24:00", { hours: "05:00-24:00", beginning: "", opensAt: 300, closesAt: 1_440 }],
    ["04:59-24:00", undefined],
    ["08:00-18:59", undefined],
    ["08:00-24:01", undefined],
    ["20:00-08:00", undefined],
    ["08:60-20:00", undefined],
    ["8:00-20:00", undefined],
    ["08:00-20:00 1", undefined],
    ["08:00-20:00 +", undefined],
    ["08:00-20:00 +1234", undefined],
    ["08:00-20:00  +1", undefined],
    ["off", undefined],
    ["", undefined],
  ])("%j is read as %j", (text, read) => {
    expect(parseTextHours(text)).toEqual(read);
  });
});

it.each([
  [{ channel: "SMS", type: "MARKETING", purpose: "SEND" }, true],
  [{ channel: "SMS", type: "MARKETING", purpose: "CONFIRMATION" }, false],
  [{ channel: "SMS", type: "OTP", purpose: "SEND" }, false],
  [{ channel: "SMS", type: "REMINDER", purpose: "SEND" }, false],
  [{ channel: "EMAIL", type: "MARKETING", purpose: "SEND" }, false],
  [{ channel: "VOICE", type: "MARKETING", purpose: "SEND" }, false],
] as const)("%j keeps text hours: %s", (message, keeps) => {
  expect(keepsTextHours(message)).toBe(keeps);
});

describe("a text", () => {
  it.each([
    // January: New York is UTC-5
    ["one second before 08:00", inNewYork, "2026-01-15T12:59:59Z", "2026-01-15T13:00:00Z"],
    ["at 08:00", inNewYork, "2026-01-15T13:00:00Z", undefined],
    ["one second before 20:00", inNewYork, "2026-01-16T00:59:59Z", undefined],
    ["at 20:00", inNewYork, "2026-01-16T01:00:00Z", "2026-01-16T13:00:00Z"],
    // clocks go forward on 8 March 2026 and back on 1 November 2026, at 02:00
    ["in the night when summer time begins", inNewYork, "2026-03-08T03:00:00Z", "2026-03-08T12:00:00Z"],
    ["in the night when summer time ends", inNewYork, "2026-11-01T03:00:00Z", "2026-11-01T13:00:00Z"],
    ["in the hour that occurs twice", inNewYork, "2026-11-01T06:30:00Z", "2026-11-01T13:00:00Z"],
    // an area code in two zones: 08:00 in Denver is 15:00 UTC, 20:00 in Chicago is 02:00
    ["to both of two zones, in the morning", "+16055550100", "2026-01-15T14:30:00Z", "2026-01-15T15:00:00Z"],
    ["to both of two zones, in the evening", "+16055550100", "2026-01-16T02:00:00Z", "2026-01-16T15:00:00Z"],
    // toll-free: 08:00 in Los Angeles is 16:00 UTC, 20:00 in New York is 01:00
    ["to a toll-free number in the morning", "+18005550100", "2026-01-15T15:59:59Z", "2026-01-15T16:00:00Z"],
    ["to a toll-free number in the evening", "+18005550100", "2026-01-16T01:00:00Z", "2026-01-16T16:00:00Z"],
    ["to another country", "+447700900123", "2026-01-15T03:00:00Z", undefined],
  ])("sent %s, with the hours of a new live tenant", (_name, number, now, until) => {
    const hold = findTextHold(DEFAULT_TEXT_HOURS, number, at(now));
    expect(hold?.until).toBe(until && at(until));
  });

  it.each([
    ["+447700900123", "2026-01-15T07:59:59Z", "2026-01-15T08:00:00Z", "Europe/London"],
    ["+883510012345", "2026-01-15T15:59:59Z", "2026-01-15T16:00:00Z", "America/Los_Angeles"],
    // 08:00 in Kaliningrad is 06:00 UTC, and 20:00 in Kamchatka 08:00
    ["+79161234567", "2026-01-15T09:00:00Z", "2026-01-16T06:00:00Z", "Europe/Kaliningrad"],
  ])("to %s at %s is held until %s, if all numbers are", (number, now, until, timezone) => {
    expect(findTextHold("08:00-20:00", number, at(now))).toEqual({ until: at(until), timezone, hours: "08:00-20:00" });
  });

  it("is sent at any time if the setting is off", () => {
    expect(findTextHold(null, inNewYork, at("2026-01-15T05:00:00Z"))).toBeUndefined();
  });

  it("to any country or area code leaves within two days, whatever the hours and the season", () => {
    const countries = [
      "+79161234567",
      "+61412345678",
      "+556198765432",
      "+5215512345678",
      "+999",
      "+800123",
      "+298123456",
    ];
    const numbers = [...countries, ...listAreaCodes().map((code) => `+1${code}5550100`)];
    const seen = new Set<string>();
    const late: string[] = [];
    for (const number of numbers) {
      const zones = String(zonesOfAreaCode(number) ?? number);
      if (seen.has(zones)) continue;
      seen.add(zones);
      for (const setting of ["08:00-20:00", "05:00-16:00", "13:00-24:00"]) {
        for (const day of ["2026-01-15", "2026-03-08", "2026-04-05", "2026-10-25", "2026-11-01"]) {
          for (let hour = 0; hour < 24; hour += 5) {
            const now = at(`${day}T00:00:00Z`) + hour * 3_600_000;
            const until = findTextHold(setting, number, now)?.until ?? now;
            const isSendable = findTextHold(setting, number, until) === undefined;
            if (!isSendable || until - now > 48 * 3_600_000) late.push(`${number} ${setting} ${day} ${hour}`);
          }
        }
      }
    }
    expect(late).toEqual([]);
  });
});
