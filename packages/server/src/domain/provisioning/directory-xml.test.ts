import { describe, expect, it } from "vitest";
import { escapeXml, isXmlText } from "./rules.ts";

describe("escapeXml", () => {
  it.each([
    [`<a b="c" d='e'>&amp;`, "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;amp;"],
    ["a\tb\nc\r", "a&#9;b&#10;c&#13;"],
    ["\0\u0001\b\u001F", ""],
    ["\uFFFE\uFFFF", ""],
    ["a\uD800b\uDC00c", "abc"],
    ["😀é\u0085\u{10FFFF}", "😀é\u0085\u{10FFFF}"],
  ])("turns %j into %j", (text, expected) => {
    expect(escapeXml(text)).toBe(expected);
  });
});

it.each([
  ["plain é 😀\t", true],
  ["\u0000", false],
  ["\uDFFF", false],
  ["\uFFFF", false],
])("isXmlText returns for %j: %s", (text, expected) => {
  expect(isXmlText(text)).toBe(expected);
  expect(isXmlText(text)).toBe(expected);
});
