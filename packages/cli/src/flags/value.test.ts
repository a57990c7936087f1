import { describe, expect, it } from "vitest";
import type { Input } from "../model/record.ts";
import { parseValue } from "./value.ts";

const base: Input = { name: "x", in: "body", path: ["x"], type: "string", description: "" };

function accepts(input: Partial<Input>, text: string) {
  const parsed = parseValue({ ...base, ...input }, text);
  return parsed.ok ? parsed.value : undefined;
}

function expectation(input: Partial<Input>, text: string) {
  const parsed = parseValue({ ...base, ...input }, text);
  return parsed.ok ? undefined : parsed.expected;
}

describe("parseValue takes", () => {
  it.each<[string, Partial<Input>, string, unknown]>([
    ["text as it is", {}, "  a b ", "  a b "],
    [
      "a phone number with its plus",
      { format: "e164", pattern: "^\\+[1-9]\\d{6,14}$" },
      "+12025550100",
      "+12025550100",
    ],
    ["an enum value", { enum: ["SMS", "VOICE"] }, "SMS", "SMS"],
    ["an enum value in another case", { enum: ["OPT_IN", "OPT_OUT"] }, "Opt_out", "OPT_OUT"],
    ["the enum value with the same case, if two differ only in case", { enum: ["A", "a"] }, "a", "a"],
    ["true as a spreadsheet writes it", { type: "boolean" }, "TRUE", true],
    ["an integer", { type: "integer" }, "42", 42],
    ["a negative integer", { type: "integer", format: "int32" }, "-2147483648", -2147483648],
    ["an integer with a plus", { type: "integer" }, "+7", 7],
    ["the largest exact integer", { type: "integer", format: "int64" }, "9007199254740991", 9007199254740991],
    ["a number", { type: "number", minimum: 0 }, "1.5e3", 1500],
    ["true", { type: "boolean" }, "true", true],
    ["false", { type: "boolean" }, "false", false],
    ["digits for integer-or-string, as an integer", { type: "integer-or-string" }, "4242", 4242],
    [
      "more digits than a number can hold, as text",
      { type: "integer-or-string" },
      "9007199254740993",
      "9007199254740993",
    ],
    ["text for integer-or-string, as text", { type: "integer-or-string" }, "pm_card_visa", "pm_card_visa"],
    ["JSON", { type: "json" }, '{"a":[1]}', { a: [1] }],
    ["a leap day", { format: "date" }, "2024-02-29", "2024-02-29"],
    ["an instant with an offset", { format: "date-time" }, "2025-01-31T08:00:00+02:00", "2025-01-31T08:00:00+02:00"],
    ["an email address, such as mara@example.com", { format: "email" }, "mara+x@example.com", "mara+x@example.com"],
    ["a URL", { format: "uri" }, "https://example.com/a?b=c", "https://example.com/a?b=c"],
    ["a time zone", { format: "iana-timezone" }, "America/New_York", "America/New_York"],
    ["astral characters counted once", { minLength: 2, maxLength: 2 }, "🦊🦊", "🦊🦊"],
    ["a format it does not know", { format: "riddle" }, "?", "?"],
  ])("%s", (_, input, text, value) => {
    expect(accepts(input, text)).toEqual(value);
  });
});

describe("parseValue refuses", () => {
  it.each<[string, Partial<Input>, string, string]>([
    [
      "a phone number without plus",
      { format: "e164", example: "+13125550142" },
      "12025550100",
      "a phone number in E.164 form (+ and 7 to 15 digits), such as +13125550142",
    ],
    ["a misspelt enum value", { enum: ["OTP", "REMINDER"] }, "REMNDER", "one of OTP, REMINDER; did you mean REMINDER?"],
    [
      "a misspelt enum value in lower case",
      { enum: ["OTP", "REMINDER"] },
      "opt",
      "one of OTP, REMINDER; did you mean OTP?",
    ],
    ["an enum value of another field", { enum: ["OTP", "REMINDER"] }, "carrots", "one of OTP, REMINDER"],
    ["a fraction for an integer", { type: "integer", minimum: 1, maximum: 500 }, "1.5", "an integer from 1 to 500"],
    ["an integer out of its range", { type: "integer", minimum: 1, maximum: 500 }, "501", "an integer from 1 to 500"],
    ["an integer past int32", { type: "integer", format: "int32" }, "2147483648", "an integer of at most 2147483647"],
    [
      "an integer that a number cannot hold exactly",
      { type: "integer", format: "int64", minimum: 0 },
      "9007199254740992",
      "an integer from 0 to 9007199254740991",
    ],
    [
      "a negative integer that a number cannot hold exactly",
      { type: "integer" },
      "-9007199254740992",
      "an integer of at least -9007199254740991",
    ],
    ["a hexadecimal integer", { type: "integer" }, "0x10", "an integer"],
    ["an empty number", { type: "number" }, "", "a number"],
    ["an infinite number", { type: "number", minimum: 0 }, "Infinity", "a number of at least 0"],
    ["a boolean other than true or false", { type: "boolean" }, "yes", "true or false"],
    ["broken JSON", { type: "json" }, "{", 'JSON, such as {"name": "value"}'],
    ["a day that does not exist", { format: "date" }, "2025-02-30", "a calendar date, such as 2026-01-31"],
    ["a date with a time", { format: "date" }, "2025-02-03T00:00:00Z", "a calendar date, such as 2026-01-31"],
    [
      "an instant without offset",
      { format: "date-time" },
      "2025-01-31T08:00:00",
      "a time with its offset, such as 2026-01-31T08:00:00Z",
    ],
    ["an email address without domain", { format: "email" }, "mara@", "an email address, such as mara@example.com"],
    ["a relative URL", { format: "uri" }, "/path", "an absolute URL, such as https://example.com/path"],
    [
      "an offset for a time zone",
      { format: "iana-timezone" },
      "+02:00",
      "an IANA time zone name, such as America/New_York",
    ],
    [
      "an ambiguous abbreviation for a time zone",
      { format: "iana-timezone" },
      "BST",
      "an IANA time zone name, such as America/New_York",
    ],
    [
      "an unknown time zone",
      { format: "iana-timezone" },
      "Mars/Olympus",
      "an IANA time zone name, such as America/New_York",
    ],
    [
      "text that does not match the pattern",
      { pattern: "^[a-z]+$", example: "north" },
      "N1",
      "text that matches ^[a-z]+$, such as north",
    ],
    ["text that is too short", { minLength: 4 }, "🦊🦊", "at least 4 characters"],
    ["empty text", { minLength: 1 }, "", "some text"],
    ["text that is too long", { maxLength: 3 }, "abcd", "at most 3 characters, not 4"],
  ])("%s", (_, input, text, message) => {
    expect(expectation(input, text)).toBe(message);
  });
});
