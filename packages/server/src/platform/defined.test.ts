import { expect, it } from "vitest";
import { defined } from "./defined.ts";

it("defined() omits undefined members, and keeps null, false, zero and empty texts", () => {
  const members = { a: 1, b: undefined, c: null, d: false, e: 0, f: "" };
  expect(Object.entries(defined(members))).toEqual([
    ["a", 1],
    ["c", null],
    ["d", false],
    ["e", 0],
    ["f", ""],
  ]);
});

it("the type of defined() makes members optional that may be undefined", () => {
  const given: { needed: string; perhaps: number | undefined } = { needed: "a", perhaps: undefined };
  const kept: { needed: string; perhaps?: number } = defined(given);
  expect(kept).toEqual({ needed: "a" });
});
