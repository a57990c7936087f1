import { describe, expect, it } from "vitest";
import type { Clock } from "../platform/clock.ts";
import { createMovableClock, createShiftableClock, createVirtualClock } from "./clocks.ts";

/** Creates a base clock that only the test advances, in place of the machine's clock, and a shiftable clock on top of it. */
function createRunning(startMs: number) {
  const base = createVirtualClock(startMs);
  return { base, clock: createShiftableClock(base) };
}

describe("createShiftableClock", () => {
  it("runs like its base clock, and wakes with it", async () => {
    const { base, clock } = createRunning(1_000);
    const woken: number[] = [];
    clock.at(1_200, () => woken.push(clock.now()));
    clock.at(1_100, () => woken.push(clock.now()));
    await base.advanceBy(99);
    expect([clock.now(), clock.offsetMs, woken]).toEqual([1_099, 0, []]);
    await base.advanceBy(101);
    expect([clock.now(), woken]).toEqual([1_200, [1_100, 1_200]]);
  });

  it("runs everything due on the way when it is moved, and continues from there", async () => {
    const { base, clock } = createRunning(1_000);
    const woken: string[] = [];
    const wake = (name: string, dueMs: number) => clock.at(dueMs, () => woken.push(`${name}@${clock.now()}`));
    wake("second", 60_000);
    wake("first", 2_000);
    wake("beyond", 100_010);
    await clock.advanceTo(100_000);
    expect(woken).toEqual(["first@2000", "second@60000"]);
    expect([clock.now(), clock.offsetMs]).toEqual([100_000, 99_000]);
    await base.advanceBy(10);
    expect(woken).toEqual(["first@2000", "second@60000", "beyond@100010"]);
    expect(clock.now()).toBe(100_010);
  });

  it("stands still while it is moved, and ends at the given time, even if the move took long", async () => {
    const { base, clock } = createRunning(0);
    const times: number[] = [];
    clock.at(10, () => {
      void base.advanceBy(500);
      clock.at(clock.now() + 5, () => times.push(clock.now()));
      times.push(clock.now());
    });
    await clock.advanceTo(100);
    expect(times).toEqual([10, 15]);
    expect(clock.now()).toBe(100);
  });

  it("settles even if its base advances between any two reads", async () => {
    let baseMs = 1_000;
    const base = createVirtualClock(baseMs);
    const clock = createShiftableClock({ ...base, now: () => baseMs++ });
    await clock.settle();
    await clock.advanceBy(0);
    expect(clock.now()).toBeLessThan(1_020);
  });

  it("stops waiting for work that stays busy for too long, so that a later wake can end it", async () => {
    const base: Clock = createVirtualClock(0);
    const clock = createMovableClock(base, { patienceMs: 20 });
    let isBusy = true;
    clock.watch(() => isBusy);
    clock.at(10, () => {
      isBusy = false;
    });
    await clock.advanceTo(10);
    expect(isBusy).toBe(false);
  });

  it("returns to its base's time, and keeps its wakes", async () => {
    const { base, clock } = createRunning(0);
    const woken: number[] = [];
    await clock.advanceBy(1_000);
    clock.at(1_010, () => woken.push(clock.now()));
    clock.returnToBase();
    expect([clock.now(), clock.offsetMs]).toEqual([0, 0]);
    await base.advanceBy(1_010);
    expect(woken).toEqual([1_010]);
  });

  it("cannot go back", async () => {
    const { base, clock } = createRunning(5_000);
    await clock.advanceTo(9_000);
    await expect(clock.advanceTo(8_999)).rejects.toThrow("cannot go back to 8999");
    await base.advanceBy(1);
    expect(clock.now()).toBe(9_001);
  });
});
