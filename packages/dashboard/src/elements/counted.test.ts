import { expect, it } from "vitest";
import { counted, describeCount } from "./counted.ts";

it.each([
  [0, "0 emails"],
  [1, "1 email"],
  [2, "2 emails"],
])("counted() formats %d as: %s", (count, words) => {
  expect(counted(count, "email")).toBe(words);
});

it.each([
  [{ count: 0, isMore: false }, undefined, "0"],
  [{ count: 10_000, isMore: true }, undefined, "10,000 or more"],
  [{ count: 1, isMore: false }, "message", "1 message"],
  [{ count: 10_000, isMore: true }, "message", "10,000 messages or more"],
])("describeCount() formats %j of %s as: %s", (count, noun, words) => {
  expect(describeCount(count, noun)).toBe(words);
});
