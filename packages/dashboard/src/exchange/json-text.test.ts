import fc from "fast-check";
import { expect, it } from "vitest";
import { layOut } from "./json-text.ts";

it("layOut() formats JSON as JSON.stringify does", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(layOut(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

it.each([
  ['{"id":12345678901234567890,"n":1.50}', '{\n  "id": 12345678901234567890,\n  "n": 1.50\n}'],
  ["[]", "[]"],
  ["<a/>", "<a/>"],
  ['{"a":', '{"a":'],
])("layOut() does not change numbers or invalid JSON: %s", (text, expected) => {
  expect(layOut(text)).toBe(expected);
});
