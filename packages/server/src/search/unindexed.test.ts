import { expect, it } from "vitest";
import { AdaptiveWindow } from "./page-search.ts";

const lengths = (...took: number[]) => {
  const stretch = new AdaptiveWindow();
  return took.map((tookMs) => {
    stretch.noteTaken(tookMs);
    return stretch.lengthMs;
  });
};

it("reads twice as far back if it finds nothing, even if the database is slow to reach", () => {
  expect(lengths(0, 0, 0)).toEqual([4_000, 8_000, 16_000]);
  expect(lengths(30, 30, 30)).toEqual([4_000, 8_000, 16_000]);
});

it("reads as far back as can be read in 4 ms beside the fixed cost", () => {
  expect(lengths(1, 3, 5)).toEqual([4_000, 8_000, 8_000]);
});

it("reads half as far back if it took too long", () => {
  expect(lengths(1, 100, 50)).toEqual([4_000, 2_000, 1_000]);
});
