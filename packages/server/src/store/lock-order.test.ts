import { describe, expect, it } from "vitest";
import { inLockOrder } from "./batching.ts";

const keys = [
  [2, "a", "SMS"],
  [1, "b", "SMS"],
  [1, "a", "SMS"],
  [10, "a", "EMAIL"],
  [1, "a", "EMAIL"],
] as const;

describe("the order in which rows are locked", () => {
  it("follows their keys: numbers by value, texts by character", () => {
    expect(inLockOrder(keys, (key) => key)).toEqual([
      [1, "a", "EMAIL"],
      [1, "a", "SMS"],
      [1, "b", "SMS"],
      [2, "a", "SMS"],
      [10, "a", "EMAIL"],
    ]);
  });

  it("keeps the order of rows with the same key", () => {
    const items = ["first", "second"];
    expect(inLockOrder(items, () => [1])).toEqual(items);
  });
});
