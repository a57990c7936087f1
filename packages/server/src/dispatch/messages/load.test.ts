import { describe, expect, it } from "vitest";
import { CallerWaits } from "../../platform/caller-waits.ts";
import { createLoadGauge } from "./load.ts";

const WINDOW_MS = 25;

/** Has callers wait for this share of a tenth of a second. */
function wait(waits: CallerWaits, share: number): void {
  const connection = {};
  waits.noteReply(connection, 0, 0);
  waits.noteReply(connection, 100 * share, 100);
}

/** Keeps the event loop busy for a window, while callers wait for this share of their time. */
function work(waits: CallerWaits, share: number): void {
  const end = performance.now() + WINDOW_MS;
  while (performance.now() < end);
  wait(waits, share);
}

describe("a process", () => {
  it("is under load while its event loop has no pauses and callers are held up", async () => {
    const waits = new CallerWaits();
    const isLoaded = createLoadGauge({}, waits);
    work(waits, 0.5);
    expect(isLoaded()).toBe(true);
    // nobody asks any more
    await expect.poll(isLoaded).toBe(false);
  });

  it("is under none while callers do other things for most of the time, however busy it is", () => {
    const waits = new CallerWaits();
    const isLoaded = createLoadGauge({}, waits);
    work(waits, 0.4);
    expect(isLoaded()).toBe(false);
  });

  it("is under none while its event loop has pauses, however long callers wait", async () => {
    const waits = new CallerWaits();
    const isLoaded = createLoadGauge({}, waits);
    const looks: boolean[] = [];
    for (let look = 0; look < 5; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, WINDOW_MS));
      wait(waits, 0.9);
      looks.push(isLoaded());
    }
    expect(looks).toContain(false);
  });

  it("is under load while its store takes no more writes", async () => {
    const waits = new CallerWaits();
    let saturatedMs = 0;
    const isLoaded = createLoadGauge({ saturatedMs: () => saturatedMs }, waits);
    const lookAfter = async (share: number) => {
      const startedAt = performance.now();
      await new Promise((resolve) => setTimeout(resolve, WINDOW_MS));
      saturatedMs += (performance.now() - startedAt) * share;
      wait(waits, 0.9);
      return isLoaded();
    };
    expect(await lookAfter(0.9)).toBe(true);
    await expect.poll(() => lookAfter(0.1)).toBe(false);
  });
});
