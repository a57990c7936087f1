import { describe, expect, it } from "vitest";
import { restMs } from "./rules.ts";

describe("restMs", () => {
  it("doubles from five seconds up to five minutes", () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 5_000].map((rest) => restMs(rest, () => 0) / 1_000);
    expect(seconds).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  it("adds a jitter of up to a tenth", () => {
    expect(restMs(1, () => 0.5)).toBe(5_250);
    expect(restMs(9, () => 1)).toBe(330_000);
  });
});
