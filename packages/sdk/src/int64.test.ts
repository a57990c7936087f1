import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { parseJson, stringifyJson } from "./int64.ts";

const MOST = 2n ** 53n - 1n;

/** Parses JSON by recursive descent, each whole number through a bigint: shares no step with the tested code. */
function oracle(text: string): unknown {
  let at = 0;
  const blank = () => {
    while (at < text.length && " \n\r\t".includes(text.charAt(at))) at += 1;
  };
  const string = (): string => {
    const units: number[] = [];
    for (at += 1; text.charAt(at) !== '"'; at += 1) {
      if (text.charAt(at) !== "\\") {
        units.push(text.charCodeAt(at));
        continue;
      }
      at += 1;
      const escaped = text.charAt(at);
      const plain: Record<string, number> = { b: 8, f: 12, n: 10, r: 13, t: 9 };
      units.push(
        escaped === "u" ? Number.parseInt(text.slice(at + 1, at + 5), 16) : (plain[escaped] ?? text.charCodeAt(at)),
      );
      if (escaped === "u") at += 4;
    }
    at += 1;
    return units.map((unit) => String.fromCharCode(unit)).join("");
  };
  const number = (): number | bigint => {
    let token = "";
    for (; at < text.length && "+-.eE0123456789".includes(text.charAt(at)); at += 1) token += text.charAt(at);
    if (/[.eE]/.test(token) || token === "-0") return Number.parseFloat(token);
    const whole = BigInt(token);
    return whole > MOST || whole < -MOST ? whole : Number(whole);
  };
  const value = (): unknown => {
    blank();
    const first = text.charAt(at);
    if (first === '"') return string();
    if (first === "[") {
      const list: unknown[] = [];
      for (at += 1, blank(); text.charAt(at) !== "]"; blank()) {
        if (text.charAt(at) === ",") at += 1;
        list.push(value());
      }
      at += 1;
      return list;
    }
    if (first === "{") {
      const entries = new Map<string, unknown>();
      for (at += 1, blank(); text.charAt(at) !== "}"; blank()) {
        if (text.charAt(at) === ",") at += 1;
        blank();
        const key = string();
        blank();
        at += 1;
        entries.set(key, value());
      }
      at += 1;
      return Object.fromEntries(entries);
    }
    for (const [word, meaning] of [
      ["null", null],
      ["true", true],
      ["false", false],
    ] as const)
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    return number();
  };
  return value();
}

/** A value in full: order of keys, own `__proto__`, sign of zero, and bigints. */
function show(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (Object.is(value, -0)) return "-0";
  if (Array.isArray(value)) return `[${value.map(show).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? String(value);
  const entries = Object.entries(value).map(([key, held]) => `${JSON.stringify(key)}:${show(held)}`);
  return `${Object.getPrototypeOf(value) === Object.prototype ? "" : "!"}{${entries.join()}}`;
}

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength, maxLength });

const wholeToken = fc.oneof(
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
  fc
    .tuple(
      fc.constantFrom(2n ** 53n, -(2n ** 53n), 2n ** 63n, -(2n ** 63n), 10n ** 15n, 10n ** 16n),
      fc.bigInt({ min: -2n, max: 2n }),
    )
    .map(([edge, step]) => String(edge + step)),
  fc.tuple(fc.constantFrom("", "-"), digits(40, 40)).map(([sign, text]) => `${sign}9${text}`),
  fc.constantFrom("0", "-0", "-1", "999999999999999", "9007199254740991", "-9007199254740992"),
);
const numberToken = fc.oneof(
  { weight: 3, arbitrary: wholeToken },
  { weight: 1, arbitrary: fc.tuple(wholeToken, digits(1, 30)).map(([whole, part]) => `${whole}.${part}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        wholeToken,
        fc.constantFrom("", ".0", ".9007199254740993"),
        fc.constantFrom("e", "E"),
        fc.constantFrom("0", "+2", "-16", "00000000000000001", "400"),
      )
      .map((parts) => parts.join("")),
  },
);
/** JSON strings made of pieces that a scanner could take for an end or for a number. */
const textToken = fc
  .array(
    fc.oneof(
      wholeToken,
      fc.constantFrom(
        "\\\\",
        '\\"',
        "\\u0022",
        "\\u005c",
        "\\ud83d",
        "\\n",
        "\\/",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        " ",
        "n",
        "-",
        ".",
        "é",
        "😀",
        "\u2028",
        "int64:",
        "__proto__",
      ),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => `"${pieces.join("")}"`);
const keyToken = fc.oneof(
  textToken,
  fc.constantFrom('"__proto__"', '"\\u005f_proto__"', '"constructor"', '"7"', '"1"', '"a"', '""'),
);
const blank = fc.constantFrom("", "", "", " ", "\n\t", "\n  \r");

const documentOf = (number: fc.Arbitrary<string>) =>
  fc.letrec<{ document: string }>((tie) => ({
    document: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(number, number, textToken, fc.constantFrom("true", "false", "null")),
      fc
        .tuple(fc.array(tie("document"), { maxLength: 5 }), blank)
        .map(([items, gap]) => `[${gap}${items.join(`${gap},${gap}`)}${gap}]`),
      fc
        .tuple(fc.array(fc.tuple(keyToken, tie("document")), { maxLength: 5 }), blank)
        .map(
          ([members, gap]) =>
            `{${gap}${members.map(([key, value]) => `${key}${gap}:${gap}${value}`).join(`,${gap}`)}${gap}}`,
        ),
    ),
  })).document;

