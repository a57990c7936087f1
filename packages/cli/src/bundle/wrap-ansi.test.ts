import { expect, it } from "vitest";
import { wrapAnsi } from "./wrap-ansi.ts";

it.each([
  ["fits here", 9, "fits here"],
  ["is too long", 6, "is too\n long"],
  ["twelve chars", 4, "twel\nve c\nhars"],
  ["\u001b[1mbold\u001b[22m and", 5, "\u001b[1mbold\u001b[22m \nand"],
  ["電話番号", 5, "電話\n番号"],
  ["ab👨‍👩‍👧", 3, "ab\n👨‍👩‍👧"],
  ["", 5, ""],
])("breaks %j at %i columns", (line, width, wrapped) => {
  expect(wrapAnsi(line, width)).toBe(wrapped);
});
