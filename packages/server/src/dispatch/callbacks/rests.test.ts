// Tests receivers that do not answer: how long they rest, how they are probed, and when waiting callbacks are given up.

import { afterEach, describe, expect, it } from "vitest";
import { ATTEMPT_MS, createScriptedWorld, type ScriptedWorld, startMs } from "../../testing/scripted-receivers.ts";
import { openTestStore } from "../../testing/test-store.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const openStore = ({ now }: { now: () => number }) => openTestStore({ now });
const url = "https://hooks.com/";
let world: ScriptedWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

function calls(count: number) {
  return Array.from({ length: count }, (_none, index) => ({ tenantId: 1, requestId: index + 1, url }));
}

const mostAttempts = "SELECT MAX(attempts) AS most FROM callbacks";
const secondsOf = ({ posted }: ScriptedWorld) => posted.map(({ at }) => (at - startMs) / secondMs);

describe("a receiver", () => {
  it("that is silent gets ten attempts for one event, at the documented intervals", async () => {
    world = await createScriptedWorld(() => ({}), { openStore });
    await world.enqueueAll(calls(1));
    await world.dispatcher.start();
    await world.clock.advanceBy(84 * hourMs);
    const seconds = secondsOf(world);
    const waits = seconds.slice(1).map((second, index) => second - (seconds[index] ?? 0) - ATTEMPT_MS / secondMs);
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(await world.count("FAILED")).toBe(1);
    expect(await world.faults()).toEqual([]);
  });

  it("that is silent rests longer each time, is probed after each rest, and gets all waiting callbacks when it is back", async () => {
    let isBack = false;
    world = await createScriptedWorld(() => (isBack ? { status: 200 } : {}), { openStore });
    await world.enqueueAll(calls(300));
    await world.dispatcher.start();
    await world.clock.advanceBy(hourMs);
    const seconds = secondsOf(world);
    // first as many attempts as a tenant may have at one receiver, then one at a time
    expect(seconds.slice(0, 8)).toEqual(Array(8).fill(0));
    const probes = seconds.slice(7);
    const rests = probes.slice(1).map((second, index) => second - (probes[index] ?? 0) - ATTEMPT_MS / secondMs);
    expect(rests.slice(0, 8)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    expect(Math.max(...rests)).toBe(300);
    expect(seconds.length).toBeLessThan(30);
    const most = await world.store.read((tx) => tx.get<{ most: number }>(mostAttempts));
    expect(most?.most).toBeLessThanOrEqual(4);

    isBack = true;
    await world.clock.advanceBy(5 * minuteMs + ATTEMPT_MS);
    // callbacks used as probes are retried by their own schedule
    expect(await world.count("DELIVERED")).toBeGreaterThan(300 - 30);
    await world.clock.advanceBy(24 * hourMs);
    expect(await world.count("DELIVERED")).toBe(300);
    expect(await world.faults()).toEqual([]);
  });

  it("that is silent gets no attempts after 84 hours: all its callbacks are given up, even those never tried", async () => {
    world = await createScriptedWorld(() => ({}), { openStore });
    await world.enqueueAll(calls(600));
    // callbacks that are old when the dispatcher starts
    await world.clock.advanceBy(83 * hourMs);
    await world.dispatcher.start();
    await world.clock.advanceBy(hourMs - minuteMs);
    expect(await world.count("PENDING")).toBeGreaterThan(500);
    await world.clock.advanceBy(6 * minuteMs);
    expect(await world.count("FAILED")).toBe(600);
    expect(world.posted.every(({ at }) => at < startMs + 84 * hourMs)).toBe(true);
    expect(await world.faults()).toEqual([]);
  });

  it("that is back gets every event, and events that wait for a retry come later", async () => {
    let isBack = false;
    world = await createScriptedWorld(() => (isBack ? { status: 200 } : {}), { openStore });
    const events = (requestId: number, steps: number[]) =>
      steps.map((step) => ({ tenantId: 1, requestId, url, data: { requestId, step } }));
    await world.enqueueAll([...events(1, [1, 2]), ...events(2, [1, 2])]);
    await world.dispatcher.start();
    await world.clock.advanceBy(20 * minuteMs);
    await world.enqueueAll([...events(1, [3]), ...events(2, [3])]);
    isBack = true;
    await world.clock.advanceBy(24 * hourMs);
    const told = world.posted.filter(({ at }) => at > startMs + 20 * minuteMs);
    const stepsOf = (requestId: number) =>
      told.filter(({ data }) => data.requestId === requestId).map(({ data }) => data.step);
    expect(await world.count("DELIVERED")).toBe(6);
    // the second callback was used as a probe, but was due by its own schedule
    expect([stepsOf(1), stepsOf(2)]).toEqual([
      [2, 3, 1],
      [2, 3, 1],
    ]);
  });

  it("that answers with errors does not rest", async () => {
    world = await createScriptedWorld(() => ({ status: 500 }), { openStore });
    await world.enqueueAll(calls(100));
    await world.dispatcher.start();
    await world.clock.advanceBy(secondMs);
    expect(world.posted).toHaveLength(100);
  });
});

describe("an attempt that this server aborts", () => {
  it("does not count, and causes no rest", async () => {
    world = await createScriptedWorld(() => ({}), { openStore });
    await world.enqueueAll(calls(1));
    for (let stop = 0; stop < 12; stop += 1) {
      await world.dispatcher.start();
      await world.clock.settle();
      await world.replaceDispatcher();
    }
    expect(world.posted).toHaveLength(12);
    const row = await world.store.read((tx) =>
      tx.get("SELECT status, attempts, last_outcome AS outcome FROM callbacks"),
    );
    expect(row).toEqual({ status: "PENDING", attempts: 0, outcome: "interrupted" });
    expect(await world.store.read((tx) => tx.get("SELECT rests FROM callback_lanes"))).toEqual({ rests: 0 });
  });
});
