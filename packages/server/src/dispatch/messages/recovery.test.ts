// Crashes, silence and a failing store must never cause a second send, a second charge, or a stuck message.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryForAll } from "../../carriers/carriers.ts";
import { createRecipientDigest } from "../../domain/contacts.ts";
import { type Store, StoreUnavailable } from "../../store/store.ts";
import { createWorld, hourMs, startMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider, silence } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { createDispatcher, type Dispatcher } from "./dispatcher.ts";

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

/** Returns a store whose process can be killed. After that, none of its requests returns. */
function mortal({ store, clock }: World<ScriptedProvider>): { store: Store; kill: () => void } {
  let isAlive = true;
  let underWay = 0;
  // the database still completes requests that were sent before the kill
  clock.watch(() => underWay > 0);
  async function unlessDead<T>(result: Promise<T>): Promise<T> {
    underWay += 1;
    const value = await result.finally(() => {
      underWay -= 1;
    });
    return isAlive ? value : silence();
  }
  return {
    store: {
      ...store,
      read: (work) => unlessDead(store.read(work)),
      write: (work) => (isAlive ? unlessDead(store.write(work)) : silence()),
    },
    kill() {
      isAlive = false;
    },
  };
}

describe("a dispatcher that dies", () => {
  it("does not send a message twice if it dies before recording the provider's answer", async () => {
    const { store, kill } = mortal(world);
    const dying = await startDispatcherOutsideOfWorld(store);
    const messageId = await world.accept("+12025550100");
    provider.onSubmit = () => {
      kill();
      return Promise.resolve({ outcome: "taken", providerMessageId: "p-1" });
    };
    dying.notify();
    await world.clock.settle();
    expect(await world.outbox()).toEqual([{ messageId, state: "submitting" }]);
    expect((await world.message(messageId)).status).toBe("SENDING");

    provider.onFind = async () => ({ outcome: "taken", providerMessageId: "p-1" });
    await world.dispatcher().start();
    await world.clock.advanceBy(19_999);
    expect(provider.lookups).toEqual([]);
    await world.clock.advanceBy(1);
    expect(provider.lookups).toEqual([messageId]);
    expect(await world.message(messageId)).toMatchObject({ status: "SENT", providerMessageId: "p-1", attempts: 1 });
    expect(provider.submissions).toHaveLength(1);
    expect(await world.usage()).toMatchObject({ used: 1, reserved: 0 });
  });

  it.each([
    { proved: "taken", outcome: { outcome: "taken", providerMessageId: "p-1" } as const, end: { status: "SENT" } },
    // by now the message has expired
    {
      proved: "absent",
      outcome: { outcome: "absent" } as const,
      end: { status: "EXPIRED", deliveryReason: "TTL_EXPIRED", charge: "RELEASED" },
    },
  ])("leaves its message to be looked up even after 72 hours: $proved", async ({ outcome, end }) => {
    const { store, kill } = mortal(world);
    const dying = await startDispatcherOutsideOfWorld(store);
    const messageId = await world.accept("+12025550100");
    dying.notify();
    kill();
    await world.clock.advanceBy(100 * hourMs);
    provider.onFind = async () => outcome;
    await world.dispatcher().start();
    await world.clock.settle();
    expect(provider.lookups).toEqual([messageId]);
    expect(provider.submissions).toEqual([]);
    expect(await world.message(messageId)).toMatchObject(end);
  });

  it("leaves its message to be looked up for 72 more hours if no answer arrives", async () => {
    const { store, kill } = mortal(world);
    const dying = await startDispatcherOutsideOfWorld(store);
    const messageId = await world.accept("+12025550100");
    dying.notify();
    kill();
    await world.clock.advanceBy(100 * hourMs);
    provider.onFind = silence;
    await world.dispatcher().start();
    await world.clock.advanceBy(71 * hourMs);
    expect((await world.message(messageId)).status).toBe("SENDING");
    await world.clock.advanceBy(2 * hourMs);
    expect((await world.message(messageId)).status).toBe("UNKNOWN");
    expect(await world.outbox()).toEqual([]);
  });

  it("does not block the next process with its leases if the store is not shared", async () => {
    const { store, kill } = mortal(world);
    const dying = await startDispatcherOutsideOfWorld(store);
    const messageId = await world.accept("+12025550100");
    provider.onSubmit = () => {
      kill();
      return silence();
    };
    dying.notify();
    await world.clock.settle();

    provider.onFind = async () => ({ outcome: "taken", providerMessageId: "p-1" });
    await world.dispatcher({ isAlone: true }).start();
    await world.clock.settle();
    expect((await world.message(messageId)).status).toBe("SENT");
  });

  async function startDispatcherOutsideOfWorld(store: Store): Promise<Dispatcher> {
    const { clock } = world;
    const logger = { warn: () => undefined, error: () => undefined };
    const carriers = carryForAll({ SMS: provider });
    const dispatcher = createDispatcher({
      store,
      clock,
      carriers,
      logger,
      consentPolicy: "strict",
      digestRecipient: createRecipientDigest("pepper"),
    });
    await dispatcher.start();
    // the first claim is over, so the next notification causes a claim at once
    await clock.settle();
    return dispatcher;
  }
});

