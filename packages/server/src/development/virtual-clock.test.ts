import { describe, expect, it } from "vitest";
import { createVirtualClock } from "./clocks.ts";

describe("createVirtualClock", () => {
  it("wakes each sleeper at its time, and sleepers of the same time in the order of their requests", async () => {
    const clock = createVirtualClock(1_000);
    const woken: string[] = [];
    const wake = (name: string, dueMs: number) => clock.at(dueMs, () => woken.push(`${name}@${clock.now()}`));
    wake("late", 5_000);
    wake("first", 2_000);
    wake("second", 2_000);
    wake("beyond", 9_000);
    await clock.advanceTo(5_000);
    expect(woken).toEqual(["first@2000", "second@2000", "late@5000"]);
    expect(clock.now()).toBe(5_000);
  });

  it("wakes sleepers added by a wake-up if they are due within the move", async () => {
    const clock = createVirtualClock(0);
    const woken: number[] = [];
    const again = () => {
      woken.push(clock.now());
      clock.at(clock.now() + 10, again);
    };
    clock.at(10, again);
    await clock.advanceBy(35);
    expect(woken).toEqual([10, 20, 30]);
  });

  it("wakes a sleeper of a past time asynchronously, without going back", async () => {
    const clock = createVirtualClock(1_000);
    const woken: number[] = [];
    clock.at(1, () => woken.push(clock.now()));
    expect(woken).toEqual([]);
    await clock.settle();
    expect(woken).toEqual([1_000]);
  });

  it("does not wake a sleeper that was canceled, even at the same time", async () => {
    const clock = createVirtualClock(0);
    const woken: string[] = [];
    clock.at(10, () => {
      woken.push("first");
      cancel();
    });
    const cancel = clock.at(10, () => woken.push("second"));
    await clock.advanceTo(20);
    cancel();
    expect(woken).toEqual(["first"]);
  });

  it("stands still while watched work is busy", async () => {
    const clock = createVirtualClock(0);
    let turnsLeft = 0;
    const times: number[] = [];
    clock.watch(() => turnsLeft > 0);
    const work = () => {
      turnsLeft -= 1;
      if (turnsLeft > 0) setImmediate(work);
      else times.push(clock.now());
    };
    clock.at(10, () => {
      turnsLeft = 50;
      setImmediate(work);
    });
    clock.at(20, () => times.push(clock.now()));
    await clock.advanceTo(30);
    expect(times).toEqual([10, 20]);
  });

  it("stays where it is when a move is aborted, and can be moved on from there", async () => {
    const clock = createVirtualClock(0);
    const abort = new AbortController();
    const woken: number[] = [];
    for (const dueMs of [10, 20]) clock.at(dueMs, () => woken.push(clock.now()));
    clock.at(10, () => abort.abort());
    await clock.advanceTo(30, abort.signal);
    expect([woken, clock.now()]).toEqual([[10], 10]);
    await clock.advanceTo(30);
    expect([woken, clock.now()]).toEqual([[10, 20], 30]);
  });

  it("aborts a move at once, even if watched work stays busy for ever", async () => {
    const clock = createVirtualClock(0);
    let isStuck = true;
    clock.watch(() => isStuck);
    const given = new AbortController();
    const moved = clock.advanceBy(10, given.signal);
    given.abort();
    await moved;
    expect(clock.now()).toBe(0);
    isStuck = false;
    await clock.advanceBy(10);
    expect(clock.now()).toBe(10);
  });

  it("cannot go back", async () => {
    await expect(createVirtualClock(1_000).advanceTo(999)).rejects.toThrow("cannot go back to 999");
  });
});
