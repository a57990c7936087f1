import { expect, it } from "vitest";
import { toVisible } from "./visible-text.ts";

it.each([
  ["plain, ünïcode 👋🏽 שלום", "plain, ünïcode 👋🏽 שלום"],
  ["two\nlines\tand a tab", "two\nlines\tand a tab"],
  ["a\u202eb", "a‹U+202E›b"],
  ["\u001b[31mred\u0000", "‹U+001B›[31mred‹U+0000›"],
  ["\u009b1m\u2066x\u2069", "‹U+009B›1m‹U+2066›x‹U+2069›"],
  ["a\r\nb", "a‹U+000D›\nb"],
])("toVisible() shows %j as %j", (text, shown) => {
  expect(toVisible(text)).toBe(shown);
});