describe("a clock that is set back while a claim is committed", () => {
  it("prevents calls that might outlast the lease", async () => {
    const messageId = await world.accept("+12025550100");
    let elapsedMs = 0;
    const write: Store["write"] = async (work, priority) => {
      const claimed = await world.store.write(work, priority);
      // only the monotonic clock shows the elapsed time
      if (priority === "claim") elapsedMs += 15_000;
      return claimed;
    };
    const clock = { ...world.clock, elapsed: () => elapsedMs };
    await world.dispatcher({ store: { ...world.store, write }, clock }).start();
    await world.clock.settle();
    expect(provider.submissions).toEqual([]);
    expect((await world.message(messageId)).status).toBe("SENDING");
  });
});

describe("a provider that gives no answer", () => {
  it("gets no more calls than allowed, each with a timeout", async () => {
    for (let count = 0; count < 10; count += 1) await world.accept("+12025550100");
    provider.onSubmit = silence;
    await world.dispatcher({ concurrency: 4, callTimeoutMs: 1_000, leaseMs: 5_000 }).start();
    await world.clock.settle();
    expect(provider.submissions).toHaveLength(4);
    await world.clock.advanceBy(1_000);
    expect(provider.submissions).toHaveLength(8);
    await world.clock.advanceBy(2_000);
    expect(provider.submissions).toHaveLength(10);
    // 4 submissions, and 1 look-up of a message whose submission timed out
    expect(provider.mostAtOnce).toBe(4 + 1);
  });

  it("is asked at growing intervals for 72 hours, and nothing is sent again", async () => {
    const messageId = await world.accept("+12025550100");
    provider.onSubmit = silence;
    provider.onFind = silence;
    await world.dispatcher().start();
    await world.clock.advanceTo(startMs + 72 * hourMs - 1);
    expect(await world.message(messageId)).toMatchObject({ status: "SENDING", charge: "RESERVED" });
    await world.clock.advanceBy(1);
    expect(await world.message(messageId)).toMatchObject({ status: "UNKNOWN", charge: "SETTLED", attempts: 1 });
    expect(provider.submissions).toHaveLength(1);
    expect(provider.lookups.length).toBeGreaterThan(72);
    expect(provider.lookups.length).toBeLessThan(100);
    expect(await world.outbox()).toEqual([]);
  });

  it("is abandoned by stop() after a limited time, and the message stays in doubt", async () => {
    const messageId = await world.accept("+12025550100");
    provider.onSubmit = silence;
    const dispatcher = world.dispatcher({ drainMs: 2_000 });
    await dispatcher.start();
    await world.clock.settle();
    let hasStopped = false;
    const stopped = dispatcher.stop().then(() => {
      hasStopped = true;
    });
    await world.clock.advanceBy(1_999);
    expect(hasStopped).toBe(false);
    await world.clock.advanceBy(1);
    await stopped;
    expect(await world.outbox()).toEqual([{ messageId, state: "reconciling" }]);
  });
});

