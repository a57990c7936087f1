import { expect, it } from "vitest";
import { choosePause } from "./link.ts";

it("the pause before a reconnect grows from a second to a minute", () => {
  const all = [0, 1, 2, 3, 4, 5, 6, 60, 5_000];
  expect(all.map((failures) => choosePause(failures, () => 0) / 1_000)).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30]);
  expect(all.map((failures) => choosePause(failures, () => 1) / 1_000)).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60]);
});
