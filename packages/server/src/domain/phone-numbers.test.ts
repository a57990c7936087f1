import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/core";
import metadata from "libphonenumber-js/min/metadata";
import { describe, expect, it } from "vitest";
import { parsePhoneNumber } from "./phone-numbers.ts";

describe("parsePhoneNumber", () => {
  it.each([
    ["+12025550100", "+12025550100", "a fictitious number of Washington"],
    ["+14155550199", "+14155550199", "a fictitious number of San Francisco"],
    ["+447700900123", "+447700900123", "a British mobile"],
    ["+390612345678", "+390612345678", "Italian landlines keep their 0"],
    ["+4402079460000", "+442079460000", "a trunk prefix given by mistake"],
    ["+80012345678", "+80012345678", "a freephone number of no country"],
    ["+541112345678", "+541112345678", "an Argentine landline"],
  ])("reads %s as %s: %s", (value, normal) => {
    expect(parsePhoneNumber(value)).toBe(normal);
  });

  it.each([
    ["", "empty"],
    ["12025550100", "no plus"],
    ["+02025550100", "no calling code begins with 0"],
    ["+1202555010", "one digit too few for its country"],
    ["+120255501000", "one digit too many for its country"],
    ["+999123456789", "no such calling code"],
    ["+1 202 555 0100", "spaces"],
    ["+12025550100;ext=5", "an extension"],
    ["+1234567890123456", "more than 15 digits"],
    ["+12025550100\n", "a line break"],
    ["+١٢٠٢٥٥٥٠١٠٠", "digits of another script"],
  ])("refuses %j: %s", (value) => {
    expect(parsePhoneNumber(value)).toBeUndefined();
  });

  it("agrees with libphonenumber on every number that matches the pattern", () => {
    const callingCodes = [...Object.keys(metadata.country_calling_codes), "800", "870", "999"];
    const numbers = fc
      .tuple(fc.constantFrom(...callingCodes), fc.stringMatching(/^\d{3,13}$/))
      .map(([code, national]) => `+${code}${national}`);
    fc.assert(
      fc.property(numbers, (number) => {
        expect(parsePhoneNumber(number)).toBe(parseByLibrary(number));
      }),
      { numRuns: 3_000 },
    );
  });

  it("returns its own result unchanged", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9]\d{6,14}$/), (value) => {
        const number = parsePhoneNumber(value);
        if (number !== undefined) expect(parsePhoneNumber(number)).toBe(number);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Parses without the lookup: checks the pattern, then parses until the number no longer changes. */
function parseByLibrary(number: string): string | undefined {
  if (!/^\+[1-9]\d{6,14}$/.test(number)) return undefined;
  const parsed = parsePhoneNumberFromString(number, { extract: false }, metadata);
  if (!parsed?.isPossible() && !parsed?.isValid()) return undefined;
  return parsed.number === number ? number : parseByLibrary(parsed.number);
}