const document = documentOf(numberToken);

describe("parse", () => {
  it.each([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740991", -9007199254740991],
    ["-9007199254740992", -9007199254740992n],
    ["9223372036854775807", 9223372036854775807n],
    ["-9223372036854775808", -9223372036854775808n],
    ["1234567890123456789012345678901234567890", 1234567890123456789012345678901234567890n],
    ["-0", -0],
    ["9007199254740993.0", 9007199254740992],
    ["9007199254740993e0", 9007199254740992],
    ["90071992547409930E-1", 9007199254740992],
    ["0.30000000000000004", 0.30000000000000004],
    ["1e400", Number.POSITIVE_INFINITY],
    ['"9007199254740993"', "9007199254740993"],
    ['" 9007199254740993"', " 9007199254740993"],
    ['["\\\\",9007199254740993]', ["\\", 9007199254740993n]],
    ['["\\",9007199254740993]"]', ['",9007199254740993]']],
    ['{" 9007199254740993":9007199254740993}', { " 9007199254740993": 9007199254740993n }],
    ['{"a":9007199254740993,"a":1}', { a: 1 }],
    ['{"a":{"b":9007199254740993},"a":{}}', { a: {} }],
  ])("reads %s", (text, value) => {
    expect(parseJson(text)).toStrictEqual(value);
  });

  it("returns the result of an exact reader", () => {
    let withBigint = 0;
    fc.assert(
      fc.property(document, blank, (body, gap) => {
        const text = gap + body + gap;
        const read = show(parseJson(text));
        expect(read).toBe(show(oracle(text)));
        if (read !== show(JSON.parse(text))) withBigint += 1;
      }),
      { numRuns: 3_000 },
    );
    expect(withBigint).toBeGreaterThan(300);
  });

  it("finds a number in any position", () => {
    for (let before = 0; before < 40; before++)
      for (const number of ["9007199254740993", "-123456789012345678901234567890"]) {
        const text = `[${"1,".repeat(before)}${" ".repeat(before % 3)}${number}]`;
        expect((parseJson(text) as unknown[]).at(-1)).toBe(BigInt(number));
      }
  });

  it("keeps `__proto__` a property like any other", () => {
    const read = parseJson('{"__proto__":{"isAdmin":9007199254740993}}') as { isAdmin?: unknown };
    expect(Object.keys(read)).toEqual(["__proto__"]);
    expect(read.isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it("refuses every text that JSON.parse refuses, with the same error", () => {
    const faulty = fc
      .tuple(document, fc.nat(), fc.constantFrom("", '"', "\\", ",", "0", "}"))
      .map(([text, at, put]) => {
        const place = at % text.length;
        return text.slice(0, place) + put + text.slice(place + 1);
      });
    let refused = 0;
    fc.assert(
      fc.property(faulty, (text) => {
        let error: unknown;
        try {
          JSON.parse(text);
        } catch (cause) {
          error = cause;
        }
        if (error === undefined) {
          expect(show(parseJson(text))).toBe(show(oracle(text)));
        } else {
          refused += 1;
          expect(() => parseJson(text)).toThrow(error as Error);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(refused).toBeGreaterThan(150);
  });

  it.each([
    "",
    "9007199254740993n",
    "09007199254740993",
    "+9007199254740993",
    "[9007199254740993,]",
    "\ufeff9007199254740993",
  ])("refuses %j", (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  // Each would take minutes if the work grew with the square of the text's length, or would exhaust the stack of a
  // recursive parser.
  it.each([
    ["quotes", `["${'\\"'.repeat(500_000)}",9007199254740993]`],
    ["backslashes", `["${"\\\\".repeat(500_000)}",9007199254740993]`],
    ["digits in a text", `[" ${"1".repeat(1_000_000)}",9007199254740993]`],
    ["numbers one digit too short to be unsafe", `[${"123456789012345,".repeat(200_000)}9007199254740993]`],
    ["empty texts", `[${'"",'.repeat(500_000)}9007199254740993]`],
    ["deep nesting", `${"[".repeat(200_000)}9007199254740993${"]".repeat(200_000)}`],
  ])("is not slowed by %s", (_, text) => {
    let read = parseJson(text);
    while (Array.isArray(read)) read = read.at(-1);
    expect(read).toBe(9007199254740993n);
  });
});

describe("stringify", () => {
  const patched = BigInt.prototype as { toJSON?: () => string };
  afterEach(() => {
    delete patched.toJSON;
  });

  const circle: Record<string, unknown> = { count: 1n };
  circle.self = circle;

  it.each([
    ["a bigint", 9223372036854775807n, "9223372036854775807"],
    ["small bigints", { a: [5n, -5n, 0n] }, '{"a":[5,-5,0]}'],
    ["values that JSON drops", { a: undefined, b: [undefined, () => 1n], c: 1n }, '{"b":[null,null],"c":1}'],
    ["toJSON beside a bigint", { at: new Date(0), n: 1n }, '{"at":"1970-01-01T00:00:00.000Z","n":1}'],
    [
      "toJSON that returns an object with a bigint",
      { toJSON: () => ({ n: 9007199254740993n }) },
      '{"n":9007199254740993}',
    ],
    ["toJSON that returns a bigint", [{ toJSON: () => 7n }], "[7]"],
    [
      "a text that looks like the internal mark",
      ["int64:5", 5n, 'a"int64:6"', "int64:int64:7"],
      '["int64:5",5,"a\\"int64:6\\"","int64:int64:7"]',
    ],
    ["a key that looks like the internal mark", { "int64:5": 5n, '"int64:6"': 1 }, '{"int64:5":5,"\\"int64:6\\"":1}'],
    ["values without a bigint", { a: "int64:5", b: [1.5, null] }, '{"a":"int64:5","b":[1.5,null]}'],
    ["digits in a text", ["9007199254740993", 9007199254740993n], '["9007199254740993",9007199254740993]'],
  ])("writes %s", (_, value, text) => {
    expect(stringifyJson(value)).toBe(text);
    // An application's own patch of BigInt has no effect.
    patched.toJSON = () => "patched";
    expect(stringifyJson(value)).toBe(text);
  });

  it.each([
    ["a value that contains itself", circle, /circular/],
    [
      "toJSON that throws",
      {
        n: 1n,
        toJSON: () => {
          throw new TypeError("no JSON of this");
        },
      },
      /no JSON of this/,
    ],
  ])("throws for %s", (_, value, message) => {
    expect(() => stringifyJson(value)).toThrow(message);
  });

  it("leaves BigInt unchanged", () => {
    stringifyJson([1n]);
    expect("toJSON" in BigInt.prototype).toBe(false);
  });

  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom("int64:", '"', "\\", "5", "-", ",", "n"), { maxLength: 8 })
      .map((pieces) => pieces.join("")),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.bigInt(), fc.bigInt(), text, fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(text, tie("value"), { maxKeys: 5 }),
    ),
  }));

  /** Writes the values that `value` generates. */
  function written(held: unknown): string {
    if (typeof held === "bigint") return String(held);
    if (Array.isArray(held)) return `[${held.map(written).join()}]`;
    if (typeof held !== "object" || held === null) return JSON.stringify(held);
    return `{${Object.entries(held)
      .map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`)
      .join()}}`;
  }

  it("writes the output of an exact writer", () => {
    fc.assert(
      fc.property(value, (held) => {
        expect(stringifyJson(held)).toBe(written(held));
      }),
      { numRuns: 3_000 },
    );
  });

  it("writes parsed JSON so that it parses to the same value", () => {
    // A double beyond 2^53 is written without a fraction, and -0 as 0: neither matches the input.
    const whole = wholeToken.map((token) => (token === "-0" ? "0" : token));
    fc.assert(
      fc.property(documentOf(whole), (body) => {
        const read = parseJson(body);
        expect(show(parseJson(stringifyJson(read)))).toBe(show(read));
      }),
      { numRuns: 3_000 },
    );
  });
});
