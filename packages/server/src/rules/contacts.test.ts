import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/core";
import metadata from "libphonenumber-js/min/metadata";
import { describe, expect, it } from "vitest";
import { parseEmailAddress, parsePhoneNumber } from "./contacts.ts";

describe("parsePhoneNumber", () => {
  it.each([
    ["+12025550100", "+12025550100", "a fictitious number of Washington"],
    ["+14155550199", "+14155550199", "a fictitious number of San Francisco"],
    ["+447700900123", "+447700900123", "a British mobile"],
    ["+390612345678", "+390612345678", "Italian landlines keep their 0"],
    ["+4402079460000", "+442079460000", "a trunk prefix given by mistake"],
    ["+80012345678", "+80012345678", "a freephone number of no country"],
    ["+541112345678", "+541112345678", "an Argentine landline"],
  ])("takes %s as %s: %s", (value, normal) => {
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

  it("agrees with libphonenumber on every number that has the pattern", () => {
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

  it("gives a number that it takes again unchanged", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9]\d{6,14}$/), (value) => {
        const number = parsePhoneNumber(value);
        if (number !== undefined) expect(parsePhoneNumber(number)).toBe(number);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** The slow way alone: pattern, then parse until the number stays as it is. */
function parseByLibrary(number: string): string | undefined {
  if (!/^\+[1-9]\d{6,14}$/.test(number)) return undefined;
  const parsed = parsePhoneNumberFromString(number, { extract: false }, metadata);
  if (!parsed?.isPossible() && !parsed?.isValid()) return undefined;
  return parsed.number === number ? number : parseByLibrary(parsed.number);
}

describe("parseEmailAddress", () => {
  it.each([
    ["jane@example.com", "jane@example.com", "already normal"],
    ["  Jane.Doe@EXAMPLE.Com \n", "jane.doe@example.com", "space around it and capitals"],
    ["jane+news@example.com", "jane+news@example.com", "a tag is part of the address"],
    ["jane@bücher.example", "jane@xn--bcher-kva.example", "an international domain"],
    ["jane@BÜCHER.example", "jane@xn--bcher-kva.example", "the same in capitals"],
    ["jane@xn--bcher-kva.example", "jane@xn--bcher-kva.example", "the same, in its ASCII form"],
    ["o'neil_%@mail.example.co.uk", "o'neil_%@mail.example.co.uk", "unusual but allowed"],
    [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`, "the longest local part"],
  ])("takes %j as %j: %s", (value, normal) => {
    expect(parseEmailAddress(value)).toBe(normal);
  });

  it.each([
    ["", "empty"],
    ["jane", "no domain"],
    ["@example.com", "no local part"],
    ["jane@", "an empty domain"],
    ["jane@localhost", "a domain of one label"],
    ["jane@doe@example.com", "two signs"],
    ["jane doe@example.com", "a space inside"],
    [".jane@example.com", "a leading dot"],
    ["jane..doe@example.com", "two dots"],
    ['"jane"@example.com', "quotes"],
    ["jane@[192.0.2.1]", "an address literal"],
    ["jane@192.0.2.1", "an address for a domain"],
    ["jane@-example.com", "a label that begins with a hyphen"],
    ["jane@example..com", "an empty label"],
    ["jane@ex%61mple.com", "a percent escape"],
    ["jane@exa_mple.com", "an underscore in the domain"],
    ["jane@xn--a.example", "a broken ASCII form"],
    ["jane@example.com/path", "a path"],
    ["jane@bücher.example:25", "a port"],
    ["jane@exam\tple.com", "a tab in the domain"],
    ["jane@example.com\u0000", "a control character"],
    ["Jane <jane@example.com>", "a display name"],
    [`${"a".repeat(65)}@example.com`, "a local part of 65"],
    [`${"a".repeat(60)}@${`${"b".repeat(60)}.`.repeat(4)}com`, "more than 254 in all"],
  ])("refuses %j: %s", (value) => {
    expect(parseEmailAddress(value)).toBeUndefined();
  });

  it("gives one form for one mailbox, however its letters are cased", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z+.\d]{1,20}$/),
        fc.stringMatching(/^[a-z\d]{1,10}\.[a-z]{2,5}$/),
        (local, domain) => {
          const address = `${local}@${domain}`;
          expect(parseEmailAddress(address.toUpperCase())).toBe(parseEmailAddress(address));
        },
      ),
    );
  });

  it("gives an address that it takes again unchanged", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (value) => {
        const address = parseEmailAddress(value);
        if (address !== undefined) expect(parseEmailAddress(address)).toBe(address);
      }),
    );
  });
});
