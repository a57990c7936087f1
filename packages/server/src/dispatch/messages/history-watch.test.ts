// Tests that an instance detects a restored database, which lacks its last hand-over: at a start, and while it runs.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock } from "../../development/clocks.ts";
import { agreeOnTimeline, renewHistory } from "../../store/lineage.ts";
import type { Store } from "../../store/store.ts";
import { createWorld, hourMs, startMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { createMemoryMark, type HandOverMark, HistoryInDoubt, HistoryWatch } from "./restoration.ts";

let world: World<ScriptedProvider>;
let provider: ScriptedProvider;
let mark: HandOverMark;
/** Ids of the messages that left for the carrier. */
let left: string[];

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
  provider = world.provider;
  delete provider.find;
  mark = createMemoryMark();
  left = [];
  provider.onSubmit = async ({ clientReference }, { handOver }) => {
    await handOver();
    left.push(clientReference);
    return { outcome: "taken", providerMessageId: `p-${clientReference}` };
  };
});
afterEach(() => world.close());

async function start(isAlone: boolean) {
  const dispatcher = world.dispatcher({ mark, isAlone });
  await dispatcher.start();
  await world.clock.settle();
  return dispatcher;
}

/** Returns the message to its state before it was claimed. */
async function goBack(messageId: string): Promise<void> {
  await world.store.write(async (tx) => {
    await tx.run(
      "UPDATE messages SET status = 'QUEUED', attempts = 0, provider = NULL WHERE message_id = $1",
      messageId,
    );
    await tx.run("DELETE FROM dispatches WHERE message_id = $1", messageId);
    if (tx.dialect.engine === "postgres") {
      await tx.run(
        `INSERT INTO outbox (queue_order, message_id, tenant_id, accepted_at)
         SELECT queue_order, message_id, tenant_id, created_at FROM messages WHERE message_id = $1`,
        messageId,
      );
    }
  });
}

/** Returns a store that delays the answer of the first hand-over until `answer` is called. */
function holdBack() {
  const held = { isWaiting: false, answer() {}, store: world.store };
  const write: Store["write"] = async (work, priority) => {
    const done = await world.store.write(work, priority);
    if (priority === "together" && !held.isWaiting) {
      held.isWaiting = true;
      await new Promise<void>((resolve) => (held.answer = resolve));
    }
    return done;
  };
  held.store = { ...world.store, write };
  return held;
}

const logger = { warn() {}, error() {} };
const countRestorations = async () =>
  (await world.store.read((tx) => tx.all("SELECT restored_at FROM restorations"))).length;
const saysThatItWentBack = () => world.logged.filter((text) => text.startsWith("the database went back"));

