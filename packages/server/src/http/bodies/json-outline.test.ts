import { operations } from "@msgctl/contract";
import { schemas } from "@msgctl/contract/schemas";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SchemaNode } from "../validation/inspection.ts";
import { MOST_VALUES } from "./body.ts";
import { anyNumber, JsonOutline, mayLoseFraction, outlineJson, type ValueCounts } from "./json-outline.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Pointers to the integers of a value. */
function integersOf({ $ref, type, properties = {}, items, oneOf = [] }: SchemaNode, pointer = ""): string[] {
  if ($ref !== undefined) {
    return integersOf((schemas as Readonly<Record<string, SchemaNode>>)[$ref.slice(0, -"#".length)] ?? {}, pointer);
  }
  return [
    ...([type].flat().includes("integer") ? [pointer] : []),
    ...Object.entries(properties).flatMap(([name, schema]) => integersOf(schema, `${pointer}/${name}`)),
    ...oneOf.flatMap((schema) => integersOf(schema, pointer)),
    ...(items === undefined ? [] : integersOf(items, `${pointer}/0`)),
  ];
}

/** The most values that a body of the schema has. */
function mostOf({ $ref, properties, items, maxItems = 0, oneOf = [] }: SchemaNode): ValueCounts {
  if ($ref !== undefined) {
    return mostOf((schemas as Readonly<Record<string, SchemaNode>>)[$ref.slice(0, -"#".length)] ?? {});
  }
  const parts = [...Object.values(properties ?? {}), ...oneOf].map(mostOf);
  const item = items === undefined ? { items: 0, members: 0 } : mostOf(items);
  const sum = (of: keyof ValueCounts) => parts.reduce((all, part) => all + part[of], 0) + maxItems * item[of];
  return {
    items: sum("items") + (items === undefined ? 0 : 1 + maxItems),
    members: sum("members") + (properties === undefined ? 0 : 1 + Object.keys(properties).length),
  };
}

describe("the outline of a body", () => {
  it("has room for the largest of the contract", () => {
    const bodies = Object.values(operations).flatMap(({ bodySchema }) => bodySchema ?? []);
    const largest = bodies.map((name) => mostOf({ $ref: `${name}#` }));
    expect(Math.max(...largest.map(({ items }) => items))).toBeGreaterThan(10_000);
    for (const { items, members } of largest) {
      expect(items).toBeLessThan(MOST_VALUES.items);
      expect(members).toBeLessThan(MOST_VALUES.members);
    }
  });

  it.each([
    ['{"a":[1.00000000000000000001,{"b":1e-400}],"b/c":1e-400,"\\u0064":1e-400}', ["/b~1c", "/d"]],
    ['{"1.00000000000000000001":"1.00000000000000000001","\\"{[":1e-999}', ['/"{[']],
    ["9007199254740991.5", [""]],
    ['{"a":true,"b":null,"c":-1.5e300}', []],
    ['{"a', []],
    ['}]},1"\\', []],
  ])("of %s finds the fractions that are lost", (text, pointers) => {
    expect([...outlineJson(text).lostFractions.keys()]).toEqual(pointers);
    if (pointers.length > 0) expect(mayLoseFraction(text)).toBe(true);
  });

  const lost = "1.00000000000000000001";
  const manyLost = Array(5_000).fill(lost).join();

  it.each([
    ["under a long name", `{"${"x".repeat(1_000)}":[${manyLost}]}`],
    ["under names in each other", `${'{"a":'.repeat(6)}[${manyLost}]${"}".repeat(6)}`],
    ["in lists in each other", `${"[".repeat(6)}${manyLost}${"]".repeat(6)}`],
  ])("reads no name for fractions further down than any integer is, such as 5 000 %s", (_case, text) => {
    const read = vi.spyOn(JSON, "parse");
    expect(outlineJson(text).lostFractions.size).toBe(0);
    expect(read).not.toHaveBeenCalled();
  });

  it("reads each name once, however many members and fractions there are", () => {
    const members = Array.from({ length: 5_000 }, (_, index) => `"${index}":${lost}`);
    const read = vi.spyOn(JSON, "parse");
    expect(outlineJson(`{${members}}`).lostFractions.size).toBe(5_000);
    expect(read).toHaveBeenCalledTimes(5_000);
  });

  it("reaches each integer that the contract has in a body", () => {
    const integers = Object.values(operations).flatMap(({ bodySchema }) =>
      bodySchema === null ? [] : integersOf({ $ref: `${bodySchema}#` }),
    );
    expect(integers).toContain("/smsLimit");
    for (const pointer of integers) {
      const [, ...names] = pointer.split("/");
      const text = names.reduceRight((value, name) => `{"before":[{}],"${name}":${value}}`, lost);
      expect([...outlineJson(text).lostFractions.keys()]).toEqual([pointer]);
    }
  });

  it.each([
    ["items", '{"a":[1,2,3,4,5,6,7],"b":1.00000000000000000001}', "/a"],
    ["members", '{"c":[{"a":1,"b":2,"c":3},{"a":1,"b":2,"c":3}],"b":1.00000000000000000001}', "/c/1"],
    ["lists", "[[[[[[[[[[[[1.00000000000000000001]]]]]]]]]]]]", ""],
    ["objects", '{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}},"b":1.00000000000000000001}', ""],
  ])("finds where too many %s are, and reads no further", (_values, text, crowded) => {
    const outline = outlineJson(text, { items: 6, members: 6 });
    expect(outline.crowded).toBe(crowded);
    expect(outline.lostFractions.size).toBe(0);
  });

  it("is the same however the text is cut", () => {
    const text = `{"a\\\\":"\\"9007199254740991.5","\\"b":-9007199254740991.5e0,"c":[1e-400,{}],"d":1e-400,"😀":1e-400}`;
    const whole = [...outlineJson(text).lostFractions];
    expect(whole.map(([pointer]) => pointer)).toEqual(['/"b', "/d", "/😀"]);
    for (let length = 1; length < text.length; length++) {
      const outline = new JsonOutline(anyNumber);
      for (let start = 0; start < text.length; start += length) outline.read(text.slice(start, start + length));
      outline.end();
      expect([...outline.lostFractions]).toEqual(whole);
    }
  });

  it("is asked for by few bodies", () => {
    const texts = [
      '{"merchantId":"m1","to":"+12025550100","type":"OTP","message":"Your code is 123456."}',
      '{"idempotencyKey":"5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283"}',
      '{"a":1.25e-7}',
    ];
    expect(texts.map(mayLoseFraction)).toEqual([false, false, false]);
  });
});
