import { expect, it } from "vitest";
import { COLOURED } from "./style.ts";
import { wrap } from "./wrap.ts";

it("breaks between words, and indents continuation lines", () => {
  expect(wrap("one two three four", 9, "  ")).toEqual(["one two", "  three", "  four"]);
});

it("keeps all spaces, and words that are longer than a line", () => {
  expect(wrap('received "a   b"', 80, "  ")).toEqual(['received "a   b"']);
  expect(wrap("a word-that-is-too-long b", 6, "")).toEqual(["a", "word-that-is-too-long", "b"]);
});

it("keeps a command in one piece", () => {
  expect(wrap("Run it: `msgctl send sms --help`. Then look.", 20, "  ")).toEqual([
    ...["Run it:", "  `msgctl send sms --help`.", "  Then look."],
  ]);
  expect(wrap("a ` b", 3, "")).toEqual(["a", "` b"]);
});

it("measures the visible width", () => {
  expect(wrap(`${COLOURED.red("error:")} 日本 b`, 11, "")).toEqual([`${COLOURED.red("error:")} 日本`, "b"]);
});