describe.each([true, false])("an instance (the only process on its database: %s)", (isAlone) => {
  it("does not resend a message that left before the database was restored", async () => {
    const messageId = await world.accept("+12025550100");
    await (await start(isAlone)).stop();
    expect([left, mark.latest]).toEqual([[messageId], [{ messageId, attempt: 1 }]]);
    await goBack(messageId);
    const other = await world.accept("+12025550101");
    const dispatcher = await start(isAlone);
    await world.clock.advanceBy(73 * hourMs);
    expect(left).toEqual([messageId]);
    expect(await world.statuses()).toEqual({ [messageId]: "UNKNOWN", [other]: "UNKNOWN" });
    expect(saysThatItWentBack()).toHaveLength(1);
    // a message accepted later is sent
    const later = await world.accept("+12025550102");
    dispatcher.notify();
    await world.clock.settle();
    expect(left).toEqual([messageId, later]);
  });

  it("accepts a database that has the hand-over, whatever the message's outcome", async () => {
    const outcomes = [
      { outcome: "deferred", retryAfterMs: 1_000, detail: "later" },
      { outcome: "refused", reason: "BLOCKED", isOptOut: false, detail: "no" },
      { outcome: "taken", providerMessageId: "p-1" },
    ] as const;
    for (const outcome of outcomes) {
      provider.onSubmit = async (_submission, { handOver }) => {
        await handOver();
        return outcome;
      };
      await world.accept("+12025550100");
      await (await start(isAlone)).stop();
      await (await start(isAlone)).stop();
    }
    expect(mark.latest).toHaveLength(1);
    expect(saysThatItWentBack()).toEqual([]);
  });

  it("does not resend its last message if another message's hand-over was acknowledged later", async () => {
    const first = await world.accept("+12025550100");
    const held = holdBack();
    // unlike the world's clock, this one does not wait for writes
    const clock = createVirtualClock(startMs);
    const dispatcher = world.dispatcher({ mark, isAlone, store: held.store, clock });
    await dispatcher.start();
    await expect.poll(() => held.isWaiting).toBe(true);
    await clock.advanceBy(10_000);
    await expect.poll(() => world.outbox()).toEqual([{ messageId: first, state: "ready" }]);
    const second = await world.accept("+12025550101");
    dispatcher.notify();
    await expect.poll(async () => (await world.message(second)).status).toBe("SENT");
    held.answer();
    await dispatcher.stop();
    expect(left).toEqual([second]);
    await goBack(second);
    await start(isAlone);
    await world.clock.advanceBy(73 * hourMs);
    expect(left).toEqual([second]);
    expect(await world.statuses()).toEqual({ [first]: "UNKNOWN", [second]: "UNKNOWN" });
  });

  it("detects an older database if only the hand-over is missing", async () => {
    const messageId = await world.accept("+12025550100");
    await (await start(isAlone)).stop();
    const leased = "UPDATE dispatches SET state = 'submitting', lease_token = 'x', due_at = $2 WHERE message_id = $1";
    await world.store.write(async (tx) => {
      await tx.run(leased, messageId, world.clock.now());
      await tx.run("UPDATE messages SET status = 'SENDING' WHERE message_id = $1", messageId);
    });
    await start(isAlone);
    await world.clock.advanceBy(hourMs);
    expect(left).toEqual([messageId]);
    expect(saysThatItWentBack()).toHaveLength(1);
  });
});

describe("one of several instances", () => {
  it("detects an older database while it runs, and resends nothing", async () => {
    const messageId = await world.accept("+12025550100");
    const dispatcher = await start(false);
    expect(left).toEqual([messageId]);
    await goBack(messageId);
    dispatcher.notify();
    await world.clock.advanceBy(hourMs);
    expect(left).toEqual([messageId]);
    expect(saysThatItWentBack()).toHaveLength(1);
  });

  /**
   * Makes the carrier hold messages until the returned function is called: before they leave, or before they are
   * answered.
   */
  function holdUp(stage: "before it leaves" | "before the answer") {
    const held = new Map<string, () => void>();
    provider.onSubmit = async ({ clientReference }, { handOver }) => {
      const wait = () => new Promise<void>((resolve) => held.set(clientReference, resolve));
      if (stage === "before it leaves") await wait();
      await handOver();
      left.push(clientReference);
      if (stage === "before the answer") await wait();
      return { outcome: "taken", providerMessageId: `p-${clientReference}` };
    };
    return async (messageId: string) => {
      held.get(messageId)?.();
      await world.clock.settle();
    };
  }

  it("does not hand over messages claimed before the database went back, so it resends nothing", async () => {
    const goOn = holdUp("before it leaves");
    const [lost, other] = [await world.accept("+12025550100"), await world.accept("+12025550101")];
    await start(false);
    await goOn(lost);
    await goBack(lost);
    await goOn(other);
    expect(left).toEqual([lost]);
    provider.onSubmit = async ({ clientReference }, { handOver }) => {
      await handOver();
      left.push(clientReference);
      return { outcome: "taken", providerMessageId: `p-${clientReference}` };
    };
    await world.clock.advanceBy(hourMs);
    expect(left).toEqual([lost, other]);
    expect(await world.statuses()).toEqual({ [lost]: "SENDING", [other]: "SENT" });
    expect(saysThatItWentBack()).toHaveLength(1);
  });

  it("does not record the answer to its last hand-over before it has detected other losses", async () => {
    const goOn = holdUp("before the answer");
    const [last, lost] = [await world.accept("+12025550100"), await world.accept("+12025550101")];
    let handOverLast = () => {};
    const { onSubmit } = provider;
    provider.onSubmit = async (submission, call) => {
      if (submission.clientReference === last) await new Promise<void>((resolve) => (handOverLast = resolve));
      return onSubmit(submission, call);
    };
    await start(false);
    handOverLast();
    await world.clock.settle();
    expect(left).toEqual([lost, last]);
    await goBack(lost);
    await world.store.write((tx) => tx.run("UPDATE dispatches SET state = 'submitting' WHERE message_id = $1", last));
    await goOn(last);
    await world.clock.advanceBy(73 * hourMs);
    expect(left).toEqual([lost, last]);
    expect(saysThatItWentBack()).toHaveLength(1);
  });

  it("does not resend the last message handed over if another hand-over was acknowledged later", async () => {
    const held = holdBack();
    const clock = createVirtualClock(startMs);
    const [first, second] = [await world.accept("+12025550100"), await world.accept("+12025550101")];
    const dispatcher = world.dispatcher({ mark, isAlone: false, store: held.store, clock });
    await dispatcher.start();
    await expect.poll(() => left).toEqual([second]);
    held.answer();
    await expect.poll(() => left).toEqual([second, first]);
    await expect.poll(() => world.statuses()).toEqual({ [first]: "SENT", [second]: "SENT" });
    await goBack(second);
    dispatcher.notify();
    await expect.poll(saysThatItWentBack).toHaveLength(1);
    await clock.advanceBy(1_000);
    await dispatcher.stop();
    expect(left).toEqual([second, first]);
  });

  it("records no restoration if another instance has recorded it", async () => {
    const messageId = await world.accept("+12025550100");
    const dispatcher = await start(false);
    await world.store.write((tx) => renewHistory(tx, "another"));
    await world.store.write((tx) => tx.run("DELETE FROM dispatches WHERE message_id = $1", messageId));
    await world.store.write((tx) => tx.run("UPDATE messages SET attempts = 0 WHERE message_id = $1", messageId));
    const later = await world.accept("+12025550101");
    dispatcher.notify();
    await world.clock.advanceBy(5_000);
    expect(left).toEqual([messageId, later]);
    expect(saysThatItWentBack()).toEqual([]);
  });
});

