import { isTimezone } from "@msgctl/contract/timezones";
import fc from "fast-check";
import { type CountryCode, getCountries, getCountryCallingCode, getExampleNumber } from "libphonenumber-js/core";
import metadata from "libphonenumber-js/min/metadata";
import examples from "libphonenumber-js/mobile/examples";
import { describe, expect, it } from "vitest";
import { findCallingTime } from "./calls/quiet-hours.ts";
import { zonesOfCountry } from "./number-zones.ts";
import { countryOfPhoneNumber } from "./phone-numbers.ts";

/** Zones of islands that have no zone in CLDR. Each has the zone of its administering country or of a neighbour. */
const unlisted: Partial<Record<CountryCode, string>> = {
  AC: "Atlantic/St_Helena",
  TA: "Atlantic/St_Helena",
  XK: "Europe/Belgrade",
};

/** Zones of a country by the runtime's own data (CLDR). Node 20 has the property, later versions the method. */
function zonesBy(country: CountryCode): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as { timeZones?: string[]; getTimeZones?: () => string[] };
  const zone = unlisted[country];
  return zone === undefined ? (locale.getTimeZones?.() ?? locale.timeZones ?? []) : [zone];
}

const abroad = getCountries(metadata).filter((country) => getCountryCallingCode(country, metadata) !== "1");
/** Mobile numbers of these islands are Australian. */
const islands: Partial<Record<CountryCode, string>> = { CC: "+61891621234", CX: "+61891641234" };
const numberIn = (country: CountryCode) =>
  islands[country] ?? getExampleNumber(country, examples, metadata)?.number ?? "";

/** Every fifth day of two years, at varying hours. */
const moments = Array.from({ length: 146 }, (_, index) => Date.UTC(2026, 0, 1 + index * 5, (index * 7) % 24));
const offsets = new Map<string, readonly number[]>();

/** Minutes ahead of UTC at each of the times. */
function offsetsOf(timeZone: string): readonly number[] {
  const known = offsets.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset", hour: "2-digit" });
  const read = moments.map((moment) => {
    const name = format.formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours = "0", minutes = "0"] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  });
  offsets.set(timeZone, read);
  return read;
}

const ranges = new Map<string, string>();

/** The latest and earliest local times among the zones, one line per moment. */
function rangeOf(zones: readonly string[]): string {
  const known = ranges.get(zones.join());
  if (known !== undefined) return known;
  const lines = moments.map((moment, index) => {
    const now = zones.map((zone) => offsetsOf(zone)[index] ?? Number.NaN);
    return `${new Date(moment).toISOString()} ${Math.min(...now)} ${Math.max(...now)}`;
  });
  ranges.set(zones.join(), lines.join("\n"));
  return lines.join("\n");
}

describe("the zones of a country", () => {
  it("span all zones that this runtime knows for the country", () => {
    expect(abroad.length).toBeGreaterThan(200);
    for (const country of abroad) {
      const zones = zonesOfCountry(numberIn(country)) ?? [];
      const unknown = zones.filter((zone) => !isTimezone(zone));
      expect.soft(unknown, country).toEqual([]);
      expect.soft(rangeOf(zones), country).toEqual(rangeOf(zonesBy(country)));
    }
  });

  it("differ for countries that share a calling code", () => {
    const beginnings = ["+7", "+77", "+7336", "+61", "+618916", "+6189162", "+6189164", "+614"].concat(
      ["+262", "+262269", "+262639", "+262692", "+2627093", "+262263"],
      ["+44", "+441481", "+447781", "+39", "+390669", "+47", "+4779", "+358", "+35818", "+212", "+2125288"],
    );
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 10, maxLength: 10 });
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.constantFrom(...beginnings), digits, fc.constantFrom(11, 12, 13), (beginning, rest, length) => {
        const number = `${beginning}${rest.join("")}`.slice(0, length);
        const country = countryOfPhoneNumber(number) as CountryCode | undefined;
        if (country === undefined) return;
        seen.add(country);
        expect(rangeOf(zonesOfCountry(number) ?? []), `${number} of ${country}`).toEqual(rangeOf(zonesBy(country)));
      }),
      { numRuns: 5_000 },
    );
    for (const country of ["RU", "KZ", "AU", "CC", "CX", "RE", "YT", "GG", "VA", "SJ"]) expect(seen).toContain(country);
  });

  it.each(["+12125550100", "+18005550100", "+80012345678", "+883510012345", "+870773111632", "+2105550100"])(
    "are unknown for %s",
    (number) => {
      expect(zonesOfCountry(number)).toBeUndefined();
    },
  );
});

describe("a call without a time zone", () => {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const formatOf = (timeZone: string) => {
    const format =
      formats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, hour: "2-digit", hourCycle: "h23" });
    formats.set(timeZone, format);
    return format;
  };
  const hourIn = (zone: string, time: number) => Number(formatOf(zone).format(time));
  const isDayIn = (time: number) => (zone: string) => hourIn(zone, time) >= 8 && hourIn(zone, time) < 21;
  const year = { min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) };

  it("rings as soon as it is day in the whole country", () => {
    fc.assert(
      fc.property(fc.constantFrom(...abroad), fc.integer(year), (country, now) => {
        const zones = zonesBy(country);
        const { startAt, delayedBy } = findCallingTime({ number: numberIn(country), timezone: null, now });
        expect(zones.filter((zone) => !isDayIn(startAt)(zone))).toEqual([]);
        expect(startAt - now).toBeLessThanOrEqual(24 * 3_600_000);
        expect(delayedBy === null).toBe(startAt === now);
        // all clock changes fall on a quarter of an hour
        for (let time = now; time < startAt; time += 900_000) expect(zones.every(isDayIn(time)), `${time}`).toBe(false);
        if (startAt > now) expect(zones.every(isDayIn(startAt - 1))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it("finds an allowed hour in every country, all year", () => {
    const seasons = moments.filter((_, index) => index % 9 === 0);
    for (const country of abroad) {
      for (const now of seasons) {
        expect(() => findCallingTime({ number: numberIn(country), timezone: null, now }), country).not.toThrow();
      }
    }
  });
});
