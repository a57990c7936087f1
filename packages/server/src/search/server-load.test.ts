import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { createServerLoad, measureServerLoad, restBeside } from "./server-load.ts";

it("is told of a thread that has no time, and of one that has", async () => {
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

it("has a thread beside it rest twice as long as it worked, while it is busy", async () => {
  const load = createServerLoad();
  const rest = restBeside(load);
  for (let bites = 0; bites < 100; bites += 1) await rest(60_000);
  Atomics.store(load, 0, 900);
  const before = performance.now();
  await rest(20);
  // timers may be a millisecond early
  expect(performance.now() - before).toBeGreaterThanOrEqual(39);
});
