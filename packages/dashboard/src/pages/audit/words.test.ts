import { expect, it } from "vitest";
import { deeds, describeDeed } from "./words.ts";

it.each([
  ["getRecipient", "viewed a recipient"],
  ["payments settle", "ran msgd payments settle"],
  ["restore", "ran msgd restore"],
  ["toString", "toString"],
])("describes %s as: %s", (operation, words) => {
  expect(describeDeed(operation)).toBe(words);
});

it("has words in the past tense without a full stop", () => {
  for (const words of Object.values(deeds)) expect(words).toMatch(/^[a-z].*[a-zA-Z]$/);
});
