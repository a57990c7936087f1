import { expect, it } from "vitest";
import { maskId, maskName, parseSearch, tellSearch } from "./search-language.ts";

const tell = (text: string) => {
  const read = parseSearch(text, { now: Date.parse("2026-11-28T12:00:00Z"), timezone: "UTC" });
  return "search" in read ? tellSearch(read.search).join(" ") : undefined;
};

it.each([
  ["to:+12025550100 -type:otp", "to:+1202•••00 -type:OTP"],
  ["jane.doe@example.com status:failed", "to:j•••@example.com status:FAILED"],
  ['"Jane Doe" merchant:m1 after:2026-11-01', "text:(2 words) merchant:m1 after:2026-11-01T00:00:00.000Z"],
  ["id:msg_01J before:1d", "id:msg_01J before:2026-11-27T12:00:00.000Z"],
  ["id:jane@example.com", "id:j•••@example.com"],
  ["merchant:2025550100 project:202-555-0100", "merchant:2••• project:2•••"],
])("the audit describes the search %j without recipients and words", (text, told) => {
  expect(tell(text)).toBe(told);
});

it.each([
  ["msg_01JQ", "msg_01JQ"],
  ["12", "12"],
  ["12025550100", "1•••"],
  ["+12025550100", "+1202•••00"],
  ["msg_2025550100", "m•••"],
  ["jane_doe", "j•••"],
])("the audit shows the id %j as %j", (id, told) => {
  expect(maskId(id)).toBe(told);
});

it.each([
  ["bright-dental", "bright-dental"],
  ["shop-20261128", "shop-20261128"],
  ["42", "42"],
  ["2025550100", "2•••"],
  ["202.555.0100", "2•••"],
])("the audit shows the name %j as %j", (name, told) => {
  expect(maskName(name)).toBe(told);
});
