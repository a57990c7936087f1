import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csv, formatValues } from "./csv.ts";

describe("csv", () => {
  it.each([
    ["+12025550100", "+12025550100"],
    ["-5", "-5"],
    [-5, "-5"],
    ["=1+1", "'=1+1"],
    ["+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"],
    ["-1+1", "'-1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["\n=1", '"\'\n=1"'],
    ["\r=1", '"\'\r=1"'],
    ["＝1+1", "'＝1+1"],
    ["＋1", "'＋1"],
    ["－1", "'－1"],
    ["＠SUM", "'＠SUM"],
    ["'=1+1", "''=1+1"],
    ["'quoted'", "'quoted'"],
    ["+1 (202) 555-0100", "'+1 (202) 555-0100"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\r\nlines", '"two\r\nlines"'],
    [" padded", '" padded"'],
    ["", '""'],
    [null, ""],
    [undefined, ""],
    [false, "false"],
    [9007199254740993n, "9007199254740993"],
    [[{ id: 9007199254740993n }], '"[{""id"":9007199254740993}]"'],
  ])("quotes values as RFC 4180 does, and escapes formulas: case %#", (value, field) => {
    expect(csv([{ value }], ["value"])).toBe(`value\n${field}\n`);
    expect(formatValues([value])).toBe(`value\n${field}\n`);
  });

  it("reads nested values by their dotted names", () => {
    expect(csv([{ id: 1, usage: { sms: 2 } }, { id: 2 }], ["id", "usage.sms"])).toBe("id,usage.sms\n1,2\n2,\n");
  });

  it("gives a parser the original values, except for escaped formulas", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "é", ",", '"', "\n", "\r", " ", ";", "=", "+", "@", "1", "'", "＝"),
    });
    fc.assert(
      fc.property(fc.array(fc.record({ a: text, b: text }), { minLength: 1 }), (rows) => {
        const read = parse(csv(rows, ["a", "b"]), { columns: true, record_delimiter: "\n" });
        const marked = (value: string) =>
          /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) && !/^[+-]\d+$/.test(value) ? `'${value}` : value;
        expect(read).toEqual(rows.map(({ a, b }) => ({ a: marked(a), b: marked(b) })));
      }),
    );
  });
});
