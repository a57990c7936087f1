import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { idempotencyKeyOf } from "../idempotency-key.ts";
import { contentKeys, type KeySource, stateKeys } from "./row-keys.ts";

const row = { to: "+12025550100", message: "Hello" };
const rowDigest = "e46c3d1fef046ae5e382381eb02fc3f0";
const printable = (from: string) =>
  fc.string({
    unit: fc.integer({ min: from.charCodeAt(0), max: 126 }).map((code) => String.fromCharCode(code)),
    maxLength: 207,
  });
const prefix = fc
  .tuple(fc.integer({ min: 33, max: 126 }), printable(" "))
  .map(([first, rest]) => String.fromCharCode(first) + rest);

describe("keys from a prefix", () => {
  it("consist of the prefix, the key format, a digest of the row and the number of earlier equal rows", async () => {
    const { keyOf, keyPrefix } = contentKeys({ keyPrefix: "import 7" }, "sendSms");
    const keys = [];
    for (const index of [7, 8, 41]) keys.push(await keyOf(undefined, index, row));
    expect(keyPrefix).toBe("import 7");
    expect(keys).toEqual([0, 1, 2].map((ordinal) => `import 7-r1-${rowDigest}-${ordinal}`));
  });

  it("are valid keys, whatever the prefix", async () => {
    await fc.assert(
      fc.asyncProperty(prefix, async (keyPrefix) => {
        const key = await contentKeys({ keyPrefix }, "sendSms").keyOf(undefined, 0, row);
        expect(key.startsWith(keyPrefix)).toBe(true);
        expect(idempotencyKeyOf("POST", key)).toBe(key);
      }),
    );
  });

  it("are new if no prefix is given, and begin with the time", () => {
    const before = Date.now();
    const prefixes = [contentKeys({}, "sendSms"), contentKeys({}, "sendSms")].map(({ keyPrefix }) => keyPrefix ?? "");
    expect(new Set(prefixes).size).toBe(2);
    for (const keyPrefix of prefixes) {
      expect(keyPrefix).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(keyPrefix.slice(0, 13).replace("-", ""), 16)).toBeGreaterThanOrEqual(before);
    }
  });

  it.each<[string, unknown]>([
    ['""', ""],
    ['" x"', " x"],
    ['"ключ"', "ключ"],
    ['"line\\nbreak"', "line\nbreak"],
    [`"${"x".repeat(209)}"`, "x".repeat(209)],
    ["null", null],
    ["NaN", Number.NaN],
    ["20261121", 20_261_121],
    ["of type object", { id: 1 }],
    ["of type object", ["march"]],
  ])("cannot be made from the prefix %s", (said, given) => {
    const start = () => contentKeys({ keyPrefix: given as string }, "sendSms");
    expect(start).toThrow(UsageError);
    expect(start).toThrow(
      `keyPrefix is ${said}. It must be text of 1 to 208 printable ASCII characters, the first no space. `,
    );
    expect(start).toThrow(/Store one for each campaign, such as/);
  });
});

describe("keys of rows that set a state", () => {
  it("belong to one run only", async () => {
    const runs = [stateKeys({}), stateKeys({})];
    const keys = runs.flatMap(({ keyOf }) => [0, 1].map((index) => keyOf(row, index, row)));
    expect(new Set(keys).size).toBe(4);
    for (const { keyPrefix } of runs) expect(keyPrefix).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['"march"', "march"],
    ["null", null],
  ])("cannot be made from the prefix %s", (said, keyPrefix) => {
    expect(() => stateKeys({ keyPrefix } as KeySource<object>)).toThrow(
      new UsageError(
        `keyPrefix is ${said}. Leave it out: each run records its rows again. If the rows have ids, give ` +
          "idempotencyKey.",
      ),
    );
  });
});

const kinds = [
  ["sends", <Row>(given: KeySource<Row>) => contentKeys(given, "sendSms")],
  ["rows that set a state", <Row>(given: KeySource<Row>) => stateKeys(given)],
] as const;

describe.each(kinds)("keys of %s from a function", (_, keysOf) => {
  it("are its return values", () => {
    const { keyOf, keyPrefix } = keysOf<{ id: string }>({ idempotencyKey: ({ id }, index) => `${id}/${index}` });
    expect([keyPrefix, keyOf({ id: "o-1" }, 3, {})]).toEqual([undefined, "o-1/3"]);
  });

  it("cannot be made if the function throws, and the error names the row", () => {
    const cause = new Error("no id");
    const { keyOf } = keysOf({
      idempotencyKey: () => {
        throw cause;
      },
    });
    const refused = expect.objectContaining({ name: "UsageError", message: "idempotencyKey threw for row 3: no id" });
    expect(() => keyOf(undefined, 3, {})).toThrow(refused);
    expect(() => keyOf(undefined, 3, {})).toThrow(expect.objectContaining({ cause }));
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["7", 7],
    ["NaN", Number.NaN],
    ["of type object", { id: 1 }],
    ["of type object", Promise.resolve("o-1")],
  ])("cannot be %s, under which no later run would find the row", (said, given) => {
    const { keyOf } = keysOf({ idempotencyKey: () => given as string });
    expect(() => keyOf(undefined, 3, {})).toThrow(
      `idempotencyKey gave ${said} for row 3. It must give a text, such as an order's id.`,
    );
  });

  it.each<[string, unknown]>([
    ['"k1"', "k1"],
    ["null", null],
  ])("cannot be made by %s in place of a function", (said, given) => {
    expect(() => keysOf({ idempotencyKey: given as () => string })).toThrow(
      `idempotencyKey is ${said}. It must be a function that gives each row's key.`,
    );
  });
});

it("a prefix and a function are refused together", () => {
  expect(() => contentKeys({ keyPrefix: "x", idempotencyKey: () => "y" }, "sendSms")).toThrow(UsageError);
});
