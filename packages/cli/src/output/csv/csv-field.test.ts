import fc from "fast-check";
import { expect, it } from "vitest";
import { asBefore, harmless } from "./csv-field.ts";

const text = fc.string({
  unit: fc.constantFrom("'", "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "1", "a", " "),
});

it("escapes formulas, and restores the original text", () => {
  fc.assert(
    fc.property(text, (before) => {
      const written = harmless(before);
      expect(asBefore(written)).toBe(before);
      if (!/^[+-]\d+(\.\d+)?$/.test(before)) expect(written).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    }),
  );
});

it.each(["+12025550100", "-5", "+1.5", "a=1", "", "'", "'a"])("neither escapes nor unescapes %j", (plain) => {
  expect([harmless(plain), asBefore(plain)]).toEqual([plain, plain]);
});

it("does not unescape texts that the user typed into the file", () => {
  expect(asBefore("=typed")).toBe("=typed");
});
