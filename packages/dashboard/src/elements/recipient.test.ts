import { expect, it } from "vitest";
import { formatRecipient } from "./recipient.tsx";

it.each([
  ["+12025550100", "1", "(202) 555-0100"],
  ["+12025550100", "44", "+1 202 555 0100"],
  ["+447911123456", "1", "+44 7911 123456"],
  ["+447911123456", "44", "07911 123456"],
  ["+12025550100", null, "+1 202 555 0100"],
  ["dana@example.com", "1", "dana@example.com"],
  ["erased", "1", "erased"],
  ["+1", "1", "+1"],
])("formats %s for +%s as %s", (contact, callingCode, shown) => {
  expect(formatRecipient(contact, callingCode)).toBe(shown);
});
