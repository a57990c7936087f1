// Checks that claiming, recording an outcome and handling a 410 stay cheap when many callbacks wait.

import { afterEach, describe, expect, it } from "vitest";
import { markGone } from "../../domain/callbacks/rows.ts";
import { createScriptedWorld, type ScriptedAnswer, type ScriptedWorld } from "../../testing/scripted-receivers.ts";
import { openTestStore } from "../../testing/test-store.ts";

const secondMs = 1_000;
const openStore = ({ now }: { now: () => number }) => openTestStore({ now });
const url = "https://hooks.com/a";
const worlds: ScriptedWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(answer: () => ScriptedAnswer, tenants = 1): Promise<ScriptedWorld> {
  const world = await createScriptedWorld(answer, { openStore, tenants });
  worlds.push(world);
  return world;
}

type Backlog = (index: number) => { url: string; requestId: number };
const backlogs: [string, Backlog][] = [
  ["one URL, many calls", (index) => ({ url, requestId: index + 1 })],
  ["one call", () => ({ url, requestId: 1 })],
  ["many hosts", (index) => ({ url: `https://h${index}.com/`, requestId: index + 1 })],
  ["one host, many URLs", (index) => ({ url: `https://hooks.com/${index}`, requestId: index + 1 })],
];
const waiting = (count: number, of: Backlog) =>
  Array.from({ length: count }, (_none, index) => ({ tenantId: 1, ...of(index) }));

describe("a transaction", () => {
  it.each(backlogs)("runs about as many statements with 1,000 waiting callbacks as with 100: %s", async (_what, of) => {
    const most: number[] = [];
    for (const count of [100, 1_000]) {
      // some callbacks are answered within twelve seconds and retried, while the others wait
      const world = await open(() => ({ status: 500, afterMs: 2 * secondMs }));
      await world.enqueueAll(waiting(count, of));
      await world.dispatcher.start();
      await world.clock.advanceBy(12 * secondMs);
      most.push(Math.max(...world.statementCounts));
    }
    expect(most[1]).toBeLessThanOrEqual((most[0] ?? 0) + 10);
    expect(most[1]).toBeLessThanOrEqual(200);
  });
});

describe("a 410", () => {
  it.each(backlogs.slice(0, 2))(
    "gives up all waiting callbacks in batches, and nothing more is posted to their URL: %s",
    async (_what, of) => {
      const world = await open(() => ({ status: 410 }));
      await world.enqueueAll(waiting(500, of));
      await world.dispatcher.start();
      await world.clock.advanceBy(10 * secondMs);
      expect(await world.count("FAILED")).toBe(500);
      // only the attempts that were in flight when the 410 arrived
      expect(world.posted.length).toBeLessThanOrEqual(8);
      expect(Math.max(...world.statementCounts)).toBeLessThanOrEqual(200);
      expect(await world.faults()).toEqual([]);
    },
  );

  it("gives up callbacks that wait for a retry", async () => {
    const statuses = [500, 500, 500, 410];
    const world = await open(() => ({ status: statuses.shift() ?? 200 }));
    for (let requestId = 1; requestId <= 4; requestId += 1) await world.enqueueAll([{ tenantId: 1, requestId, url }]);
    await world.dispatcher.start();
    await world.clock.advanceBy(secondMs);
    expect(await world.count("FAILED")).toBe(4);
    await world.clock.advanceBy(3_600 * secondMs);
    expect(world.posted).toHaveLength(4);
  });

  it("applies only to calls requested before it", async () => {
    const world = await open(() => ({ status: 200 }), 2);
    await world.enqueueAll([{ tenantId: 1, requestId: 5, url }]);
    await world.store.write((tx) => markGone(tx, { tenantId: 1, url }, world.clock.now()));
    await world.enqueueAll([
      { tenantId: 1, requestId: 5, url, data: { is: "of a call of before" } },
      { tenantId: 1, requestId: 6, url, data: { is: "of a later call" } },
      { tenantId: 1, requestId: 4, url: `${url}/other`, data: { is: "for another URL" } },
      { tenantId: 2, requestId: 3, url, data: { is: "another tenant's" } },
    ]);
    await world.dispatcher.start();
    await world.clock.advanceBy(10 * secondMs);
    expect(world.posted.map(({ data }) => data.is).sort()).toEqual([
      "another tenant's",
      "for another URL",
      "of a later call",
    ]);
    const failed = await world.store.read((tx) =>
      tx.all("SELECT attempts, last_outcome AS outcome FROM callbacks WHERE status = 'FAILED'"),
    );
    expect(failed).toEqual([
      { attempts: 0, outcome: "410" },
      { attempts: 0, outcome: "410" },
    ]);
  });
});

describe("leases of a dead process", () => {
  it("are released in batches, and the attempts are repeated", async () => {
    const dead = await open(() => ({}));
    await dead.enqueueAll(waiting(200, (index) => ({ url: `https://h${index}.com/`, requestId: index + 1 })));
    await dead.dispatcher.start();
    await dead.clock.settle();
    const leases = "SELECT COUNT(*) AS count FROM callback_calls WHERE lease_token IS NOT NULL";
    const before = await dead.store.read((tx) => tx.get<{ count: number }>(leases));
    expect(before?.count).toBe(64);

    const heir = await createScriptedWorld(() => ({ status: 200 }), {
      openStore: async () => dead.store,
      isAlone: true,
      tenants: 0,
    });
    await heir.dispatcher.start();
    expect(Math.max(...heir.statementCounts)).toBeLessThanOrEqual(200);
    await heir.clock.advanceBy(secondMs);
    expect(await heir.count("DELIVERED")).toBe(200);
    expect(await heir.faults()).toEqual([]);
    await heir.dispatcher.stop();
  });
});
