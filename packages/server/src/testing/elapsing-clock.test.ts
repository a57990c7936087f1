import { expect, it } from "vitest";
import { createVirtualClock } from "../development/virtual-clock.ts";
import { withElapsing } from "./elapsing-clock.ts";

const HOUR_MS = 3_600_000;

it("is moved with the virtual clock, once", async () => {
  const clock = createVirtualClock(0);
  const ended: number[] = [];
  withElapsing(clock).after(HOUR_MS, () => ended.push(clock.now()));
  await clock.advanceBy(2 * HOUR_MS);
  expect(ended).toEqual([HOUR_MS]);
});

it("ends a pause of a part for which the virtual clock stands still", async () => {
  const clock = createVirtualClock(0);
  let isBusy = true;
  clock.watch(() => isBusy);
  withElapsing(clock).after(5, () => {
    isBusy = false;
  });
  await clock.advanceBy(HOUR_MS);
  expect(isBusy).toBe(false);
});

it("calls nothing once it is cancelled", async () => {
  const clock = createVirtualClock(0);
  let isCalled = false;
  withElapsing(clock).after(1, () => {
    isCalled = true;
  })();
  await clock.advanceBy(HOUR_MS);
  expect(isCalled).toBe(false);
});
