import { describe, expect, it } from "vitest";
import { CallerWaits, createLoadGauge } from "./caller-waits.ts";

it("a connection's time is that between its replies or, for the first reply, the reply's duration", () => {
  const waits = new CallerWaits();
  const [one, other] = [{}, {}];
  waits.noteReply(one, 5, 1_000);
  waits.noteReply(other, 7, 1_001);
  expect(waits.read()).toEqual({ repliesMs: 12, cyclesMs: 12 });
  waits.noteReply(one, 5, 1_040);
  expect(waits.read()).toEqual({ repliesMs: 17, cyclesMs: 52 });
});

it("a pause of a connection, or a reply that never ends, counts as a tenth of a second", () => {
  const waits = new CallerWaits();
  const connection = {};
  waits.noteReply(connection, 30, 1_000);
  waits.noteReply(connection, 60_000, 73_000);
  expect(waits.read()).toEqual({ repliesMs: 130, cyclesMs: 130 });
});

const WINDOW_MS = 25;

/** Makes callers wait for this share of a tenth of a second. */
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

describe("callers of a process", () => {
  it("have a load equal to the share of their time that they wait, while the event loop has no pauses", async () => {
    const waits = new CallerWaits();
    const heldUp = createLoadGauge(waits);
    work(waits, 0.4);
    expect(heldUp()).toBeCloseTo(0.4);
    work(waits, 0.7);
    expect(heldUp()).toBeCloseTo(0.7);
    // now no caller waits
    await expect.poll(heldUp).toBe(0);
  });

  it("have no load while the event loop has pauses, however long they wait", async () => {
    const waits = new CallerWaits();
    const heldUp = createLoadGauge(waits);
    const looks: number[] = [];
    for (let look = 0; look < 5; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, WINDOW_MS));
      wait(waits, 0.9);
      looks.push(heldUp());
    }
    expect(looks).toContain(0);
  });

  it("have a load while the store is saturated", async () => {
    const waits = new CallerWaits();
    let saturatedMs = 0;
    const heldUp = createLoadGauge(waits, () => saturatedMs);
    const lookAfter = async (share: number) => {
      const startedAt = performance.now();
      await new Promise((resolve) => setTimeout(resolve, WINDOW_MS));
      saturatedMs += (performance.now() - startedAt) * share;
      wait(waits, 0.9);
      return heldUp();
    };
    expect(await lookAfter(0.9)).toBeCloseTo(0.9);
    await expect.poll(() => lookAfter(0.1)).toBe(0);
  });
});
