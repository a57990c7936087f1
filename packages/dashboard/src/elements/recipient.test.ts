import { expect, it } from "vitest";
import { formatRecipient, readRecipient } from "./recipient.tsx";

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

it.each([
  ["(202) 555-0100", "1", "+12025550100"],
  ["+1 202 555 0100", null, "+12025550100"],
  ["07911 123456", "44", "+447911123456"],
  ["(202) 555-0100", null, "(202) 555-0100"],
  ["dana@example.com", "1", "dana@example.com"],
  ["call me", "1", "call me"],
])("reads %s in +%s as %s", (text, callingCode, contact) => {
  expect(readRecipient(text, callingCode)).toBe(contact);
});
