import { expect, it } from "vitest";
import { formatBytes } from "./bytes.ts";

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1 kB"],
  [1_254_000_000, "1.25 GB"],
  [252e9, "252 GB"],
  [2e15, "2 PB"],
  [5e18, "5,000 PB"],
])("formatBytes(%d) returns %j", (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
