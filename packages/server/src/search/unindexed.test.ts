import { expect, it } from "vitest";
import { AdaptiveWindow } from "./page-search.ts";

const lengths = (...took: number[]) => {
  const stretch = new AdaptiveWindow();
  return took.map((tookMs) => {
    stretch.noteTaken(tookMs);
    return stretch.lengthMs;
  });
};

it("the period doubles if it is empty, even if the round trip to the database is slow", () => {
  expect(lengths(0, 0, 0)).toEqual([4_000, 8_000, 16_000]);
  expect(lengths(30, 30, 30)).toEqual([4_000, 8_000, 16_000]);
});

it("the period adapts to what can be read in 4 ms plus the fixed cost", () => {
  expect(lengths(1, 3, 5)).toEqual([4_000, 8_000, 8_000]);
});

it("the period is halved if reading it took too long", () => {
  expect(lengths(1, 100, 50)).toEqual([4_000, 2_000, 1_000]);
});
