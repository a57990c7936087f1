// After a restore, the database may be older than its carriers. Whatever they answer, each waiting message is looked up
// before it is submitted, and nothing else waits for the answers.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryForAll } from "../../carriers/carriers.ts";
import type { Provider } from "../../carriers/provider.ts";
import { leaveQueue } from "../../domain/messages/carrier-queue-rows.ts";
import { listDue, setAside } from "../../domain/messages/outbox-rows.ts";
import { QueueFloors } from "../../store/queue/engine.ts";
import { beginSuspicion } from "../../store/restorations.ts";
import type { Transaction } from "../../store/store.ts";
import { createWorld, hourMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider, silence } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { restore } from "./restoration.ts";

const to = "+12025550100";

let world: World<ScriptedProvider>;
let provider: ScriptedProvider;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
  provider = world.provider;
});

afterEach(() => world.close());

async function accept(count: number): Promise<string[]> {
  const messageIds: string[] = [];
  while (messageIds.length < count) messageIds.push(await world.accept(to));
  return messageIds;
}

/** Sends messages that the carrier accepts. */
async function send(count: number): Promise<string[]> {
  const messageIds = await accept(count);
  const dispatcher = world.dispatcher();
  await dispatcher.start();
  await world.clock.settle();
  await dispatcher.stop();
  provider.submissions.length = 0;
  provider.mostAtOnce = 0;
  return messageIds;
}

const listDoubted = (tx: Transaction) =>
  tx.all("SELECT message_id FROM doubts UNION ALL SELECT message_id FROM suspected_messages");
const putBack = () => world.store.write((tx) => restore(tx, world.clock.now()));
const submitted = () => provider.submissions.map(({ clientReference }) => clientReference);
const taken = async (clientReference: string) =>
  ({ outcome: "taken", providerMessageId: `p-${clientReference}` }) as const;

it("a message that had left its carrier's queue is looked up after a restore", async () => {
  provider.capacity = () => 0;
  const [messageId = ""] = await accept(1);
  const dispatcher = world.dispatcher();
  await dispatcher.start();
  await world.clock.settle();
  await dispatcher.stop();
  await world.store.write((tx) => leaveQueue(tx, { carrier: provider.name, now: world.clock.now(), limit: 1 }));
  await putBack();
  provider.onFind = silence;
  await world.dispatcher().start();
  await world.clock.advanceBy(73 * hourMs);
  expect(provider.lookups).toContain(messageId);
  expect(await world.statuses()).toEqual({ [messageId]: "UNKNOWN" });
});

it.each([
  ["deferred by the carrier", () => ({ SMS: provider })],
  ["without a carrier", () => ({})],
])(
  "a message that was %s before the restore is assigned to the carrier that turns out to have it",
  async (_, before) => {
    const deferral = { outcome: "deferred", retryAfterMs: hourMs, detail: "later" } as const;
    provider.onSubmit = async () => deferral;
    const [messageId = ""] = await accept(1);
    const first = world.dispatcher({ carriers: carryForAll(before()) });
    await first.start();
    await world.clock.settle();
    await first.stop();
    expect(await world.statuses()).toEqual({ [messageId]: "QUEUED" });
    await putBack();
    provider.onFind = taken;
    await world.dispatcher().start();
    await world.clock.advanceBy(hourMs);
    expect(await world.statuses()).toEqual({ [messageId]: "SENT" });
    const rows = await world.store.read((tx) => tx.all("SELECT provider FROM messages"));
    expect(rows).toEqual([{ provider: provider.name }]);
  },
);

/** Starts a dispatcher. `asked` resolves when `listNewest` is called, which is after the database was read. */
function begin(dispatcher: { start(): Promise<void> }) {
  const { listNewest } = provider;
  let tell = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  provider.listNewest = async (...question) => {
    tell();
    return (await listNewest?.(...question)) ?? [];
  };
  const started = dispatcher.start();
  return { started, asked: Promise.race([told, started]) };
}

