import { expect, it } from "vitest";
import { displayWidth, pad, truncate } from "./width.ts";

it.each([
  ["", 0],
  ["plain", 5],
  ["é", 1],
  ["e\u0301", 1],
  ["日本", 4],
  ["한글", 4],
  ["🦊", 2],
  ["👩‍👩‍👧‍👦", 2],
  ["❤️", 2],
  ["ｗｉｄｅ", 8],
])("measures %j as %i", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

it.each([
  ["abcdef", 6, "abcdef"],
  ["abcdef", 5, "abcd…"],
  ["日本語", 5, "日本…"],
  ["日本語", 4, "日…"],
])("cuts %j to %i", (text, width, cut) => {
  expect(truncate(text, width)).toBe(cut);
});

it("pads by width, not by length", () => {
  expect(pad("日", 4)).toBe("日  ");
});
