import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSearch, SEARCH_MAX_CONDITIONS, SEARCH_MAX_LENGTH, wordsOf } from "./search-language.ts";

const surroundings = { now: Date.parse("2026-11-24T12:00:00Z"), timezone: "America/New_York" };
const read = (text: string) => parseSearch(text, surroundings);
const conditionsOf = (text: string) => {
  const result = read(text);
  return "search" in result ? result.search.conditions : result;
};
const faultsOf = (text: string) => {
  const result = read(text);
  return "faults" in result ? result.faults.map(({ start, end, detail }) => [text.slice(start, end), detail]) : [];
};

describe("a search", () => {
  it("combines conditions with AND", () => {
    expect(read('to:+1202 status:failed reason:blocked merchant:m1 -type:otp channel:SMS "exact words" hello')).toEqual(
      {
        search: {
          conditions: [
            { about: "to", isNot: false, value: "+1202" },
            { about: "status", isNot: false, value: "FAILED" },
            { about: "reason", isNot: false, value: "BLOCKED" },
            { about: "merchant", isNot: false, value: "m1" },
            { about: "type", isNot: true, value: "OTP" },
            { about: "channel", isNot: false, value: "SMS" },
            { about: "text", isNot: false, words: ["exact", "words"] },
            { about: "text", isNot: false, words: ["hello"] },
          ],
          from: undefined,
          until: undefined,
        },
        addresses: [{ start: 0, end: 8, value: "+1202", isRewritten: false }],
      },
    );
  });

  it.each(["", "  \t "])("without words (%j) finds everything", (text) => {
    expect(read(text)).toEqual({ search: { conditions: [], from: undefined, until: undefined }, addresses: [] });
  });

  it("recognizes an id or an address, but not in quotation marks", () => {
    expect(conditionsOf("msg_01M85P6RN20000006YREF6M8TE +12025550100 Ann@Example.com")).toEqual([
      { about: "id", isNot: false, value: "msg_01M85P6RN20000006YREF6M8TE" },
      { about: "to", isNot: false, value: "+12025550100" },
      { about: "to", isNot: false, value: "ann@example.com" },
    ]);
    expect(conditionsOf('"Ann@Example.com"')).toEqual([
      { about: "text", isNot: false, words: ["ann", "example", "com"] },
    ]);
  });

  it("accepts names in any case, values in quotation marks, and texts with colons", () => {
    expect(conditionsOf('TO:"+1202" -"at: noon"')).toEqual([
      { about: "to", isNot: false, value: "+1202" },
      { about: "text", isNot: true, words: ["at", "noon"] },
    ]);
  });
});

describe("a number in a search", () => {
  const number = { about: "to", isNot: false, value: "+12025550150" };

  it.each([
    "+12025550150",
    "(202) 555-0150",
    "202-555-0150",
    "202.555.0150",
    "202 555 0150",
    "+1 202 555 0150",
    "+1 (202) 555-0150",
    "+1\u00a0202\u2011555\u20110150",
    "2025550150",
    "12025550150",
    "1-202-555-0150",
    "001 202 555 0150",
    "to:(202) 555-0150",
    "to:2025550150",
    'to:"(202) 555-0150"',
    "tel:+1-202-555-0150",
    "TEL:(202)555-0150",
  ])("is recognized in any notation: %s", (text) => {
    expect([conditionsOf(text), conditionsOf(`status:failed ${text} hello`)]).toEqual([
      [number],
      [{ about: "status", isNot: false, value: "FAILED" }, number, { about: "text", isNot: false, words: ["hello"] }],
    ]);
  });

  it("belongs to the country of the time zone if it has no country code", () => {
    const inZone = (text: string, timezone: string) => {
      const result = parseSearch(text, { ...surroundings, timezone });
      return "search" in result ? result.search.conditions : result.faults.map(({ detail }) => detail);
    };
    const to = (value: string) => [{ about: "to", isNot: false, value }];
    expect(inZone("020 7946 0018", "Europe/London")).toEqual(to("+442079460018"));
    expect(inZone("+44 (0)20 7946 0018", "Europe/Berlin")).toEqual(to("+442079460018"));
    expect(inZone("030/901820", "Europe/Berlin")).toEqual(to("+4930901820"));
    expect(inZone("(202) 555-0150", "America/Denver")).toEqual(to("+12025550150"));
    for (const text of ["(202) 555-0150", "2025550150", "to:202-555-0150", "12025550150"]) {
      expect(inZone(text, "UTC")).toEqual([
        `did you mean +12025550150? The country of ${text.replace("to:", "")} is not known; to search for it as text, use quotation marks`,
      ]);
    }
  });

  it("is returned with its position, and whether its notation was changed", () => {
    const text = "hello (202) 555-0150 -to:+12025550151 Ann@Example.com";
    const result = read(text);
    const addresses = "addresses" in result ? result.addresses : [];
    expect(addresses.map(({ start, end, ...rest }) => [text.slice(start, end), rest.value, rest.isRewritten])).toEqual([
      ["(202) 555-0150", "+12025550150", true],
      ["-to:+12025550151", "+12025550151", false],
      ["Ann@Example.com", "ann@example.com", false],
    ]);
  });

  it("may be incomplete if it starts with a country code", () => {
    expect(conditionsOf("+1 202 555")).toEqual([{ about: "to", isNot: false, value: "+1202555" }]);
    expect(conditionsOf("to:+1 (202)")).toEqual([{ about: "to", isNot: false, value: "+1202" }]);
    expect(conditionsOf("+12025550150 555")).toEqual([number, { about: "text", isNot: false, words: ["555"] }]);
  });

  it.each(["90210 2026", "2026-11-01", "12345678", "555-0150", "1234567890", "99 120 12", "1.234.567,89"])(
    "is searched for as text if it is %s",
    (text) => {
      const conditions = conditionsOf(text);
      expect(Array.isArray(conditions) && conditions.map(({ about }) => about)).toEqual(
        text.split(" ").map(() => "text"),
      );
    },
  );

  it("is searched for as text in quotation marks", () => {
    expect(conditionsOf('"2025550150"')).toEqual([{ about: "text", isNot: false, words: ["2025550150"] }]);
  });
});