/** Starts a dispatcher, and lets the carrier's timeout pass. */
async function startUnanswered(dispatcher: { start(): Promise<void> }, ms = 10_000): Promise<void> {
  const { started, asked } = begin(dispatcher);
  await asked;
  await world.clock.advanceBy(ms);
  await started;
}

it("a restoration leaves messages alone that another process has leased, until the lease expires", async () => {
  const [messageId = ""] = await accept(1);
  provider.onSubmit = silence;
  await world.dispatcher({ callTimeoutMs: 15_000 }).start();
  await world.clock.settle();
  provider.listNewest = silence;
  await startUnanswered(world.dispatcher({ callTimeoutMs: 1_000 }), 14_000);
  expect([submitted(), provider.lookups]).toEqual([[messageId], []]);
  provider.onFind = taken;
  await world.clock.advanceBy(10_000);
  expect(provider.lookups).toContain(messageId);
  expect([submitted(), await world.statuses()]).toEqual([[messageId], { [messageId]: "SENT" }]);
});

describe("a message that the carrier had accepted", () => {
  it("is looked up until the carrier answers", async () => {
    const [messageId = ""] = await send(1);
    await putBack();
    const answers: ScriptedProvider["onFind"][] = [
      silence,
      () => Promise.reject(new Error("ECONNREFUSED")),
      async () => ({ outcome: "unknown" }),
    ];
    provider.onFind = (reference, signal) => (answers.shift() ?? taken)(reference, signal);
    await world.dispatcher().start();
    await world.clock.advanceBy(hourMs);
    expect(provider.lookups).toEqual(Array(4).fill(messageId));
    expect(await world.message(messageId)).toMatchObject({ status: "SENT", charge: "SETTLED" });
    expect(await world.outbox()).toEqual([{ messageId, state: "awaiting" }]);
    expect(submitted()).toEqual([]);
  });

  it("is looked up at growing intervals for 72 hours if the carrier cannot tell", async () => {
    const [messageId = ""] = await send(1);
    await putBack();
    const restoredAt = world.clock.now();
    await world.dispatcher().start();
    await world.clock.advanceTo(restoredAt + 72 * hourMs - 1);
    expect((await world.message(messageId)).status).toBe("SENT");
    await world.clock.advanceBy(1);
    expect(await world.message(messageId)).toMatchObject({ status: "UNKNOWN", charge: "SETTLED", attempts: 1 });
    expect(provider.lookups.length).toBeGreaterThan(72);
    expect(provider.lookups.length).toBeLessThan(100);
    expect(submitted()).toEqual([]);
    expect(await world.outbox()).toEqual([]);
  });
});

it("a message that waited for a retry in the backup is found if the carrier accepted it later", async () => {
  provider.onSubmit = async () => ({ outcome: "deferred", retryAfterMs: 60_000, detail: "later" });
  const [messageId = ""] = await send(1);
  provider.listNewest = async () => [messageId];
  provider.onFind = taken;
  await world.dispatcher().start();
  await world.clock.advanceBy(60_000);
  expect([provider.lookups, submitted()]).toEqual([[messageId], []]);
  expect(await world.statuses()).toEqual({ [messageId]: "SENT" });
});

it("a message in doubt whose look-up was postponed is looked up later", async () => {
  const [messageId = ""] = await accept(1);
  await putBack();
  await world.store.write(async (tx) => {
    const now = world.clock.now();
    const [row] = await listDue(tx, { now, limit: 1, scan: new QueueFloors(world.clock.elapsed).beginScan() });
    if (row !== undefined) await setAside(tx, row, { now, dueAt: now + 60_000, giveUpAt: now + hourMs });
  });
  provider.onFind = taken;
  await world.dispatcher().start();
  await world.clock.advanceBy(60_000);
  expect([provider.lookups, submitted()]).toEqual([[messageId], []]);
});

