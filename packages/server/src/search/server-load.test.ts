import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { createServerLoad, findRest, measureServerLoad } from "./thread-searches.ts";

it("the load is high for a busy thread, and low for an idle one", async () => {
  const load = createServerLoad();
  const end = measureServerLoad(load);
  const workFor = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  await expect
    .poll(async () => {
      for (let turns = 0; turns < 15; turns += 1) {
        workFor(20);
        await setTimeout(0);
      }
      return load[0];
    })
    .toBeGreaterThan(500);
  await expect.poll(() => load[0], { interval: 100 }).toBeLessThan(500);
  end();
});

it.each([
  [0, 0],
  [499, 0],
  [500, 40],
  [849, 40],
  [850, 780],
  [1_000, 780],
])("if the server's thread is busy %d ‰ of its time, other threads rest %d ms after 20 ms of work", (busy, restMs) => {
  const load = createServerLoad();
  Atomics.store(load, 0, busy);
  expect(findRest(load, 20)).toBe(restMs);
});