describe("the time of a search", () => {
  it.each([
    ["after:2026-11-01", "2026-11-01T04:00:00.000Z", undefined],
    ["before:2026-11-02", undefined, "2026-11-02T05:00:00.000Z"],
    [
      "after:2026-11-01T09:30Z before:2026-11-01T09:30:15+01:00",
      "2026-11-01T09:30:00.000Z",
      "2026-11-01T08:30:15.000Z",
    ],
    ["after:90m", "2026-11-24T10:30:00.000Z", undefined],
    ["after:2026-11-01 after:1d before:1h before:2h", "2026-11-23T12:00:00.000Z", "2026-11-24T10:00:00.000Z"],
  ])("is parsed from %s", (text, from, until) => {
    const result = read(text);
    const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
    expect("search" in result && [iso(result.search.from), iso(result.search.until)]).toEqual([from, until]);
  });

  it.each(["2026-02-30", "2026-13-01", "1969-12-31", "2026-11-01T25:00Z", "yesterday", "2026-11-01T09:30"])(
    "cannot be %s",
    (value) => {
      expect(faultsOf(`after:${value}`)).toEqual([
        [
          `after:${value}`,
          `expected a day such as 2026-11-01, a time such as 2026-11-01T09:30:00Z, or how long ago, such as 90m or 7d, received ${value}`,
        ],
      ]);
    },
  );
});

describe("a term that cannot be parsed", () => {
  it.each([
    [
      "from:x",
      "expected channel:, status:, reason:, type:, merchant:, project:, to:, id:, after:, before: or a text, received from:; to search for it as text, use quotation marks",
    ],
    ["channel:fax", "expected channel: with one of SMS, VOICE, EMAIL, received fax"],
    ["to:", "expected a value after to:"],
    ['"your code', "expected a closing quotation mark"],
    ["merchant:a/b", "expected merchant: with a merchant's id, received a/b"],
    [
      "project:a/b",
      "expected project: with a label of 1 to 64 letters, digits, dots, underscores and hyphens, received a/b",
    ],
    ["-after:1d", "expected before: instead of -after:"],
    ["…", "expected at least one letter or digit"],
    ["-", "expected at least one letter or digit"],
  ])("is a fault with a specific message: %s", (text, detail) => {
    expect(faultsOf(`hello ${text}`)).toEqual([[text, detail]]);
  });

  it("is reported even if it has the name of a built-in property, such as constructor", () => {
    expect(faultsOf("constructor:x toString:x").map(([term]) => term)).toEqual(["constructor:x", "toString:x"]);
  });

  it("is reported together with all other faults", () => {
    expect(faultsOf("status:lost hello type:x").map(([term]) => term)).toEqual(["status:lost", "type:x"]);
  });

  it("is not the only kind of fault: a search that is too long or has too many conditions has one, too", () => {
    expect(faultsOf("x".repeat(SEARCH_MAX_LENGTH))).toEqual([]);
    expect(faultsOf("x".repeat(SEARCH_MAX_LENGTH + 1))).toHaveLength(1);
    expect(faultsOf("x ".repeat(SEARCH_MAX_CONDITIONS))).toEqual([]);
    expect(faultsOf("x ".repeat(SEARCH_MAX_CONDITIONS + 1))).toHaveLength(1);
  });

  it("is never ignored: every text yields faults, or conditions if it has words", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("to:", "-", '"', " ", "a", "status:failed", "\u{1f600}", "after:1d", ":")),
        (pieces) => {
          const text = pieces.join("");
          const result = read(text);
          if ("faults" in result)
            expect(result.faults.every(({ start, end }) => text.slice(start, end) !== "")).toBe(true);
          else
            expect(wordsOf(text).length === 0).toBe(
              result.search.conditions.length === 0 && result.search.from === undefined,
            );
        },
      ),
    );
  });
});

describe("words", () => {
  it("are letters and digits in lower case, in any script and form", () => {
    expect(wordsOf("Your CODE: 12-34 \u00dcber \u041f\u0440\u0438\u0432\u0435\u0442 \ufb01n")).toEqual([
      "your",
      "code",
      "12",
      "34",
      "\u00fcber",
      "\u043f\u0440\u0438\u0432\u0435\u0442",
      "fin",
    ]);
  });
});