describe("while waiting messages are looked up", () => {
  const settings = { concurrency: 8 };

  it.each([
    ["the carrier had", send],
    ["were waiting", accept],
  ])(
    "a new message is sent immediately, even if the carrier answers no look-up of messages that %s",
    async (_where, before) => {
      await before(40);
      await putBack();
      provider.onFind = silence;
      const dispatcher = world.dispatcher(settings);
      await dispatcher.start();
      await world.clock.advanceBy(5_000);
      expect(provider.lookups.length).toBeGreaterThan(0);
      const sent = await accept(8);
      dispatcher.notify();
      await world.clock.settle();
      expect(submitted()).toEqual(sent);
      await world.clock.advanceBy(hourMs);
      expect(submitted()).toEqual(sent);
      expect(new Set(provider.lookups).size).toBe(40);
      expect(provider.mostAtOnce).toBeLessThanOrEqual(10);
    },
  );

  it("look-ups do not wait for submissions that a carrier does not answer", async () => {
    const doubted = await accept(1);
    await putBack();
    await accept(20);
    provider.onSubmit = silence;
    provider.onFind = taken;
    await world.dispatcher(settings).start();
    await world.clock.settle();
    expect(submitted()).toHaveLength(8);
    expect(provider.lookups).toEqual(doubted);
  });

  it("messages that may have to be sent are looked up first, and all other messages a few at a time", async () => {
    await send(300);
    const inQueue = await accept(3);
    await putBack();
    provider.onFind = taken;
    await world.dispatcher().start();
    await world.clock.settle();
    expect(provider.lookups).toEqual(inQueue);
    await world.clock.advanceBy(1_000);
    expect(provider.lookups).toHaveLength(3 + 50);
    await world.clock.advanceBy(5_000);
    expect(provider.lookups).toHaveLength(303);
  });
});

describe("instances that start at the same time on a database older than its carrier", () => {
  const olderText =
    "the database is older than its carrier's records: waiting messages are looked up at the carrier before they are sent";
  const countRestorations = async () =>
    (await world.store.read((tx) => tx.all("SELECT restored_at FROM restorations"))).length;
  const start = () => world.dispatcher({ isAlone: false }).start();

  it("handle the restore only once", async () => {
    provider.listNewest = async () => ["msg_gone"];
    await Promise.all([start(), start(), start()]);
    expect([await countRestorations(), world.logged]).toEqual([1, [olderText]]);
  });

  it("handle the restore only once if one of them sees newer messages at the carrier", async () => {
    provider.listNewest = async () => {
      // another instance starts in the meantime and sees a newer message
      provider.listNewest = async () => ["msg_later", "msg_gone"];
      await start();
      return ["msg_gone"];
    };
    await start();
    expect([await countRestorations(), world.logged]).toEqual([1, [olderText]]);
  });
});

