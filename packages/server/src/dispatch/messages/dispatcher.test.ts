import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryForAll } from "../../carriers/carriers.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Store } from "../../store/store.ts";
import { createWorld, hourMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { Listening } from "./dispatcher.ts";

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

describe("a queued message", () => {
  it("is not sent after its recipient has opted out, and releases its units", async () => {
    const messageId = await world.accept("+12025550100", { units: 3, creditUnits: 2 });
    expect(await world.usage()).toEqual({ used: 0, reserved: 3, credits: 8 });
    await world.setConsent("+12025550100", "OPT_OUT");
    await world.dispatcher().start();
    await world.clock.settle();
    expect(await world.message(messageId)).toMatchObject({
      status: "FAILED",
      deliveryReason: "OPTED_OUT",
      attempts: 0,
    });
    expect(provider.submissions).toEqual([]);
    expect(await world.usage()).toEqual({ used: 0, reserved: 0, credits: 10 });
    expect(await world.outbox()).toEqual([]);
  });

  it("is not sent to an address that opted out in another spelling", async () => {
    await world.setConsent("jane@example.com", "OPT_OUT");
    const messageId = await world.accept("Jane@example.com", { type: "MARKETING" });
    await world.dispatcher().start();
    await world.clock.settle();
    expect(await world.message(messageId)).toMatchObject({ status: "FAILED", deliveryReason: "OPTED_OUT" });
  });

  it("is sent despite an opt-out that does not cover it", async () => {
    await world.setConsent("jane@example.com", "OPT_OUT");
    const messageId = await world.accept("jane@example.com", { type: "TRANSACTIONAL" });
    await world.dispatcher().start();
    await world.clock.settle();
    expect((await world.message(messageId)).status).toBe("SENT");
  });

  it("is not sent again if its recipient opts out before the second attempt", async () => {
    const messageId = await world.accept("+12025550100");
    provider.onSubmit = () => Promise.reject(new Error("connection reset"));
    provider.onFind = async () => ({ outcome: "absent" });
    await world.dispatcher().start();
    await world.clock.settle();
    await world.setConsent("+12025550100", "OPT_OUT");
    await world.clock.advanceBy(1_000);
    expect(await world.message(messageId)).toMatchObject({
      status: "FAILED",
      deliveryReason: "OPTED_OUT",
      attempts: 1,
    });
    expect(provider.submissions).toHaveLength(1);
  });

  it.each([1, 2, 64])("is sent by priority and then by age, with %i in flight", async (concurrency) => {
    const accepted: { messageId: string; queueOrder: number }[] = [];
    for (const queueOrder of [2, 1, 0, 0, 2, 1, 0]) {
      accepted.push({ messageId: await world.accept("+12025550100", { queueOrder }), queueOrder });
      await world.clock.advanceBy(1_000);
    }
    await world.dispatcher({ concurrency }).start();
    await world.clock.settle();
    const expected = accepted.toSorted((one, other) => one.queueOrder - other.queueOrder);
    expect(provider.submissions.map(({ clientReference }) => clientReference)).toEqual(
      expected.map(({ messageId }) => messageId),
    );
  });

  it("expires if it could not be submitted for 72 hours", async () => {
    const messageId = await world.accept("+12025550100", { units: 2 });
    await world.clock.advanceBy(72 * hourMs);
    await world.dispatcher().start();
    await world.clock.settle();
    expect(await world.message(messageId)).toMatchObject({ status: "EXPIRED", deliveryReason: "TTL_EXPIRED" });
    expect(provider.submissions).toEqual([]);
    expect(await world.usage()).toMatchObject({ used: 0, reserved: 0 });
  });

  it("expires together with other messages of its quota, and returns credits only once", async () => {
    for (const creditUnits of [0, 1]) await world.accept("+12025550100", { creditUnits });
    // both messages exceed the limit now
    await world.store.write((tx) => tx.run("UPDATE quotas SET monthly_limit = 0 WHERE channel = 'SMS'"));
    await world.clock.advanceBy(72 * hourMs);
    await world.dispatcher().start();
    await world.clock.settle();
    expect(Object.values(await world.statuses())).toEqual(["EXPIRED", "EXPIRED"]);
    expect(await world.usage()).toEqual({ used: 0, reserved: 0, credits: 10 });
  });

  it("delays no other message if it cannot be handled, and is retried later", async () => {
    await world.setConsent("jane@example.com", "OPT_OUT");
    const faulty = await world.accept("jane@example.com", { type: "MARKETING" });
    const setReserved = (units: number) =>
      world.store.write((tx) => tx.run("UPDATE usage SET reserved = $1 WHERE channel = 'EMAIL'", units));
    // the reservation that the message would release is missing
    await setReserved(0);
    const others = [await world.accept("+12025550100"), await world.accept("+12025550101")];
    await world.dispatcher().start();
    await world.clock.advanceBy(5_000);
    expect(provider.submissions.map(({ clientReference }) => clientReference)).toEqual(others);
    expect(world.logged).toContain("a message could not be handled, and is set aside for 5 minutes");
    expect((await world.message(faulty)).status).toBe("QUEUED");
    await setReserved(1);
    await world.clock.advanceBy(5 * 60_000);
    expect(await world.message(faulty)).toMatchObject({ status: "FAILED", deliveryReason: "OPTED_OUT" });
  });

  it("expires uncharged if its provider had no capacity for 72 hours", async () => {
    const messageId = await world.accept("+12025550100");
    provider.onSubmit = async () => ({ outcome: "deferred", retryAfterMs: hourMs, detail: "busy" });
    await world.dispatcher().start();
    await world.clock.advanceBy(71 * hourMs);
    expect(await world.message(messageId)).toMatchObject({ status: "QUEUED", attempts: 72 });
    await world.clock.advanceBy(hourMs);
    expect(await world.message(messageId)).toMatchObject({ status: "EXPIRED", deliveryReason: "TTL_EXPIRED" });
    expect(await world.usage()).toMatchObject({ used: 0, reserved: 0 });
  });

  it.each<[string, ScriptedProvider["onSubmit"]]>([
    ["accepted it late", async () => ({ outcome: "taken", providerMessageId: "p1" })],
    ["was found to have accepted it", () => Promise.reject(new Error("ECONNRESET"))],
  ])("waits 72 hours for its receipt after its provider %s", async (_how, onSubmit) => {
    const messageId = await world.accept("+12025550100");
    provider.onSubmit = async () => ({ outcome: "deferred", retryAfterMs: hourMs, detail: "busy" });
    provider.onFind = async () => ({ outcome: "taken", providerMessageId: "p1" });
    await world.dispatcher().start();
    await world.clock.advanceBy(70 * hourMs);
    provider.onSubmit = onSubmit;
    await world.clock.advanceBy(hourMs + 60_000);
    expect((await world.message(messageId)).status).toBe("SENT");
    await world.clock.advanceBy(71 * hourMs);
    expect((await world.message(messageId)).status).toBe("SENT");
    await world.clock.advanceBy(2 * hourMs);
    expect(await world.message(messageId)).toMatchObject({ status: "UNKNOWN", charge: "SETTLED" });
  });

  it("waits if no provider serves its channel, and then expires uncharged", async () => {
    const messageId = await world.accept("jane@example.com");
    await world.dispatcher({ carriers: carryForAll({ SMS: provider }) }).start();
    await world.clock.settle();
    expect(await world.message(messageId)).toMatchObject({ status: "QUEUED", charge: "RESERVED" });
    await world.clock.advanceBy(72 * hourMs);
    expect(await world.message(messageId)).toMatchObject({ status: "EXPIRED", charge: "RELEASED" });
  });

  it("is dropped if another operation has ended it, and delays no other message", async () => {
    const canceled = await world.accept("+12025550100");
    const next = await world.accept("+12025550100");
    await world.store.write((tx) => tx.run("UPDATE messages SET status = 'CANCELED' WHERE message_id = $1", canceled));
    await world.dispatcher().start();
    await world.clock.settle();
    expect(await world.statuses()).toEqual({ [canceled]: "CANCELED", [next]: "SENT" });
    expect(await world.outbox()).toEqual([{ messageId: next, state: "awaiting" }]);
  });

  it("raises each usage alert once, when its units are charged", async () => {
    const dispatcher = world.dispatcher();
    await dispatcher.start();
    // one after another, because messages in flight at once end in any order
    for (const units of [40, 9, 1, 45, 30, 5]) {
      await world.accept("+12025550100", { units });
      dispatcher.notify();
      await world.clock.settle();
    }
    const alerts = await world.store.read((tx) =>
      tx.all(`SELECT threshold_percent AS percent, severity, occurrence, message FROM alerts ORDER BY alert_id`),
    );
    const alert = (percent: number, severity: string, used: number) => ({
      percent,
      severity,
      occurrence: `2025-06-01:${percent}`,
      message: `SMS usage has reached ${percent} % of the monthly limit: ${used} of 100.`,
    });
    expect(alerts).toEqual([
      alert(50, "INFO", 50),
      alert(80, "WARNING", 95),
      alert(90, "WARNING", 95),
      alert(100, "CRITICAL", 125),
    ]);
  });
});

describe("a process under load", () => {
  beforeEach(async () => {
    for (let count = 0; count < 150; count += 1) await world.accept("+12025550100");
  });

  it("rests between batches while sends arrive, and dispatches all of them in the end", async () => {
    const dispatcher = world.dispatcher({ heldUp: () => 1 });
    dispatcher.notify();
    await dispatcher.start();
    await world.clock.settle();
    expect(provider.submissions).toHaveLength(32);
    dispatcher.notify();
    await world.clock.advanceBy(2);
    expect(provider.submissions).toHaveLength(32);
    await world.clock.advanceBy(1);
    expect(provider.submissions).toHaveLength(64);
    await world.clock.advanceBy(3);
    expect(provider.submissions).toHaveLength(150);
  });

  it("delays no message for more than a minute because of load", async () => {
    const dispatcher = world.dispatcher({ heldUp: () => 1 });
    await world.clock.advanceBy(60_001);
    dispatcher.notify();
    await dispatcher.start();
    await world.clock.settle();
    expect(provider.submissions).toHaveLength(32);
    dispatcher.notify();
    await world.clock.advanceBy(3);
    expect(provider.submissions).toHaveLength(150);
  });

  it("does not slow down for its own backlog", async () => {
    await world.dispatcher({ heldUp: () => 1 }).start();
    await world.clock.settle();
    expect(provider.submissions).toHaveLength(150);
  });
});

it("the dispatcher batches messages that arrive within a few milliseconds", async () => {
  const dispatcher = world.dispatcher({ heldUp: () => 0 });
  const accept = async (count: number) => {
    for (let message = 0; message < count; message += 1) {
      await world.accept("+12025550100");
      dispatcher.notify();
    }
    await world.clock.settle();
  };
  await dispatcher.start();
  await world.clock.settle();
  await accept(1);
  expect(provider.submissions).toHaveLength(1);
  await accept(3);
  expect(provider.submissions).toHaveLength(1);
  await world.clock.advanceBy(8);
  expect(provider.submissions).toHaveLength(4);
});

describe("createDispatcher", () => {
  it("handles everything due, in several rounds, and wakes when the next message is due", async () => {
    for (let count = 0; count < 9; count += 1) await world.accept("+12025550100");
    await world.dispatcher({ concurrency: 2 }).start();
    await world.clock.settle();
    expect(provider.submissions).toHaveLength(9);
    await world.clock.advanceBy(72 * hourMs - 1);
    expect(await world.outbox()).toHaveLength(9);
    await world.clock.advanceBy(1);
    expect(await world.outbox()).toEqual([]);
  });

  it("does not claim look-ups more often because of a backlog of sends", async () => {
    for (let count = 0; count < 150; count += 1) await world.accept("+12025550100");
    let claims = 0;
    const write: Store["write"] = (work, priority) => {
      if (priority === "claim") claims += 1;
      return world.store.write(work, priority);
    };
    // like the machine's clock, fires for a past time while other work continues
    const at: Clock["at"] = (dueMs, wake) => {
      if (dueMs > world.clock.now()) return world.clock.at(dueMs, wake);
      const immediate = setImmediate(wake);
      return () => clearImmediate(immediate);
    };
    await world.dispatcher({ store: { ...world.store, write }, clock: { ...world.clock, at } }).start();
    await world.clock.settle();
    expect(provider.submissions).toHaveLength(150);
    // three claims of up to 64, the last of which finds no more, and one claim of look-ups
    expect(claims).toBe(3 + 1);
  });

  it("sends the oldest message first", async () => {
    const accepted: string[] = [];
    for (let count = 0; count < 5; count += 1) accepted.push(await world.accept("+12025550100"));
    await world.dispatcher({ concurrency: 1 }).start();
    await world.clock.settle();
    expect(provider.submissions.map(({ clientReference }) => clientReference)).toEqual(accepted);
  });

  it("claims nothing before start()", async () => {
    await world.accept("+12025550100");
    world.dispatcher().notify();
    await world.clock.advanceBy(hourMs);
    expect(provider.submissions).toEqual([]);
  });

  it("claims nothing after stop()", async () => {
    const dispatcher = world.dispatcher();
    await dispatcher.start();
    await dispatcher.stop();
    await world.accept("+12025550100");
    dispatcher.notify();
    await world.clock.advanceBy(hourMs);
    expect(provider.submissions).toEqual([]);
  });

  it("rejects a lease that a call could outlast", () => {
    expect(() => world.dispatcher({ leaseMs: 10_000, callTimeoutMs: 10_000 })).toThrow(RangeError);
  });
});

describe("the time since which carriers' reports are recorded", () => {
  it("begins at the start, and again at the end of a long outage", () => {
    const listening = new Listening();
    expect(listening.sinceWhen(0)).toBe(Number.POSITIVE_INFINITY);
    listening.begin(1_000);
    expect(listening.sinceWhen(2_000)).toBe(1_000);
    listening.noteFailure(2_000);
    listening.noteFailure(2_000 + 9 * 60_000);
    const endsAt = 2_000 + 10 * 60_000;
    expect(listening.sinceWhen(endsAt)).toBe(endsAt);
    listening.noteSuccess(endsAt);
    expect(listening.sinceWhen(endsAt + 60_000)).toBe(endsAt);
  });

  it("is unaffected if a write fails now and then", () => {
    const listening = new Listening();
    listening.begin(1_000);
    for (const minute of [1, 20, 40]) {
      listening.noteFailure(minute * 60_000);
      listening.noteSuccess((minute + 5) * 60_000);
    }
    listening.noteSuccess(60 * 60_000);
    expect(listening.sinceWhen(60 * 60_000)).toBe(1_000);
  });
});
