import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { idempotencyKeyOf } from "../idempotency-key.ts";
import { rowKeys } from "./row-keys.ts";

const printable = (from: string) =>
  fc.string({
    unit: fc.integer({ min: from.charCodeAt(0), max: 126 }).map((code) => String.fromCharCode(code)),
    maxLength: 237,
  });
const prefix = fc
  .tuple(fc.integer({ min: 33, max: 126 }), printable(" "))
  .map(([first, rest]) => String.fromCharCode(first) + rest);

describe("keys from a prefix", () => {
  it("name the row", () => {
    const { keyOf, keyPrefix } = rowKeys({ keyPrefix: "import 7" });
    expect([keyPrefix, keyOf(undefined, 0), keyOf(undefined, 41)]).toEqual([
      "import 7",
      "import 7-000000000",
      "import 7-000000041",
    ]);
  });

  it("sort as the rows do, differ, and can be sent, for every prefix", () => {
    const index = fc.integer({ min: 0, max: 999_999_999 });
    fc.assert(
      fc.property(prefix, index, index, (keyPrefix, one, other) => {
        const { keyOf } = rowKeys({ keyPrefix });
        const [key, otherKey] = [keyOf(undefined, one), keyOf(undefined, other)];
        expect(Math.sign(key < otherKey ? -1 : key > otherKey ? 1 : 0)).toBe(Math.sign(one - other));
        expect(idempotencyKeyOf("POST", key)).toBe(key);
      }),
    );
  });

  it("have room for the last row there can be", () => {
    const key = rowKeys({ keyPrefix: "x".repeat(238) }).keyOf(undefined, Number.MAX_SAFE_INTEGER);
    expect(key).toHaveLength(255);
  });

  it("are fresh where none is given, and begin with the time", () => {
    const before = Date.now();
    const prefixes = [rowKeys({}), rowKeys({})].map(({ keyPrefix }) => keyPrefix ?? "");
    expect(new Set(prefixes).size).toBe(2);
    for (const keyPrefix of prefixes) {
      expect(keyPrefix).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(keyPrefix.slice(0, 13).replace("-", ""), 16)).toBeGreaterThanOrEqual(before);
    }
  });

  it.each(["", " x", "ключ", "line\nbreak", "x".repeat(239)])("refuse %o", (keyPrefix) => {
    expect(() => rowKeys({ keyPrefix })).toThrow(UsageError);
    expect(() => rowKeys({ keyPrefix })).toThrow(/^keyPrefix is ".*It must be 1 to 238 printable ASCII/);
  });
});

describe("keys from a function", () => {
  it("are what it gives", () => {
    const { keyOf, keyPrefix } = rowKeys<{ id: string }>({ idempotencyKey: ({ id }, index) => `${id}/${index}` });
    expect([keyPrefix, keyOf({ id: "o-1" }, 3)]).toEqual([undefined, "o-1/3"]);
  });

  it("refuse what it throws, and say for which row", () => {
    const cause = new Error("no id");
    const { keyOf } = rowKeys({
      idempotencyKey: () => {
        throw cause;
      },
    });
    const refused = expect.objectContaining({ name: "UsageError", message: "idempotencyKey threw for row 3: no id" });
    expect(() => keyOf(undefined, 3)).toThrow(refused);
    expect(() => keyOf(undefined, 3)).toThrow(expect.objectContaining({ cause }));
  });

  it.each([undefined, null, 7])("refuse %s, under which no later run would find the row", (given) => {
    const { keyOf } = rowKeys({ idempotencyKey: () => given as unknown as string });
    expect(() => keyOf(undefined, 3)).toThrow(`idempotencyKey gave ${given} for row 3. It must give a text`);
  });

  it("are not mixed with a prefix", () => {
    expect(() => rowKeys({ keyPrefix: "x", idempotencyKey: () => "y" })).toThrow(UsageError);
  });
});