it("an instance compares all its last hand-overs, even if other instances have already accepted the timeline", async () => {
  const known = await world.accept("+12025550100");
  await (await start(false)).stop();
  const own = createMemoryMark();
  const one = new HistoryWatch({ store: world.store, clock: world.clock, logger, mark: own, isAlone: false });
  await one.begin();
  for (const messageId of ["msg_lost", known]) await own.note({ messageId, attempt: 1 }, []);
  const check = () => world.store.write((tx) => one.check(tx, { isOfAll: false }));
  await expect(check()).resolves.toBeUndefined();
  await world.store.write((tx) => agreeOnTimeline(tx, "00000002"));
  await expect(check()).rejects.toThrow(HistoryInDoubt);
  await one.review();
  await expect(check()).resolves.toBeUndefined();
  expect([own.latest, await countRestorations()]).toEqual([[], 1]);
});

describe("two instances whose hand-overs the database lacks", () => {
  /** Creates the watch of an instance that knew the database before it was restored. */
  async function watch(handedOver: string, store: Store = world.store) {
    const own = createMemoryMark();
    const one = new HistoryWatch({ store, clock: world.clock, logger, mark: own, isAlone: false });
    await one.review();
    await world.store.write((tx) => one.check(tx, { isOfAll: true }));
    await own.note({ messageId: handedOver, attempt: 1 }, []);
    return one;
  }

  it("record one restoration if one writes between the other's read and write", async () => {
    const first = await watch("msg_1");
    let isBack = false;
    const write: Store["write"] = async (work, priority) => {
      if (isBack) await first.review();
      return world.store.write(work, priority);
    };
    const second = await watch("msg_2", { ...world.store, write });
    isBack = true;
    await second.review();
    await world.store.write((tx) => second.check(tx, { isOfAll: true }));
    expect(await countRestorations()).toBe(1);
  });

  it("record one restoration if they write at the same time", async () => {
    const watches = [await watch("msg_1"), await watch("msg_2"), await watch("msg_3")];
    await Promise.all(watches.map((one) => one.review()));
    for (const one of watches) await world.store.write((tx) => one.check(tx, { isOfAll: true }));
    expect(await countRestorations()).toBe(1);
  });
});
