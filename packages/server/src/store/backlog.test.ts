import { afterEach, beforeEach, expect, it } from "vitest";
import { carryForAll } from "../dispatch/carriers/carriers.ts";
import { createWorld, hourMs, startMs, type World } from "../testing/dispatch-world.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { openTestStore } from "../testing/test-store.ts";
import { readBacklog } from "./backlog.ts";
import { insertCarrier, saveCarrierState } from "./carriers.ts";
import { QueueFloors } from "./queue-floors.ts";

let world: World<ScriptedProvider>;
beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
});
afterEach(() => world.close());

it("counts what waits, and since when the oldest does", async () => {
  const floors = new QueueFloors(() => performance.now());
  const read = () => world.store.read((tx) => readBacklog(tx, world.clock.now(), floors.beginLook()));
  const carriers = (["smtp", "smpp"] as const).map((kind) => ({ kind, up: 0, down: 0, waiting: 0 }));
  const nothing = {
    waiting: 0,
    oldestDueAt: null,
    inDoubt: 0,
    unmatchedTexts: 0,
    unknown: 0,
    jobsDue: 0,
    callbacksPending: 0,
    carriers,
  };
  expect(await read()).toEqual(nothing);
  await world.accept("+12025550100", { type: "TRANSACTIONAL" });
  await world.clock.advanceBy(hourMs);
  // goes first, and has not waited longest
  await world.accept("+12025550101", { type: "OTP" });
  expect(await read()).toEqual({ ...nothing, waiting: 2, oldestDueAt: startMs });
  await world.dispatcher().start();
  await world.clock.settle();
  expect(await read()).toEqual(nothing);
});

it("counts carriers by kind, and what waits in their lines", async () => {
  const carrier = new ScriptedProvider("smpp-a");
  carrier.capacity = () => 0;
  await world.store.write(async (tx) => {
    const row = { tenantId: world.tenantId, isSecond: 0, kind: "smpp", sealedSettings: "", setAt: startMs } as const;
    await insertCarrier(tx, { ...row, name: "smpp-a", channel: "SMS" });
    await insertCarrier(tx, { ...row, name: "smpp-b", channel: "EMAIL" });
    await saveCarrierState(tx, { name: "smpp-b", downWords: "refused", now: startMs });
  });
  await world.accept("+12025550100");
  await world.dispatcher({ carriers: carryForAll({ SMS: carrier }) }).start();
  await world.clock.settle();
  const floors = new QueueFloors(() => performance.now());
  const { carriers } = await world.store.read((tx) => readBacklog(tx, world.clock.now(), floors.beginLook()));
  expect(carriers).toEqual([
    { kind: "smtp", up: 0, down: 0, waiting: 0 },
    { kind: "smpp", up: 1, down: 1, waiting: 1 },
  ]);
});
