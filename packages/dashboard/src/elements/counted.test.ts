import { expect, it } from "vitest";
import { counted } from "./counted.ts";

it.each([
  [0, "0 emails"],
  [1, "1 email"],
  [2, "2 emails"],
])("counted() formats %d as: %s", (count, words) => {
  expect(counted(count, "email")).toBe(words);
});
