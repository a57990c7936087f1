// Tests which carrier gets a message, and which carrier is asked about it, when tenants' carriers are set and removed.

import { afterEach, beforeEach, expect, it } from "vitest";
import { type Carriers, carryBy } from "../../carriers/carriers.ts";
import { createWorld, hourMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";

let world: World<ScriptedProvider>;
let first: ScriptedProvider;
let second: ScriptedProvider;
/** The tenant's current carrier, for every channel, and all carriers. */
let current: ScriptedProvider | undefined;
let all: ScriptedProvider[];
let isRemoved: (name: string) => boolean;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider("first"),
  });
  first = world.provider;
  second = new ScriptedProvider("second");
  current = first;
  all = [first, second];
  isRemoved = () => false;
});

afterEach(() => world.close());

async function start(): Promise<void> {
  const carriers: Carriers = {
    ...carryBy(all, (tenantId) => (tenantId === world.tenantId ? current : undefined)),
    named: (name) => all.find((provider) => provider.name === name),
    isRemoved: (name) => isRemoved(name),
  };
  await world.dispatcher({ carriers }).start();
  await world.clock.settle();
}

/** Loses the first carrier's answer about a message. Then the second carrier serves the channel. */
async function loseAtFirst(): Promise<string> {
  const messageId = await world.accept("+12025550100");
  first.onSubmit = () => Promise.reject(new Error("connection reset"));
  await start();
  current = second;
  return messageId;
}

it("the dispatcher submits a message to its tenant's carrier, with its owner and deadline", async () => {
  current = second;
  const messageId = await world.accept("+12025550100");
  await start();
  expect([first.submissions.length, second.submissions.length]).toEqual([0, 1]);
  expect(second.submissions[0]).toMatchObject({
    clientReference: messageId,
    tenantId: world.tenantId,
    merchantId: "shop",
    giveUpAt: world.clock.now() + 72 * hourMs,
  });
});

it("the dispatcher submits a message to the next carrier if the first was removed after the claim", async () => {
  isRemoved = (name) => {
    current = second;
    return name === "first";
  };
  const messageId = await world.accept("+12025550100");
  await start();
  await world.clock.advanceBy(1_000);
  expect(first.submissions).toEqual([]);
  expect(second.submissions.map(({ clientReference }) => clientReference)).toEqual([messageId]);
});

it("the dispatcher looks a message up at the carrier that got it, even if another one serves the channel by then", async () => {
  const messageId = await loseAtFirst();
  first.onFind = async () => ({ outcome: "taken", providerMessageId: "p-1" });
  await world.clock.advanceBy(1_000);
  expect([first.lookups, second.lookups]).toEqual([[messageId], []]);
  expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 1 });
});

it("the dispatcher submits the message to the next carrier when the first is known not to have it", async () => {
  const messageId = await loseAtFirst();
  first.onFind = async () => ({ outcome: "absent" });
  await world.clock.advanceBy(1_000);
  expect(second.submissions.map(({ clientReference }) => clientReference)).toEqual([messageId]);
  expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 2 });
});

it("the dispatcher never sends a message through another carrier if a removed carrier may have accepted it", async () => {
  const messageId = await loseAtFirst();
  all = [second];
  await world.clock.advanceBy(80 * hourMs);
  expect([first.lookups, second.submissions, second.lookups]).toEqual([[], [], []]);
  expect(await world.message(messageId)).toMatchObject({ status: "UNKNOWN", attempts: 1 });
});

it("the dispatcher sends a message that was claimed for a removed carrier through the next carrier", async () => {
  all = [second];
  const messageId = await world.accept("+12025550100");
  await start();
  expect(await world.message(messageId)).toMatchObject({ status: "QUEUED", attempts: 1 });
  current = second;
  await world.clock.advanceBy(1_000);
  expect(first.submissions).toEqual([]);
  expect(second.submissions.map(({ clientReference }) => clientReference)).toEqual([messageId]);
  expect((await world.message(messageId)).status).toBe("SENT");
  const health = await world.store.read((tx) => tx.all("SELECT provider FROM provider_health"));
  expect(health).toEqual([{ provider: "second" }]);
});

it("the dispatcher alerts the merchant if a carrier defers everything, and sends once the carrier has capacity", async () => {
  const messageId = await world.accept("+12025550100");
  let left = 6;
  const detail = "452 4.3.1 Insufficient system storage";
  first.onSubmit = async () =>
    left-- > 0 ? { outcome: "deferred", retryAfterMs: 60_000, detail } : { outcome: "taken", providerMessageId: "p-1" };
  await start();
  await world.clock.advanceBy(hourMs);
  expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 7 });
  expect(world.logged).toContain("the provider deferred a message");
  const alerts = await world.store.read((tx) => tx.all("SELECT alert_type AS type, message FROM alerts"));
  expect(alerts).toEqual([{ type: "PROVIDER_FAILURE", message: "The SMS provider failed 5 times in a row." }]);
});
