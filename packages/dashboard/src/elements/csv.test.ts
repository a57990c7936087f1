import { expect, it } from "vitest";
import { formatCsv } from "./csv.ts";

it("quotes what needs quotes, and disarms formulas but not numbers", () => {
  const rows = [
    ["+12025550100", 'He said "hello", then left.', null],
    ["=HYPERLINK(1)", "two\nlines", "-1+2"],
  ];
  expect(formatCsv(["to", "text", "reason"], rows)).toBe(
    "to,text,reason\r\n" +
      '+12025550100,"He said ""hello"", then left.",\r\n' +
      "'=HYPERLINK(1),\"two\nlines\",'-1+2\r\n",
  );
});
