import fc from "fast-check";
import { expect, it } from "vitest";
import { asBefore, harmless } from "./csv-field.ts";

const text = fc.string({
  unit: fc.constantFrom("'", "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "1", "a", " "),
});

it("formulas are escaped when written, and restored when read", () => {
  fc.assert(
    fc.property(text, (before) => {
      const written = harmless(before);
      expect(asBefore(written)).toBe(before);
      if (!/^[+-]\d+(\.\d+)?$/.test(before)) expect(written).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    }),
  );
});

it.each(["+12025550100", "-5", "+1.5", "a=1", "", "'", "'a"])("%j is neither escaped nor unescaped", (plain) => {
  expect([harmless(plain), asBefore(plain)]).toEqual([plain, plain]);
});

it("a formula that the user typed into the file is read unchanged", () => {
  expect(asBefore("=typed")).toBe("=typed");
});
