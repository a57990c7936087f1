import { expect, it } from "vitest";
import { didYouMean, mostSimilar } from "./similar.ts";

const words = ["list", "get", "summary", "numbers", "create"];

it.each([
  ["lsit", "list"],
  ["GET", "get"],
  ["sumary", "summary"],
  ["cretae", "create"],
  ["nubmers", "numbers"],
  ["xylophone", undefined],
  ["", undefined],
])("finds the word most similar to %j", (typed, meant) => {
  expect(mostSimilar(typed, words)).toBe(meant);
});

it("suggests nothing if no word is close", () => {
  expect([didYouMean("lst", words), didYouMean("qqq", words)]).toEqual(["; did you mean list?", ""]);
});
