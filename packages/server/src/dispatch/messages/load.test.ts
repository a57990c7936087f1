import { expect, it } from "vitest";
import { createLoadGauge } from "./load.ts";

it("tells an event loop that never rests from one that does", async () => {
  const isLoaded = createLoadGauge({});
  const end = performance.now() + 60;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
  expect(isLoaded()).toBe(true);
  // a loop that waits between its looks
  await expect.poll(isLoaded).toBe(false);
});

it("tells a store that is saturated more often than not, whatever the event loop does", async () => {
  let saturatedMs = 0;
  const isLoaded = createLoadGauge({ saturatedMs: () => saturatedMs });
  const passed = async (share: number) => {
    const startedAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 40));
    saturatedMs += (performance.now() - startedAt) * share;
    return isLoaded();
  };
  await expect.poll(() => passed(0.8)).toBe(true);
  await expect.poll(() => passed(0.2)).toBe(false);
});
