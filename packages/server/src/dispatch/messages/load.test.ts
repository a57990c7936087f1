import { expect, it } from "vitest";
import { createLoadGauge } from "./load.ts";

it("tells an event loop that never rests from one that does", async () => {
  const isLoaded = createLoadGauge();
  const end = performance.now() + 60;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
  expect(isLoaded()).toBe(true);
  // a loop that waits between its looks
  await expect.poll(isLoaded).toBe(false);
});
