// One tenant's silent receivers must not delay the events of other tenants.

import { afterEach, describe, expect, it } from "vitest";
import {
  ATTEMPT_MS,
  createScriptedWorld,
  type Posted,
  type ScriptedWorld,
  startMs,
} from "../../testing/scripted-receivers.ts";
import { openTestStore } from "../../testing/test-store.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const openStore = ({ now }: { now: () => number }) => openTestStore({ now });
let world: ScriptedWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const loud = 1;
const quiet = Array.from({ length: 20 }, (_none, index) => index + 2);
const quietUrl = (tenantId: number) => `https://hooks.t${tenantId}.com/`;

/** Enqueues an event for each of the quiet tenants. */
async function tellQuietly(to: ScriptedWorld, requestId: number, urlOf = quietUrl): Promise<void> {
  await to.enqueueAll(quiet.map((tenantId) => ({ tenantId, requestId: requestId + tenantId, url: urlOf(tenantId) })));
  to.notify();
}

/** Returns the largest number of attempts in flight at once, assuming that each takes the full timeout. */
function mostAtOnce(posted: readonly Posted[]): number {
  return Math.max(
    0,
    ...posted.map(({ at }) => posted.filter((other) => other.at <= at && other.at > at - ATTEMPT_MS).length),
  );
}

describe("a tenant whose receivers are silent", () => {
  const silences: [string, (index: number) => string][] = [
    ["150 ports of one host", (index) => `https://silent.com:${10_000 + (index % 150)}/`],
    ["30 hosts", (index) => `https://silent${index % 30}.com/`],
    ["as many hosts as events", (index) => `https://silent${index}.com/`],
  ];
  it.each(silences)("does not delay other tenants if the receivers are %s", async (_what, urlOf) => {
    world = await createScriptedWorld(({ name }) => (name.startsWith("silent") ? {} : { status: 200 }), {
      tenants: 21,
      openStore,
    });
    const events = Array.from({ length: 1_000 }, (_none, index) => ({
      ...{ tenantId: loud, requestId: index + 1, url: urlOf(index) },
    }));
    await world.enqueueAll(events);
    await world.dispatcher.start();
    let told = 0;
    for (let round = 0; round < 6; round += 1) {
      await world.clock.advanceBy(5 * secondMs);
      await tellQuietly(world, 100_000 + round * 100);
      await world.clock.settle();
      told += quiet.length;
      // delivered at once, although the loud tenant's events wait
      expect(await world.count("DELIVERED")).toBe(told);
    }
    const silent = world.posted.filter(({ name }) => name.startsWith("silent"));
    expect(mostAtOnce(silent)).toBeLessThanOrEqual(64);
    expect(await world.faults()).toEqual([]);
  });

  it("does not delay other tenants that use another port of the same host", async () => {
    world = await createScriptedWorld(({ port }) => (port === "81" ? {} : { status: 200 }), { tenants: 21, openStore });
    const events = Array.from({ length: 1_000 }, (_none, index) => ({
      ...{ tenantId: loud, requestId: index + 1, url: "https://relay.com:81/" },
    }));
    await world.enqueueAll(events);
    await world.dispatcher.start();
    for (let round = 0; round < 6; round += 1) {
      await world.clock.advanceBy(5 * secondMs);
      await tellQuietly(world, 100_000 + round * 100, () => "https://relay.com/");
      await world.clock.settle();
      expect(await world.count("DELIVERED")).toBe((round + 1) * quiet.length);
    }
    expect(Math.max(...world.posted.map(({ openAtReceiver }) => openAtReceiver))).toBeLessThanOrEqual(16);
  });
});

describe("tenants whose receivers are all slow", () => {
  it("leave a slot for a new tenant within the duration of an attempt", async () => {
    world = await createScriptedWorld(
      ({ name }) => (name === "late.com" ? { status: 200 } : { status: 200, afterMs: ATTEMPT_MS }),
      {
        tenants: 21,
        openStore,
      },
    );
    const loudOnes = [loud, ...quiet.slice(0, -1)];
    const late = quiet.at(-1) ?? 0;
    await world.enqueueAll(
      loudOnes.flatMap((tenantId) =>
        Array.from({ length: 100 }, (_none, index) => ({
          ...{ tenantId, requestId: tenantId * 1_000 + index, url: `https://slow${index % 50}.t${tenantId}.com/` },
        })),
      ),
    );
    await world.dispatcher.start();
    await world.clock.settle();
    const began = world.posted.length;
    expect(began).toBeLessThanOrEqual(128);
    // each new tenant takes half of the free slots; as attempts end, the slots are shared evenly
    for (let round = 0; round < 5; round += 1) {
      await world.clock.advanceBy(ATTEMPT_MS / 3);
      const cameAt = world.clock.now();
      await world.enqueue("https://late.com/", { tenantId: late, requestId: 900_000 + round });
      world.notify();
      await world.clock.advanceBy(ATTEMPT_MS);
      const [first] = world.posted.filter(({ name, at }) => name === "late.com" && at >= cameAt);
      expect((first?.at ?? Number.POSITIVE_INFINITY) - cameAt).toBeLessThanOrEqual(ATTEMPT_MS);
    }
    const last = world.posted.filter(({ at, name }) => name !== "late.com" && at > startMs + 60 * secondMs);
    const counts = loudOnes.map((tenantId) => last.filter(({ name }) => name.endsWith(`.t${tenantId}.com`)).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeLessThanOrEqual(2 * Math.min(...counts));
  });

  it("are served round-robin at a shared receiver, within its limit", async () => {
    world = await createScriptedWorld(() => ({ status: 200, afterMs: secondMs }), { tenants: 40, openStore });
    await world.enqueueAll(
      Array.from({ length: 40 * 12 }, (_none, index) => ({
        ...{
          tenantId: (index % 40) + 1,
          requestId: index + 1,
          url: "https://relay.com/",
          data: { of: (index % 40) + 1 },
        },
      })),
    );
    await world.dispatcher.start();
    await world.clock.advanceBy(20 * secondMs);
    expect(Math.max(...world.posted.map(({ openAtReceiver }) => openAtReceiver))).toBe(16);
    const counts = Array.from(
      { length: 40 },
      (_none, index) => world?.posted.filter(({ data }) => data.of === index + 1).length,
    ).map((count) => count ?? 0);
    expect(counts.reduce((sum, count) => sum + count)).toBe(21 * 16);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4);
    await world.clock.advanceBy(10 * minuteMs);
    expect(await world.count("DELIVERED")).toBe(40 * 12);
    expect(await world.faults()).toEqual([]);
  });
});
