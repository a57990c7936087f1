// Tests which tenant is told of a text from a phone.

import { afterEach, beforeEach, expect, it } from "vitest";
import { carryBy } from "../../carriers/carriers.ts";
import { listMessageEvents, saveSubscription } from "../../domain/callbacks/event-rows.ts";
import { insertCarrier } from "../../domain/carriers/rows.ts";
import { createRecipientDigest } from "../../domain/contacts.ts";
import { upsertMerchant } from "../../domain/merchants/rows.ts";
import { insertNumber } from "../../domain/registration/rows.ts";
import { insertTenant } from "../../domain/tenancy/rows.ts";
import { createWorld, startMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import type { Dispatcher } from "./dispatcher.ts";

const ours = "+12025550199";
const theirs = "+12025550198";
const phone = "+12025550100";

let world: World<ScriptedProvider>;
let dispatcher: Dispatcher;
let other: number;
let events = 0;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider("smpp-a"),
  });
  const second = new ScriptedProvider("smpp-b");
  const carriers = carryBy(
    [world.provider, second],
    () => world.provider,
    {},
    { sender: ours, usesMerchantNumbers: true },
  );
  dispatcher = world.dispatcher({ carriers, digestRecipient: createRecipientDigest("pepper") });
  other = await world.store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: "Other", timezone: "UTC", now: startMs });
    await upsertMerchant(tx, { tenantId, merchantId: "cafe", displayName: "Cafe", active: true, now: startMs });
    for (const id of [world.tenantId, tenantId]) {
      await saveSubscription(tx, { tenantId: id, url: "https://a.example/", tellsUpdates: 1, tellsTexts: 1, setAt: 1 });
    }
    return tenantId;
  });
  await dispatcher.start();
});
afterEach(() => world.close());

async function say(text: string, { to = ours, by = "smpp-a", eventId = "" } = {}): Promise<void> {
  events += 1;
  const event = {
    kind: "inbound",
    eventId: eventId || `in-${events}`,
    from: phone,
    to,
    text,
    isAnswered: false,
  } as const;
  await dispatcher.record(by, event);
  await world.clock.settle();
}

/** Lists the texts that the tenant is told of, with the merchant and message of each. */
async function toldTo(tenantId: number): Promise<unknown[]> {
  const rows = await world.store.read((tx) => listMessageEvents(tx, tenantId, 100));
  return rows
    .filter(({ type }) => type === "message.received")
    .map(({ merchantId, messageId, data }) => ({ merchantId, messageId, ...JSON.parse(data) }));
}

it("a text that answers a message is told to its tenant, once, with what was done", async () => {
  const messageId = await world.accept(phone);
  dispatcher.notify();
  await world.clock.settle();
  await say("See you at ten");
  await say("STOP", { eventId: "twice" });
  await say("STOP", { eventId: "twice" });
  expect(await toldTo(world.tenantId)).toMatchObject([
    { messageId, from: phone, to: ours, text: "See you at ten", action: "RECEIVED" },
    { messageId, from: phone, to: ours, text: "STOP", action: "OPTED_OUT" },
  ]);
  expect(await toldTo(other)).toEqual([]);
});

it("a text that answers no message is told to the only tenant that has the number", async () => {
  await addNumber(other);
  await say("Hello?", { to: theirs });
  expect(await toldTo(other)).toMatchObject([{ merchantId: "cafe", messageId: null, to: theirs, action: "RECEIVED" }]);
  expect(await toldTo(world.tenantId)).toEqual([]);
});

it("a text to a number that nobody has is told to the tenant of the carrier, and kept for the operator", async () => {
  await world.store.write((tx) =>
    insertCarrier(tx, {
      ...{ name: "smpp-b", tenantId: other, channel: "SMS", kind: "smpp", isSecond: 0, sealedSettings: "", setAt: 1 },
      sender: ours,
    }),
  );
  await say("Hello?", { to: "+12025550197", by: "smpp-b" });
  await say("Anyone?", { to: "+12025550197", by: "smpp-a" });
  expect(await toldTo(other)).toMatchObject([
    { merchantId: null, messageId: null, text: "Hello?", action: "RECEIVED" },
  ]);
  expect(await toldTo(world.tenantId)).toEqual([]);
  const kept = await world.store.read((tx) => tx.all("SELECT content FROM unmatched_texts"));
  expect(kept.length).toBe(2);
});

function addNumber(tenantId: number) {
  return world.store.write((tx) =>
    insertNumber(
      tx,
      {
        ...{ tenantId, merchantId: "cafe", phoneNumber: theirs, provider: "telco", providerNumberId: null },
        ...{ numberType: null, countryCode: null, capabilities: '["SMS"]', status: "ACTIVE" },
        ...{ assignmentStatus: "ASSIGNED", campaignId: null, assignmentStartedAt: null },
        ...{ createdAt: startMs, updatedAt: startMs },
      },
      startMs,
    ),
  );
}