describe("a store that fails", () => {
  it("makes the dispatcher retry its claims", async () => {
    let failures = 0;
    const store: Store = {
      ...world.store,
      write(work) {
        failures -= 1;
        return failures < 0 ? world.store.write(work) : Promise.reject(new StoreUnavailable("the disk is full"));
      },
    };
    const dispatcher = world.dispatcher({ store });
    await dispatcher.start();
    await world.clock.settle();
    const messageId = await world.accept("+12025550100");
    failures = 3;
    dispatcher.notify();
    await world.clock.advanceBy(3_000);
    expect((await world.message(messageId)).status).toBe("SENT");
    expect(world.logged).toContain("failed to claim messages from the outbox; retrying");
  });

  it("leaves the message to be looked up if its outcome cannot be recorded", async () => {
    const messageId = await world.accept("+12025550100");
    let isFull = false;
    provider.onSubmit = async () => {
      isFull = true;
      return { outcome: "taken", providerMessageId: "p-1" };
    };
    const store: Store = {
      ...world.store,
      write: (work) => (isFull ? Promise.reject(new StoreUnavailable("the disk is full")) : world.store.write(work)),
    };
    await world.dispatcher({ store }).start();
    await world.clock.settle();
    isFull = false;
    provider.onFind = async () => ({ outcome: "taken", providerMessageId: "p-1" });
    await world.clock.advanceBy(30_000);
    expect((await world.message(messageId)).status).toBe("SENT");
    expect(provider.submissions).toHaveLength(1);
  });
});

describe("an accepted message whose 72 hours end while no process runs", () => {
  const send = async (store?: Store) => {
    const dispatcher = world.dispatcher(store === undefined ? {} : { store });
    const messageId = await world.accept("+12025550100");
    await dispatcher.start();
    await world.clock.settle();
    expect(await world.statuses()).toEqual({ [messageId]: "SENT" });
    return { messageId, dispatcher };
  };

  it("gets six more hours for its receipt, which the carrier may send again", async () => {
    const { messageId, dispatcher } = await send();
    await dispatcher.stop();
    await world.clock.advanceBy(100 * hourMs);
    await world.dispatcher().start();
    await world.clock.advanceBy(5 * hourMs);
    expect(await world.statuses()).toEqual({ [messageId]: "SENT" });
    await provider.tellReceipt(messageId, "DELIVERED");
    expect(await world.statuses()).toEqual({ [messageId]: "DELIVERED" });
  });

  it("is given up after six more hours without a report", async () => {
    const { messageId, dispatcher } = await send();
    await dispatcher.stop();
    await world.clock.advanceBy(71 * hourMs);
    await world.dispatcher().start();
    await world.clock.advanceBy(6 * hourMs - 1);
    expect(await world.statuses()).toEqual({ [messageId]: "SENT" });
    await world.clock.advanceBy(1);
    expect(await world.statuses()).toEqual({ [messageId]: "UNKNOWN" });
    expect(await world.outbox()).toEqual([]);
  });

  it("gets the same six hours if the database could not be written", async () => {
    let isFull = false;
    const { messageId } = await send({
      ...world.store,
      write: (work) => (isFull ? Promise.reject(new StoreUnavailable("the disk is full")) : world.store.write(work)),
    });
    await world.clock.advanceBy(71 * hourMs);
    isFull = true;
    await expect(provider.tellReceipt(messageId, "DELIVERED")).rejects.toThrow(StoreUnavailable);
    await world.clock.advanceBy(hourMs);
    isFull = false;
    await world.clock.advanceBy(5 * hourMs);
    expect(await world.statuses()).toEqual({ [messageId]: "SENT" });
    await world.clock.advanceBy(2 * hourMs);
    expect(await world.statuses()).toEqual({ [messageId]: "UNKNOWN" });
  });
});

describe("a message whose acceptance is proved while it is being looked up", () => {
  it("is given up after 72 hours without a report, even if nothing else happens", async () => {
    provider.onSubmit = silence;
    provider.onFind = silence;
    const messageId = await world.accept("+12025550100");
    await world.dispatcher().start();
    await world.clock.advanceBy(12_000);
    expect(provider.lookups).toEqual([messageId]);
    const receipt = { kind: "receipt", clientReference: messageId, providerMessageId: "p-1" } as const;
    await provider.tell({ ...receipt, eventId: "sent", status: "SENT", reason: null });
    expect(await world.message(messageId)).toMatchObject({ status: "SENT" });
    await world.clock.advanceBy(73 * hourMs);
    expect(await world.message(messageId)).toMatchObject({ status: "UNKNOWN" });
  });
});
