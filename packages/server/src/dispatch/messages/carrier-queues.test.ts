// Queues of carriers: order, rates, and messages that wait for a carrier that is down or removed.

import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Carriers, carryBy, type QueueKeeper } from "../../carriers/carriers.ts";
import type { CarrierRates } from "../../carriers/kind.ts";
import type { SubmitOutcome } from "../../carriers/provider.ts";
import { findAllowances, useAllowances } from "../../domain/carriers/rows.ts";
import { recordConsent } from "../../domain/consent/rows.ts";
import type { MessageType } from "../../domain/consent/rules.ts";
import { upsertMerchant } from "../../domain/merchants/rows.ts";
import { insertTenant } from "../../domain/tenancy/rows.ts";
import { createIds } from "../../platform/ids.ts";
import { checkInvariants } from "../../store/invariants.ts";
import { type Store, StoreUnavailable } from "../../store/store.ts";
import { createWorld, hourMs, type World } from "../../testing/dispatch-world.ts";
import { addMessage } from "../../testing/messages.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { restore } from "./restoration.ts";

const minuteMs = 60_000;
const newId = createIds();

let world: World<ScriptedProvider>;
/** A carrier with a queue. Each submission waits in `open` until a test answers it. */
let carrier: ScriptedProvider;
let capacity: number;
let rates: CarrierRates;
/** Recipients of the carrier's submissions, in order. */
let given: string[];
let open: { answer: (outcome: SubmitOutcome) => void; fail: (error: Error) => void }[];

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider("simulated"),
  });
  [capacity, rates, given, open] = [4, {}, [], []];
  carrier = new ScriptedProvider("smpp-a");
  delete carrier.find;
  Object.assign(carrier, { capacity: () => capacity });
  carrier.onSubmit = async ({ to }, { handOver }) => {
    given.push(to);
    await handOver();
    return new Promise((answer, fail) => open.push({ answer, fail }));
  };
});

afterEach(() => world.close());

async function start(choose: (tenantId: number) => ScriptedProvider | undefined = () => carrier) {
  const carriers = carryBy([world.provider, carrier], choose, rates);
  const dispatcher = world.dispatcher({ carriers, otpValidityMs: 10 * minuteMs });
  await dispatcher.start();
  await world.clock.settle();
  return dispatcher;
}

/** Accepts messages of one tenant and type. Each has a different recipient, which identifies it. */
async function accept(
  count: number,
  type: MessageType,
  { tenantId = world.tenantId, mark = 0 } = {},
): Promise<string[]> {
  const recipients = Array.from(
    { length: count },
    (_none, index) => `+1202555${String(mark * 1_000 + index).padStart(4, "0")}`,
  );
  await world.store.write(async (tx) => {
    const now = world.clock.now();
    const merchant = { tenantId, merchantId: "shop" };
    for (const recipient of recipients) {
      const key = { ...merchant, channel: "SMS" as const, contact: recipient };
      await recordConsent(tx, key, { status: "OPT_IN", source: "test", changedBy: "test", now });
      await addMessage(tx, {
        ...{
          ...merchant,
          messageId: newId("msg", now),
          channel: "SMS",
          type,
          purpose: "SEND",
          recipient,
          subject: null,
        },
        ...{ content: "Hello", units: 0, creditUnits: 0, period: "2025-06-01", now },
      });
    }
  });
  return recipients;
}

async function addTenant(): Promise<number> {
  return world.store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: "Other", timezone: "UTC", now: 0 });
    await upsertMerchant(tx, { tenantId, merchantId: "shop", displayName: "Shop", active: true, now: 0 });
    return tenantId;
  });
}

const taken = { outcome: "taken", providerMessageId: "p-1" } as const;

/** Accepts all submissions, until none is open or the carrier got `until` messages. */
async function answerAll(until = Number.POSITIVE_INFINITY): Promise<void> {
  while (open.length > 0 && given.length < until) {
    for (const { answer } of open.splice(0)) answer(taken);
    await world.clock.settle();
  }
}

