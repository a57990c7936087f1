import { afterEach, beforeEach, expect, it } from "vitest";
import { carryForAll } from "../../carriers/carriers.ts";
import { QueueFloors } from "../../store/queue/engine.ts";
import { createWorld, hourMs, startMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { insertCarrier, removeCarrier, saveCarrierState } from "../carriers/rows.ts";
import { enterQueue, type QueueKey } from "../messages/carrier-queue-rows.ts";
import { EVERY_TENANT } from "../tenancy/rows.ts";
import { readBacklog } from "./backlog-rows.ts";

let world: World<ScriptedProvider>;
beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
});
afterEach(() => world.close());

it("readBacklog counts waiting messages, and finds when the oldest fell due", async () => {
  const floors = new QueueFloors(() => performance.now());
  const read = () => world.store.read((tx) => readBacklog(tx, world.clock.now(), floors.beginScan()));
  const nothing = {
    waiting: 0,
    oldestDueAt: null,
    inDoubt: 0,
    unmatchedTexts: 0,
    unknown: 0,
    jobsDue: 0,
    callbacksPending: 0,
    payments: { count: 0, since: null },
    registrations: { count: 0, since: null },
    carriers: [],
    processors: [],
  };
  expect(await read()).toEqual(nothing);
  await world.accept("+12025550100", { type: "TRANSACTIONAL" });
  await world.clock.advanceBy(hourMs);
  // this message is dispatched first, but has not waited longest
  await world.accept("+12025550101", { type: "OTP" });
  expect(await read()).toEqual({ ...nothing, waiting: 2, oldestDueAt: startMs });
  await world.dispatcher().start();
  await world.clock.settle();
  expect(await read()).toEqual(nothing);
});

it("readBacklog counts carriers by kind and the messages in their queues, and finds the oldest acceptance", async () => {
  const carrier = new ScriptedProvider("smpp-a");
  carrier.capacity = () => 0;
  await world.store.write(async (tx) => {
    const row = { tenantId: world.tenantId, isSecond: 0, kind: "smpp", sealedSettings: "", setAt: startMs } as const;
    await insertCarrier(tx, { ...row, name: "smpp-a", channel: "SMS" });
    await insertCarrier(tx, { ...row, name: "smpp-b", channel: "EMAIL" });
    await insertCarrier(tx, { ...row, kind: "freeswitch", name: "freeswitch-a", channel: "VOICE" });
    await insertCarrier(tx, { ...row, tenantId: EVERY_TENANT, kind: "smtp", name: "smtp-a", channel: "EMAIL" });
    // messages may still wait in a removed carrier's queue
    await removeCarrier(tx, { tenantId: EVERY_TENANT, channel: "EMAIL", isSecond: 0, now: startMs });
    for (const name of ["smpp-b", "freeswitch-a"]) {
      await saveCarrierState(tx, { name, downWords: "refused", now: startMs });
    }
  });
  for (const type of ["MARKETING", "OTP", "TRANSACTIONAL"] as const) {
    await world.accept("+12025550100", { type });
    await world.clock.advanceBy(hourMs / 60);
  }
  await world.accept("+12025550101", { type: "OTP" });
  await world.dispatcher({ carriers: carryForAll({ SMS: carrier }) }).start();
  await world.clock.settle();
  const floors = new QueueFloors(() => performance.now());
  const backlog = await world.store.read((tx) => readBacklog(tx, world.clock.now(), floors.beginScan()));
  expect(backlog).toMatchObject({
    waiting: 0,
    oldestDueAt: null,
    carriers: [
      { kind: "freeswitch", up: 0, down: 1, waiting: 0, oldestAt: null },
      { kind: "smpp", up: 1, down: 1, waiting: 4, oldestAt: startMs },
      { kind: "smtp", up: 0, down: 0, waiting: 0, oldestAt: null },
    ],
  });
});

it.each([
  ["of another tenant", { carrier: "smtp-a", messageClass: 1, tenantId: 2 }],
  ["of another class", { carrier: "smtp-a", messageClass: 2, tenantId: 1 }],
  ["of another carrier", { carrier: "smtp-b", messageClass: 1, tenantId: 1 }],
])(
  "readBacklog finds the oldest queued message even if it is %s than the first message",
  async (_whose, { tenantId, ...key }) => {
    const store = await openTestStore({ now: () => startMs });
    const enter = (messageId: string, createdAt: number, owner: number, queue: QueueKey) =>
      store.write((tx) =>
        enterQueue(
          tx,
          { messageId, tenantId: owner, createdAt, asks: 0, isQueued: 0, giveUpAt: null },
          { ...queue, expiresAt: startMs + hourMs },
        ),
      );
    await store.write(async (tx) => {
      const slot = { tenantId: 1, isSecond: 0, sealedSettings: "", setAt: startMs } as const;
      await insertCarrier(tx, { ...slot, name: "smtp-a", kind: "smtp", channel: "EMAIL" });
      await insertCarrier(tx, { ...slot, name: "smpp-a", kind: "smpp", channel: "SMS" });
    });
    await enter("msg_1", startMs + 2, 1, { carrier: "smtp-a", messageClass: 1 });
    await enter("msg_2", startMs + 1, tenantId, key);
    await enter("msg_3", startMs + 3, 1, { carrier: "smtp-c", messageClass: 3 });
    // a carrier of another kind
    await enter("msg_4", startMs, 1, { carrier: "smpp-a", messageClass: 0 });
    const floors = new QueueFloors(() => performance.now());
    const { carriers } = await store.read((tx) => readBacklog(tx, startMs, floors.beginScan()));
    expect(carriers.map(({ waiting, oldestAt }) => [waiting, oldestAt])).toEqual([
      [1, startMs],
      [3, startMs + 1],
    ]);
    await store.close();
  },
);
