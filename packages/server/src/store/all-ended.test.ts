import { expect, it } from "vitest";
import { allEnded } from "./batching.ts";

it("returns all results in order", async () => {
  expect(await allEnded([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2]);
});

it("throws the first error, but only after all promises have settled", async () => {
  let isLastDone = false;
  const last = Promise.resolve().then(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    isLastDone = true;
  });
  await expect(allEnded([Promise.reject(new Error("first")), last])).rejects.toThrow("first");
  expect(isLastDone).toBe(true);
});