describe("a carrier", () => {
  it("gets no more messages at once than its capacity", async () => {
    await accept(10, "OTP");
    await start();
    expect(given).toHaveLength(4);
    for (const { answer } of open.splice(0, 1)) answer(taken);
    await world.clock.settle();
    expect(given).toHaveLength(5);
    await answerAll();
    expect(given).toHaveLength(10);
    expect(new Set(Object.values(await world.statuses()))).toEqual(new Set(["SENT"]));
  });

  it("gets messages one after another, in order, if its capacity is one", async () => {
    capacity = 1;
    const recipients = await accept(5, "OTP");
    await start();
    await answerAll();
    expect(given).toEqual(recipients);
    expect(carrier.mostAtOnce).toBe(1);
  });

  it("is asked at the end of the lease about a message whose outcome could not be recorded", async () => {
    let isFull = false;
    const asked = new ScriptedProvider("smpp-b");
    Object.assign(asked, { capacity: () => 1 });
    asked.onFind = async () => taken;
    asked.onSubmit = async () => {
      isFull = true;
      return taken;
    };
    const store: Store = {
      ...world.store,
      write: (work) => (isFull ? Promise.reject(new StoreUnavailable("the disk is full")) : world.store.write(work)),
    };
    await accept(1, "OTP");
    await world.dispatcher({ carriers: carryBy([world.provider, asked], () => asked), store }).start();
    await world.clock.settle();
    isFull = false;
    await world.clock.advanceBy(30_000);
    expect(Object.values(await world.statuses())).toEqual(["SENT"]);
    expect(asked.submissions).toHaveLength(1);
  });

  it("gets more messages when it reports capacity", async () => {
    capacity = 0;
    await accept(3, "OTP");
    await start();
    expect(given).toEqual([]);
    capacity = 4;
    carrier.noteReach();
    await world.clock.settle();
    expect(given).toHaveLength(3);
  });

  it("keeps its reserved capacity for one-time passwords during a campaign", async () => {
    carrier.reserved = 1;
    const campaign = await accept(20, "MARKETING", { mark: 1 });
    const dispatcher = await start();
    expect(given).toEqual(campaign.slice(0, 3));
    const codes = await accept(2, "OTP", { mark: 2 });
    dispatcher.notify();
    await world.clock.settle();
    expect(given.slice(3)).toEqual(codes.slice(0, 1));
    while (given.length < campaign.length + codes.length) {
      for (const { answer } of open.splice(0)) answer(taken);
      await world.clock.settle();
    }
    expect(new Set(given)).toEqual(new Set([...campaign, ...codes]));
  });

  it("delays only its own messages if it is slow", async () => {
    const other = await addTenant();
    await accept(400, "MARKETING");
    await start((tenantId) => (tenantId === other ? world.provider : carrier));
    const dispatcher = world.dispatcher();
    await accept(3, "OTP", { tenantId: other, mark: 9 });
    await dispatcher.start();
    await world.clock.advanceBy(1_000);
    expect(given).toHaveLength(4);
    expect(world.provider.submissions).toHaveLength(3);
  });
});

describe("round-robin", () => {
  it("lets one-time passwords overtake a campaign without stopping it", async () => {
    capacity = 1;
    await accept(60, "MARKETING", { mark: 1 });
    const dispatcher = await start();
    await accept(20, "OTP", { mark: 2 });
    dispatcher.notify();
    await answerAll(41);
    const kinds = given.slice(1, 41).map((to) => (to.startsWith("+12025552") ? "OTP" : "MARKETING"));
    const passwords = kinds.filter((kind) => kind === "OTP");
    expect(passwords).toHaveLength(20);
    expect(kinds.slice(0, 24).filter((kind) => kind === "OTP").length).toBeGreaterThanOrEqual(18);
    expect(kinds.slice(0, 20)).toContain("MARKETING");
  });

  it("alternates between tenants: a campaign of one does not delay the other's messages", async () => {
    capacity = 1;
    const other = await addTenant();
    await accept(60, "REMINDER", { mark: 1 });
    const dispatcher = await start();
    await accept(5, "REMINDER", { tenantId: other, mark: 2 });
    dispatcher.notify();
    await answerAll(13);
    expect(given.filter((to) => to.startsWith("+12025552"))).toHaveLength(5);
  });

  it("serves each of many tenants once before any gets a second message", async () => {
    capacity = 1;
    const tenants = [world.tenantId];
    for (let count = 0; count < 40; count++) tenants.push(await addTenant());
    for (const [mark, tenantId] of tenants.entries()) await accept(3, "REMINDER", { tenantId, mark: 0 + mark / 100 });
    await start();
    await answerAll();
    const order = carrier.submissions.map(({ tenantId }) => tenantId);
    for (const part of [0, 1, 2]) {
      expect(new Set(order.slice(part * 41, (part + 1) * 41)).size, `round ${part}`).toBe(41);
    }
  });
});

