import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

describe("canonicalJson", () => {
  it.each([
    [{ b: 1, a: [{ d: null, c: "x" }] }, '{"a":[{"c":"x","d":null}],"b":1}'],
    [{ a: undefined, b: [undefined] }, '{"b":[null]}'],
    [undefined, "null"],
    ["é\\n", '"é\\\\n"'],
  ])("writes %j as %s", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it("keeps a member named __proto__", () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  it("gives one text for one value, and another for another", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, reversed(member)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(canonicalJson(reversed(one))).toBe(canonicalJson(one));
        const areEqual =
          JSON.stringify(JSON.parse(canonicalJson(one))) === JSON.stringify(JSON.parse(canonicalJson(other)));
        expect(canonicalJson(one) === canonicalJson(other)).toBe(areEqual);
      }),
    );
  });
});
