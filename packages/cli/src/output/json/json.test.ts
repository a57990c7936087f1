import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compactJson, indentedJson, jsonLines } from "./json.ts";

const view = { id: 9007199254740993n, text: 'a"{[,:]}\\', none: {}, list: [1, [], [2n]] };

describe("indentedJson", () => {
  it("formats any value as JSON.stringify does", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(indentedJson(value)).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it("writes long integers as digits", () => {
    expect(indentedJson(view)).toBe(
      [
        ...["{", '  "id": 9007199254740993,', '  "text": "a\\"{[,:]}\\\\",', '  "none": {},', '  "list": ['],
        ...["    1,", "    [],", "    [", "      2", "    ]", "  ]", "}"],
      ].join("\n"),
    );
  });
});

it("every format writes null for a missing value", () => {
  expect([compactJson(undefined), indentedJson(undefined), jsonLines(undefined)]).toEqual(["null", "null", "null\n"]);
});

it.each([
  [[view, null], `${compactJson(view)}\nnull\n`],
  [{ a: "x\ny" }, '{"a":"x\\ny"}\n'],
  [[], ""],
])("jsonLines writes one line per element: case %#", (value, lines) => {
  expect(jsonLines(value)).toBe(lines);
});
