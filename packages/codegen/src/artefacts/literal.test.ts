import { expect, it } from "vitest";
import { literal } from "./literal.ts";

it.each([
  [null, "null"],
  ['say "no"', '"say \\"no\\""'],
  [[], "[]"],
  [{}, "{}"],
  [[1, true], "[1, true]"],
  [{ plain: 1, "with-hyphen": 2, 404: 3, gone: undefined }, '{ 404: 3, plain: 1, "with-hyphen": 2 }'],
  [{ long: "x".repeat(100), next: [{ a: 1 }] }, `{\n  long: "${"x".repeat(100)}",\n  next: [{ a: 1 }],\n}`],
  [{ ["k".repeat(60)]: ["v".repeat(60)] }, `{\n  ${"k".repeat(60)}: [\n    "${"v".repeat(60)}",\n  ],\n}`],
])("writes %j as a TypeScript literal", (value, text) => {
  expect(literal(value)).toBe(text);
});
