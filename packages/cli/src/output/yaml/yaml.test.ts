import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { yamlDocument } from "./yaml.ts";

it.each([
  [null, "null\n"],
  [undefined, "null\n"],
  [[], "[]\n"],
  [{}, "{}\n"],
  [{ a: undefined }, "{}\n"],
  ["two words", "two words\n"],
  ["No", '"No"\n'],
  [["e5", "E-12", "e5a"], '- "e5"\n- "E-12"\n- e5a\n'],
  [9007199254740993n, "9007199254740993\n"],
  [
    { to: "+12025550100", at: "12:30", zip: "02139", is: true, of: 0.5, none: null },
    'to: "+12025550100"\nat: "12:30"\nzip: "02139"\nis: true\nof: 0.5\nnone: null\n',
  ],
  [{ list: [1, { a: [2, []], b: "x" }] }, "list:\n  - 1\n  - a:\n      - 2\n      - []\n    b: x\n"],
  [{ text: "One\n\n  two" }, "text: |-\n  One\n  \n    two\n"],
  [["One\ntwo\n"], "- |\n    One\n    two\n"],
  ["\u0085", '"\\u0085"\n'],
])("writes %o", (value, text) => {
  expect(yamlDocument(value)).toBe(text);
});

const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.stringMatching(/^[ \t\n:#'"a-z0-9?&*!|>@`%{}[\],.~-]{0,12}$/),
  fc.constantFrom(
    "=",
    "<<",
    "0x1F",
    "1_000",
    "1e3",
    "e0",
    "E-12",
    ".inf",
    "2026-01-31",
    "12:30:45",
    "---",
    "...",
    "\ufeff",
    "\u2028",
  ),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(
    words.filter((word) => word !== "__proto__"),
    tie("value"),
    { maxKeys: 4 },
  ),
}));

it.each(["1.1", "1.2"] as const)("a parser of YAML %s reads the original value", (version) => {
  fc.assert(
    fc.property(values, (value) => {
      expect(parse(yamlDocument(value), { version })).toEqual(value);
    }),
    { numRuns: 3000 },
  );
});
