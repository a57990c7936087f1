import { expect, it } from "vitest";
import { defined } from "./defined.ts";

it("omits undefined members, and keeps null, false, zero and empty texts", () => {
  const members = { a: 1, b: undefined, c: null, d: false, e: 0, f: "" };
  expect(Object.entries(defined(members))).toEqual([
    ["a", 1],
    ["c", null],
    ["d", false],
    ["e", 0],
    ["f", ""],
  ]);
});

it("makes members that may be undefined optional", () => {
  const given: { needed: string; perhaps: number | undefined } = { needed: "a", perhaps: undefined };
  const kept: { needed: string; perhaps?: number } = defined(given);
  expect(kept).toEqual({ needed: "a" });
});