describe("a rate", () => {
  it("still lets messages pass after the clock was set back", async () => {
    const rate = { subject: "smpp-a", perSecond: 1 };
    const now = world.clock.now();
    const find = (at: number) => world.store.write((tx) => findAllowances(tx, [rate], at));
    await world.store.write((tx) => useAllowances(tx, [{ rate, count: 1 }], now));
    expect(await find(now)).toMatchObject([{ count: 0 }]);
    expect(await find(now - hourMs)).toMatchObject([{ count: 1 }]);
    await world.store.write((tx) => useAllowances(tx, [{ rate, count: 1 }], now - hourMs));
    expect(await find(now - hourMs + 2_000)).toMatchObject([{ count: 1 }]);
  });

  it("is shared by all instances", async () => {
    [capacity, rates] = [1_000, { perSecond: 10 }];
    carrier.onSubmit = async ({ to }, { handOver }) => {
      given.push(to);
      await handOver();
      return taken;
    };
    await accept(300, "OTP");
    await start();
    await start();
    await world.clock.advanceBy(10_000);
    // the messages that fit into half a second at the start, and ten per second
    expect(given.length).toBeGreaterThanOrEqual(100);
    expect(given.length).toBeLessThanOrEqual(107);
  });

  it("per tenant does not limit other tenants", async () => {
    [capacity, rates] = [1_000, { perSecondOfTenant: 2 }];
    carrier.onSubmit = async ({ to }, { handOver }) => {
      given.push(to);
      await handOver();
      return taken;
    };
    const other = await addTenant();
    await accept(100, "OTP", { mark: 1 });
    await accept(10, "OTP", { tenantId: other, mark: 2 });
    await start();
    await world.clock.advanceBy(10_000);
    const [mine, theirs] = ["+12025551", "+12025552"].map((start) => given.filter((to) => to.startsWith(start)).length);
    expect(theirs).toBe(10);
    expect(mine).toBeGreaterThanOrEqual(20);
    expect(mine).toBeLessThanOrEqual(23);
  });
});

describe("a carrier that cannot be reached", () => {
  beforeEach(() => {
    carrier.onSubmit = async ({ to }) => {
      given.push(to);
      return { outcome: "deferred", retryAfterMs: 1_000, detail: "connect ECONNREFUSED", isUnreached: true };
    };
  });

  it("is tried with one message at a time, while the other messages wait unchanged", async () => {
    await accept(200, "REMINDER");
    await start();
    await world.clock.advanceBy(10 * minuteMs);
    // one message per attempt, except in the first round
    expect(given.length).toBeLessThan(25);
    const rows = await world.store.read((tx) =>
      tx.all<{ attempts: number }>("SELECT attempts FROM messages WHERE attempts > 0"),
    );
    expect(rows.length).toBeLessThan(25);
    const state = await world.store.read((tx) => tx.all("SELECT state FROM dispatches WHERE state <> 'waiting'"));
    expect(state.length).toBeLessThan(25);
  });

  it("gets few messages at first when it is back, and then all", async () => {
    capacity = 16;
    await accept(200, "REMINDER");
    await start();
    await world.clock.advanceBy(5 * minuteMs);
    const before = given.length;
    const rounds: number[] = [];
    carrier.onSubmit = async ({ to }, { handOver }) => {
      given.push(to);
      await handOver();
      return new Promise((answer, fail) => open.push({ answer, fail }));
    };
    // long enough for the longest retry pause of any message
    for (let second = 0; second < 400; second++) {
      await world.clock.advanceBy(1_000);
      if (open.length > 0) rounds.push(open.length);
      for (const { answer } of open.splice(0)) answer(taken);
    }
    expect(rounds[0]).toBe(1);
    expect(Math.max(...rounds)).toBe(16);
    expect(given.length - before).toBeGreaterThanOrEqual(200);
    expect(new Set(Object.values(await world.statuses()))).toEqual(new Set(["SENT"]));
  });

  it("loses waiting one-time passwords when they expire, while other messages wait", async () => {
    await accept(20, "OTP", { mark: 1 });
    await accept(20, "REMINDER", { mark: 2 });
    await start();
    await world.clock.advanceBy(11 * minuteMs);
    const ends = await world.store.read((tx) =>
      tx.all<{ type: string; status: string; reason: string }>(
        `SELECT type, CASE WHEN attempts = 0 THEN status ELSE 'tried' END AS status, delivery_reason AS reason
           FROM messages GROUP BY 1, 2, 3`,
      ),
    );
    expect(ends).toContainEqual({ type: "OTP", status: "EXPIRED", reason: "TTL_EXPIRED" });
    expect(ends).toContainEqual({ type: "REMINDER", status: "QUEUED", reason: null });
    const late = await world.store.read((tx) =>
      tx.all("SELECT 1 FROM messages WHERE type = 'OTP' AND status IN ('QUEUED', 'SENDING')"),
    );
    expect(late).toEqual([]);
  });
});

