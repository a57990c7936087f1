import { expect, it } from "vitest";
import { describeReason } from "./reasons.ts";

it.each([
  ["NO_ANSWER", "no answer"],
  ["QUOTA_EXCEEDED", "refused: the merchant's quota is used up"],
  ["A_NEW_ONE", "a new one"],
  ["toString", "tostring"],
  ["MOVED\u202E", "moved‹U+202E›"],
])("describeReason() describes %s as: %s", (reason, words) => {
  expect(describeReason(reason)).toBe(words);
});
