import { operations } from "@msgctl/contract";
import { schemas } from "@msgctl/contract/schemas";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SchemaNode } from "./inspection.ts";
import { mayLoseFraction, outlineJson } from "./json-outline.ts";

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

describe("the outline of a body", () => {
  it.each([
    ['{"a":[1.00000000000000000001,{"b":1e-400}],"b/c":1e-400,"\\u0064":1e-400}', ["/b~1c", "/d"]],
    ['{"1.00000000000000000001":"1.00000000000000000001","\\"{[":1e-999}', ['/"{[']],
    ["9007199254740991.5", [""]],
    ['{"a":true,"b":null,"c":-1.5e300}', []],
    ['{"a', []],
    ['}]},1"\\', []],
  ])("of %s finds the fractions that are lost", (text, pointers) => {
    expect([...outlineJson(text, 1_000).lostFractions.keys()]).toEqual(pointers);
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
    expect(outlineJson(text, 12_000).lostFractions.size).toBe(0);
    expect(read).not.toHaveBeenCalled();
  });

  it("reads each name once, however many members and fractions there are", () => {
    const members = Array.from({ length: 5_000 }, (_, index) => `"${index}":${lost}`);
    const read = vi.spyOn(JSON, "parse");
    expect(outlineJson(`{${members}}`, 12_000).lostFractions.size).toBe(5_000);
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
      expect([...outlineJson(text, 100).lostFractions.keys()]).toEqual([pointer]);
    }
  });

  it("finds where too much is, and reads no further", () => {
    expect(outlineJson('{"a":[1,2,3,4,5,6,1.00000000000000000001],"b":[]}', 5)).toEqual({
      crowded: "/a",
      lostFractions: new Map(),
    });
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
