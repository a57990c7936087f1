import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RecentMaximum, watchTurns } from "./event-loop-delay.ts";

describe("RecentMaximum", () => {
  it("returns the maximum of the last minute to every reader", () => {
    const recent = new RecentMaximum();
    expect(recent.read(0)).toBe(0);
    recent.note(7, 1_000);
    recent.note(3, 2_000);
    expect([recent.read(2_000), recent.read(2_000), recent.read(61_000)]).toEqual([7, 7, 7]);
  });

  it("drops values at most 15 seconds after that minute", () => {
    const recent = new RecentMaximum();
    recent.note(7, 1_000);
    recent.note(3, 31_000);
    expect(recent.read(76_000)).toBe(3);
    expect(recent.read(106_000)).toBe(0);
    recent.note(5, 110_000);
    expect(recent.read(10_000_000)).toBe(0);
  });
});

describe("watchTurns", () => {
  /** Blocks the event loop, by computing or by waiting synchronously. */
  const hold = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it.each([
    ["in one call", async () => hold(300)],
    [
      "in a long chain of microtasks",
      async () => {
        for (let step = 0; step < 30; step += 1) await hold(10);
      },
    ],
  ])("measures how long the loop is blocked %s", async (_how, work) => {
    const watch = watchTurns();
    await turn();
    await work();
    await turn();
    await turn();
    expect(watch.longestMs).toBeGreaterThanOrEqual(295);
    watch.stop();
  });

  it("does not count the loop's sleep, and needs no timer", async () => {
    const idleBefore = performance.nodeTiming.idleTime;
    const start = performance.now();
    const watch = watchTurns();
    await sleep(1_000);
    const idleMs = performance.nodeTiming.idleTime - idleBefore;
    await turn();
    expect(idleMs).toBeGreaterThan(0);
    expect(watch.longestMs).toBeLessThanOrEqual(performance.now() - start - idleMs);
    watch.stop();
  });
});
