import { expect, it } from "vitest";
import { defined } from "./defined.ts";

it("leaves out what is undefined, and keeps what is null, false, zero or empty", () => {
  const members = { a: 1, b: undefined, c: null, d: false, e: 0, f: "" };
  expect(Object.entries(defined(members))).toEqual([
    ["a", 1],
    ["c", null],
    ["d", false],
    ["e", 0],
    ["f", ""],
  ]);
});

it("makes optional members of those that may be undefined", () => {
  const given: { needed: string; perhaps: number | undefined } = { needed: "a", perhaps: undefined };
  const kept: { needed: string; perhaps?: number } = defined(given);
  expect(kept).toEqual({ needed: "a" });
});
