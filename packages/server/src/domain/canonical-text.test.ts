import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalText } from "./unicode.ts";

describe("canonicalText", () => {
  it.each([
    [{ b: 1, a: [{ d: null, c: "x" }] }, "{2:1:a[1:{2:1:c1:x1:d=null;1:b=1;"],
    [[], "[0:"],
    [{}, "{0:"],
    [true, "=true;"],
    ["null", "4:null"],
    ["", "0:"],
  ])("writes %j as %s", (value, text) => {
    expect(canonicalText(value)).toBe(text);
  });

  it("keeps a member named __proto__", () => {
    expect(canonicalText(JSON.parse('{"__proto__":{"a":1}}'))).not.toBe(canonicalText({}));
  });

  it("writes equal values as the same text, and different values as different texts", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, reversed(member)]),
      );
    };
    // few short names and texts, so that different values are similar
    const { value: json } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>("", "1", "1:a", "=1;", "{", 0, 1, null, true, "true"),
        fc.array(tie("value"), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom("a", "b", "1:a"), tie("value"), { maxKeys: 2 }),
      ),
    }));
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(canonicalText(reversed(one))).toBe(canonicalText(one));
        expect(canonicalText(one) === canonicalText(other)).toBe(describeValue(one) === describeValue(other));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Test oracle: distinguishes lists from objects, and sorts members. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(describeValue).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${describeValue(member)}`);
  return `{${members.sort().join(",")}}`;
}
