import { expect, it } from "vitest";
import { maskContact } from "./contacts.ts";

it.each([
  ["+12025550100", "+1202•••00"],
  ["ann.smith@example.com", "a•••@example.com"],
  ["\u{1f600}@example.com", "\u{1f600}•••@example.com"],
  ["+120", "+•••"],
  ["2025550100", "2•••"],
  ["", "•••"],
])("maskContact masks %s as %s", (contact, masked) => {
  expect(maskContact(contact)).toBe(masked);
});