describe("a carrier that does not list its newest messages", () => {
  it.each<[string, NonNullable<Provider["listNewest"]>]>([
    ["never answers", silence],
    ["fails", () => Promise.reject(new Error("ECONNREFUSED"))],
  ])("is asked about each waiting message if it %s, and gets later messages immediately", async (_how, listNewest) => {
    const [had = ""] = await send(1);
    const [gone = "", absent = ""] = await accept(2);
    provider.listNewest = listNewest;
    provider.onFind = async (reference) => (reference === gone ? taken(reference) : { outcome: "absent" });
    const dispatcher = world.dispatcher();
    await startUnanswered(dispatcher);
    const [later = ""] = await accept(1);
    dispatcher.notify();
    await world.clock.advanceBy(1_000);
    expect(provider.lookups).toEqual([gone, absent]);
    expect(submitted().toSorted()).toEqual([absent, later]);
    expect(await world.statuses()).toEqual({ [had]: "SENT", [gone]: "SENT", [absent]: "SENT", [later]: "SENT" });
    expect(world.logged).toEqual([
      "a carrier did not list its messages: waiting messages are looked up there before they are sent",
    ]);
  });

  describe("beside a carrier that cannot look up messages", () => {
    const address = "ada@mail.example";
    let mute: ScriptedProvider;

    beforeEach(() => {
      mute = new ScriptedProvider("mute");
      delete mute.find;
      mute.onSubmit = async ({ clientReference }, { handOver }) => {
        await handOver();
        return { outcome: "taken", providerMessageId: `m-${clientReference}` };
      };
    });

    const start = async () => {
      const dispatcher = world.dispatcher({ carriers: carryForAll({ SMS: provider, EMAIL: mute }) });
      await startUnanswered(dispatcher);
      await world.clock.settle();
      return dispatcher;
    };
    const givenToMute = () => mute.submissions.map(({ clientReference }) => clientReference);

    it("is asked about its messages, while the other carrier gets its messages immediately", async () => {
      const [text, mail] = [await world.accept(to), await world.accept(address)];
      provider.listNewest = silence;
      await start();
      expect([provider.lookups, givenToMute()]).toEqual([[text], [mail]]);
    });

    it("is asked about the messages in its queue, but not about those in the other carrier's queue", async () => {
      provider.capacity = () => 0;
      mute.capacity = () => 0;
      const [text, mail] = [await world.accept(to), await world.accept(address)];
      await (await start()).stop();
      provider.listNewest = silence;
      mute.capacity = () => 1;
      await start();
      expect([provider.lookups, givenToMute()]).toEqual([[text], [mail]]);
    });

    it("is asked about messages that wait for a retry", async () => {
      provider.onSubmit = async () => ({ outcome: "deferred", retryAfterMs: 60_000, detail: "later" });
      mute.onSubmit = async () => ({ outcome: "deferred", retryAfterMs: 60_000, detail: "later" });
      const [text, mail] = [await world.accept(to), await world.accept(address)];
      await (await start()).stop();
      provider.listNewest = silence;
      await start();
      await world.clock.advanceBy(60_000);
      expect([provider.lookups.slice(0, 1), submitted()]).toEqual([[text], [text]]);
      expect(givenToMute()).toEqual([mail, mail]);
    });

    it("is asked about messages that had left its queue, while the other carrier gets its messages immediately", async () => {
      provider.capacity = () => 0;
      mute.capacity = () => 0;
      const [text, mail] = [await world.accept(to), await world.accept(address)];
      await (await start()).stop();
      const now = world.clock.now();
      for (const carrier of [provider.name, mute.name])
        await world.store.write((tx) => leaveQueue(tx, { carrier, now, limit: 1 }));
      provider.listNewest = silence;
      mute.capacity = () => 1;
      await start();
      expect([provider.lookups, givenToMute()]).toEqual([[text], [mail]]);
    });

    it("does not put messages in doubt again that were looked up after a restore", async () => {
      provider.capacity = () => 0;
      const [text = ""] = await accept(1);
      await (await start()).stop();
      await world.store.write((tx) => leaveQueue(tx, { carrier: provider.name, now: world.clock.now(), limit: 1 }));
      await world.store.write((tx) =>
        beginSuspicion(tx, provider.name, { now: world.clock.now(), patienceMs: 72 * hourMs }),
      );
      await putBack();
      provider.onFind = async () => ({ outcome: "absent" });
      provider.capacity = () => 1;
      await start();
      await world.clock.advanceBy(60_000);
      expect([provider.lookups, submitted()]).toEqual([[text], [text]]);
      expect(await world.store.read(listDoubted)).toEqual([]);
    });
  });

  it("gets no messages before its timeout", async () => {
    provider.listNewest = silence;
    const dispatcher = world.dispatcher();
    const { started, asked } = begin(dispatcher);
    await asked;
    await accept(1);
    dispatcher.notify();
    await world.clock.advanceBy(9_999);
    expect(submitted()).toEqual([]);
    await world.clock.advanceBy(1);
    await started;
  });
});
