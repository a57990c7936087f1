import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ServerClock } from "./server-clock.ts";

let steadyMs: number;

beforeEach(() => {
  steadyMs = 100;
  vi.spyOn(performance, "now").mockImplementation(() => steadyMs);
});
afterEach(() => vi.restoreAllMocks());

it("is at the end of time before the server's first answer", () => {
  expect(new ServerClock().now()).toBe(Number.POSITIVE_INFINITY);
});

it("goes on from the last prompt answer, and is never ahead of the server", () => {
  const clock = new ServerClock();
  steadyMs = 5_100;
  // the first answer counts however late it is
  clock.note(1_000_000, 100);
  steadyMs = 6_100;
  expect(clock.now()).toBe(1_001_000);
  steadyMs = 6_200;
  clock.note(1_006_150, 6_100);
  expect(clock.now()).toBe(1_006_150);
  steadyMs = 66_200;
  clock.note(1_006_250, 6_200);
  expect(clock.now()).toBe(1_066_150);
});
