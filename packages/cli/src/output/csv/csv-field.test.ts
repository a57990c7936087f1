import fc from "fast-check";
import { expect, it } from "vitest";
import { asBefore, harmless } from "./csv-field.ts";

const text = fc.string({
  unit: fc.constantFrom("'", "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "1", "a", " "),
});

it("gives a spreadsheet nothing to run, and restores the original", () => {
  fc.assert(
    fc.property(text, (before) => {
      const written = harmless(before);
      expect(asBefore(written)).toBe(before);
      if (!/^[+-]\d+(\.\d+)?$/.test(before)) expect(written).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    }),
  );
});

it.each(["+12025550100", "-5", "+1.5", "a=1", "", "'", "'a"])("leaves %j unchanged, both ways", (plain) => {
  expect([harmless(plain), asBefore(plain)]).toEqual([plain, plain]);
});

it("keeps texts that were typed into the file later", () => {
  expect(asBefore("=typed")).toBe("=typed");
});
