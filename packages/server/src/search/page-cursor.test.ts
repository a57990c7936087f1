import { expect, it } from "vitest";
import { formatCursor, parseCursor } from "./page-search.ts";

it.each([
  { below: 1_099_511_627_776 },
  { since: 1_795_521_600_000, until: 1_795_521_602_000, before: ["msg_01M86PTPG0000000000000007D", undefined, "0001"] },
])("a formatted cursor parses to itself: %o", (cursor) => {
  expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
});

it.each([
  "",
  "x",
  "-1",
  "1e3",
  "1:2",
  ":",
  "1:2:a b",
  "1:2:'",
  "9".repeat(40),
  `1:2:${"x".repeat(49)}`,
  `1:2${":".repeat(9)}`,
])("an invalid cursor is refused: %o", (text) => expect(parseCursor(text)).toBeUndefined());
