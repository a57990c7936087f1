// Tests the machine's clock, which can differ from Node's timers: these count only the time that the machine is awake.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createShiftableClock } from "../development/clocks.ts";
import { useFakeTimers, useRealTimers } from "../testing/fake-timers.ts";
import { Alarm } from "./alarm.ts";
import { LONGEST_LOOK_AWAY_MS, systemClock } from "./clock.ts";

const hourMs = 3_600_000;
const startMs = Date.parse("2026-03-01T12:00:00Z");
let woken: number[];
const wake = () => woken.push(Date.now() - startMs);

beforeEach(() => {
  useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: startMs });
  woken = [];
});
afterEach(() => useRealTimers());

/** Moves the clock but no timer, as if it was set by hand or NTP, or the machine slept. */
const setClock = (byMs: number) => vi.setSystemTime(Date.now() + byMs);
const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);
/** Tolerance: the longest timer, and the minimum of one millisecond. */
const passOnePoll = () => pass(LONGEST_LOOK_AWAY_MS + 1);

describe("the machine's clock", () => {
  it.each([0, 1, 29_999, 30_000, 30_001, 65_000, hourMs, 73 * hourMs])("wakes after %i ms, and only once", (waitMs) => {
    systemClock.at(startMs + waitMs, wake);
    pass(Math.max(0, waitMs - 1));
    expect(woken).toEqual(waitMs === 0 ? [0] : []);
    pass(100 * hourMs);
    expect(woken).toEqual([waitMs]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("wakes immediately for a past time, but never synchronously", () => {
    systemClock.at(startMs - hourMs, wake);
    expect(woken).toEqual([]);
    pass(0);
    expect(woken).toEqual([0]);
  });

  it.each([5_000, 45_000])("wakes soon after %i ms if it is set forward past the due time", (waitedMs) => {
    systemClock.at(startMs + hourMs, wake);
    pass(waitedMs);
    setClock(2 * hourMs);
    passOnePoll();
    expect(woken).toHaveLength(1);
  });

  it("wakes at the right time if it is set forward to before the due time", () => {
    systemClock.at(startMs + 3 * hourMs, wake);
    setClock(2 * hourMs);
    pass(2 * hourMs);
    expect(woken).toEqual([3 * hourMs]);
  });

  it("keeps waiting for a distant time if it is set back", () => {
    systemClock.at(startMs + hourMs, wake);
    setClock(-2 * hourMs);
    pass(3 * hourMs - 1);
    expect(woken).toEqual([]);
    pass(1);
    expect(woken).toEqual([hourMs]);
  });

  it("keeps the length of a provider's timeout, however the clock is set meanwhile", () => {
    systemClock.at(startMs + 10_000, wake);
    setClock(-24 * hourMs);
    pass(9_999);
    expect(woken).toEqual([]);
    pass(1);
    expect(woken).toHaveLength(1);
  });

  it("does not run a cancelled callback", () => {
    for (const waitedMs of [0, 95_000]) {
      const cancel = systemClock.at(Date.now() + hourMs, wake);
      pass(waitedMs);
      cancel();
      expect(vi.getTimerCount()).toBe(0);
    }
    pass(2 * hourMs);
    expect(woken).toEqual([]);
  });
});

it("an alarm fires soon after the clock is set forward past the alarm's time", () => {
  const alarm = new Alarm(systemClock, wake);
  alarm.set(startMs + hourMs);
  setClock(hourMs);
  passOnePoll();
  expect(woken).toHaveLength(1);
});

it("a derived clock runs its callbacks in order, soon after the machine's clock is set forward", () => {
  const clock = createShiftableClock(systemClock);
  clock.at(startMs + 2 * hourMs, () => woken.push(2));
  clock.at(startMs + hourMs, () => woken.push(1));
  clock.at(startMs + 9 * hourMs, () => woken.push(9));
  setClock(3 * hourMs);
  passOnePoll();
  expect(woken).toEqual([1, 2]);
});