describe("a message in a queue", () => {
  it("waits the full time for a receipt after the carrier accepted it, even if its validity is shorter", async () => {
    await accept(1, "OTP");
    await start();
    await answerAll();
    await world.clock.advanceBy(71 * hourMs);
    expect(Object.values(await world.statuses())).toEqual(["SENT"]);
    await world.clock.advanceBy(2 * hourMs);
    expect(Object.values(await world.statuses())).toEqual(["UNKNOWN"]);
  });

  it("passes msgd verify", async () => {
    capacity = 0;
    await accept(3, "REMINDER");
    await start();
    expect((await world.outbox()).map(({ state }) => state)).toEqual(["waiting", "waiting", "waiting"]);
    const reports = await world.store.read((tx) => checkInvariants(tx));
    expect(reports.filter(({ faults }) => faults.length > 0)).toEqual([]);
  });

  it("is not sent to a recipient who has opted out in the meantime", async () => {
    capacity = 0;
    const [to = ""] = await accept(1, "REMINDER");
    await start();
    await world.setConsent(to, "OPT_OUT");
    capacity = 4;
    carrier.noteReach();
    await world.clock.settle();
    expect(given).toEqual([]);
    expect(Object.values(await world.statuses())).toEqual(["FAILED"]);
  });

  it("is sent by the channel's new carrier if its own was removed", async () => {
    capacity = 0;
    await accept(1_200, "REMINDER");
    let current = carrier;
    const carriers = carryBy([world.provider, carrier], () => current);
    let close: () => Promise<void> = async () => {};
    const dispatcher = world.dispatcher({
      carriers: {
        ...carriers,
        start: (listen, queues) => {
          close = () => queues.close(carrier.name);
          return carriers.start(listen, queues);
        },
      },
    });
    await dispatcher.start();
    await world.clock.settle();
    expect(world.provider.submissions).toEqual([]);
    current = world.provider;
    await close();
    await world.clock.advanceBy(1_000);
    expect(world.provider.submissions).toHaveLength(1_200);
  });

  it("is in doubt after a restore, and not sent", async () => {
    capacity = 0;
    await accept(2, "REMINDER");
    const dispatcher = await start();
    await dispatcher.stop();
    await world.store.write((tx) => restore(tx, world.clock.now()));
    capacity = 4;
    await start();
    await world.clock.advanceBy(80 * hourMs);
    expect(given).toEqual([]);
    expect(Object.values(await world.statuses())).toEqual(["UNKNOWN", "UNKNOWN"]);
  });
});

it.each<[string, (queues: QueueKeeper) => unknown]>([
  ["a carrier's queue is emptied", (queues) => queues.close(carrier.name)],
  ["a carrier's state is saved", (queues) => queues.noteReach(carrier.name, "nobody answers")],
])("the clock cannot be moved on before %s", async (_what, act) => {
  const writes: string[] = [];
  const write: Store["write"] = async (work, priority) => {
    if (priority !== undefined) return world.store.write(work, priority);
    writes.push("begun");
    await setTimeout(50);
    return world.store.write(work).finally(() => writes.push("ended"));
  };
  let queues: QueueKeeper | undefined;
  const carriers = carryBy([world.provider, carrier], () => carrier, rates);
  const start: Carriers["start"] = (listen, keeper) => {
    queues = keeper;
    return carriers.start(listen, keeper);
  };
  await world.dispatcher({ carriers: { ...carriers, start }, store: { ...world.store, write } }).start();
  await world.clock.settle();
  writes.length = 0;
  act(queues ?? expect.fail("the carriers were not started"));
  await world.clock.settle();
  expect(writes).toEqual(["begun", "ended"]);
});
