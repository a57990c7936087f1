// Tests which merchants a text from a phone answers, and to which merchants a STOP applies.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryBy } from "../../carriers/carriers.ts";
import { reserveUsage } from "../../domain/billing/rows.ts";
import { insertCarrier } from "../../domain/carriers/rows.ts";
import { recordConsent } from "../../domain/consent/rows.ts";
import { type Channel, createRecipientDigest } from "../../domain/contacts.ts";
import { upsertMerchant, upsertQuota } from "../../domain/merchants/rows.ts";
import { countUnmatchedTexts } from "../../domain/messages/text-rows.ts";
import type { StopCoverage } from "../../domain/policies.ts";
import { insertNumber } from "../../domain/registration/rows.ts";
import { insertTenant } from "../../domain/tenancy/rows.ts";
import { createWorld, hourMs, startMs, type World } from "../../testing/dispatch-world.ts";
import { addMessage } from "../../testing/messages.ts";
import { ScriptedProvider, silence } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import type { Dispatcher } from "./dispatcher.ts";

const ours = "+12025550199";
const phone = "+12025550100";
const digestRecipient = createRecipientDigest("pepper");

let world: World<ScriptedProvider>;
let dispatcher: Dispatcher;
let createDispatcher: (stopCovers: StopCoverage) => Dispatcher;
let events: number;
let otherTenant: number;
/** Whether the two carriers have the same account. */
let sharesAccount: boolean;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider("smpp-a"),
  });
  events = 0;
  sharesAccount = false;
  const second = new ScriptedProvider("smpp-b");
  const carriers = {
    ...carryBy([world.provider, second], () => world.provider, {}, { sender: ours, usesMerchantNumbers: true }),
    ledgerOf: (name: string) => (sharesAccount ? "account" : name),
  };
  createDispatcher = (stopCovers) =>
    world.dispatcher({ carriers, consentPolicy: "opt_out_only", stopCovers, digestRecipient });
  dispatcher = createDispatcher("sms");
  otherTenant = await world.store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: "Other", timezone: "UTC", now: startMs });
    for (const [owner, merchantId] of [
      [tenantId, "shop"],
      [world.tenantId, "bakery"],
    ] as const) {
      const key = { tenantId: owner, merchantId };
      await upsertMerchant(tx, { ...key, displayName: merchantId, active: true, now: startMs });
      await upsertQuota(tx, { ...key, channel: "SMS", limit: 100, credits: 0 });
    }
    for (const key of [shop(), bakery()]) await upsertQuota(tx, { ...key, channel: "VOICE", limit: 100, credits: 0 });
    return tenantId;
  });
  await dispatcher.start();
});
afterEach(() => world.close());

interface Owner {
  readonly tenantId: number;
  readonly merchantId: string;
}

const shop = (): Owner => ({ tenantId: world.tenantId, merchantId: "shop" });
const bakery = (): Owner => ({ tenantId: world.tenantId, merchantId: "bakery" });
const foreign = (): Owner => ({ tenantId: otherTenant, merchantId: "shop" });
let ids = 0;

/** Accepts a text as if no STOP had arrived yet, and lets it be handed over. Returns its outcome. */
async function send(
  owner: Owner,
  to = phone,
  channel: Channel = "SMS",
): Promise<{ messageId: string; status: string; reason: string | null }> {
  ids += 1;
  const messageId = `msg_${String(ids).padStart(26, "0")}`;
  const quota = { ...owner, channel, period: "2025-06-01" } as const;
  await world.store.write(async (tx) => {
    await reserveUsage(tx, quota, { units: 1, creditUnits: 0 });
    const text = { subject: null, content: "Hello", purpose: "SEND", type: "MARKETING" } as const;
    await addMessage(tx, {
      ...quota,
      ...text,
      messageId,
      recipient: to,
      units: 1,
      creditUnits: 0,
      now: world.clock.now(),
    });
  });
  dispatcher.notify();
  await world.clock.settle();
  const { status, deliveryReason: reason } = await world.message(messageId);
  return { messageId, status, reason };
}

async function say(text: string, { to = ours, from = phone, by = "smpp-a", isAnswered = false } = {}): Promise<void> {
  events += 1;
  await dispatcher.record(by, { kind: "inbound", eventId: `in-${events}`, from, to, text, isAnswered });
  await world.clock.settle();
}

async function consentOf({ tenantId, merchantId }: Owner, channel: Channel = "SMS"): Promise<string | undefined> {
  const row = await world.store.read((tx) =>
    tx.get<{ status: string }>(
      "SELECT status FROM consents WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $4 AND contact = $3",
      tenantId,
      merchantId,
      phone,
      channel,
    ),
  );
  return row?.status;
}

const optIn = (owner: Owner, channel: Channel = "SMS") =>
  world.store.write((tx) =>
    recordConsent(
      tx,
      { ...owner, channel, contact: phone },
      { status: "OPT_IN", source: "form", changedBy: "test", now: world.clock.now() },
    ),
  );

const confirmations = () =>
  world.store.read((tx) =>
    tx.all<{ merchantId: string; content: string }>(
      `SELECT merchant_id AS "merchantId", content FROM messages WHERE purpose = 'CONFIRMATION' ORDER BY message_id`,
    ),
  );

const unmatched = () =>
  world.store.read((tx) =>
    tx.all<{ sender: string; phone: string; content: string }>("SELECT sender, phone, content FROM unmatched_texts"),
  );

const blocked = { status: "FAILED", reason: "OPTED_OUT" };
const sent = { status: "SENT", reason: null };

it("a keyword that the carrier has answered is recorded without an answer", async () => {
  await send(shop());
  for (const [word, consent] of [
    ["HELP", undefined],
    ["STOP", "OPT_OUT"],
    ["START", "OPT_IN"],
  ] as const) {
    await say(word, { isAnswered: true });
    expect([word, await consentOf(shop()), await confirmations()]).toEqual([word, consent, []]);
  }
});

describe("a STOP", () => {
  it("counts even if the text that it answers is old", async () => {
    await send(shop());
    await world.clock.advanceBy(400 * 24 * hourMs);
    await say("STOP");
    expect(await consentOf(shop())).toBe("OPT_OUT");
    expect(await send(shop())).toMatchObject(blocked);
    expect(await confirmations()).toHaveLength(1);
  });

  it("counts through a different bind or carrier", async () => {
    await send(shop());
    await say("STOP", { by: "smpp-b" });
    expect(await consentOf(shop())).toBe("OPT_OUT");
  });

  it("counts if it is unknown whether the text was accepted", async () => {
    world.provider.onSubmit = silence;
    await send(shop());
    await say("STOP");
    expect(await consentOf(shop())).toBe("OPT_OUT");
  });

  it("applies to all tenants' merchants that texted the phone from the number, and is confirmed once", async () => {
    for (const owner of [shop(), bakery(), foreign()]) await send(owner);
    await say("STOP");
    for (const owner of [shop(), bakery(), foreign()]) {
      expect(await consentOf(owner)).toBe("OPT_OUT");
      expect(await send(owner)).toMatchObject(blocked);
    }
    expect(await confirmations()).toHaveLength(1);
  });

  it("applies to a merchant that texts from the number later, unless this merchant recorded a newer consent", async () => {
    await send(shop());
    await say("STOP");
    expect(await consentOf(bakery())).toBeUndefined();
    expect(await send(bakery())).toMatchObject(blocked);
    await world.clock.advanceBy(1);
    await optIn(bakery());
    expect(await send(bakery())).toMatchObject(sent);
    expect(await send(foreign())).toMatchObject(blocked);
  });

  it("is recorded even if it answers no known text", async () => {
    await send(shop(), "+12025550111");
    await say("STOP");
    expect(await send(shop())).toMatchObject(blocked);
    expect([await confirmations(), await unmatched()]).toEqual([[], []]);
  });

  it("does not apply to another phone or another number", async () => {
    await send(shop());
    await say("STOP");
    expect(await send(shop(), "+12025550111")).toMatchObject(sent);
    await giveNumber(bakery(), "+12025550155");
    expect(await send(bakery())).toMatchObject(sent);
  });

  it("counts once if it is reported twice", async () => {
    await send(shop());
    const event = { kind: "inbound", eventId: "twice", from: phone, to: ours, text: "STOP" } as const;
    for (let times = 0; times < 2; times += 1) await dispatcher.record("smpp-a", event);
    await world.clock.settle();
    expect(await confirmations()).toHaveLength(1);
  });
});

describe("a text over the own carrier of another tenant", () => {
  beforeEach(async () => {
    const row = { tenantId: otherTenant, channel: "SMS", isSecond: 0, kind: "twilio", sealedSettings: "" } as const;
    await world.store.write((tx) => insertCarrier(tx, { ...row, name: "smpp-b", setAt: startMs }));
    await send(shop());
  });

  it("is obeyed if it says STOP", async () => {
    await say("STOP", { by: "smpp-b" });
    expect(await consentOf(shop())).toBe("OPT_OUT");
  });

  it("is otherwise kept as unmatched", async () => {
    await say("STOP");
    await say("START", { by: "smpp-b" });
    await say("Hello", { by: "smpp-b" });
    expect(await consentOf(shop())).toBe("OPT_OUT");
    expect(await send(shop())).toMatchObject({ status: "FAILED", reason: "OPTED_OUT" });
    expect(await world.store.read((tx) => countUnmatchedTexts(tx, 10))).toBe(2);
  });

  it("does not lift a STOP of a phone that got no text yet", async () => {
    const other = "+12025550142";
    await say("STOP", { from: other });
    await say("START", { from: other, by: "smpp-b" });
    expect(await send(shop(), other)).toMatchObject({ status: "FAILED", reason: "OPTED_OUT" });
    expect(await world.store.read((tx) => countUnmatchedTexts(tx, 10))).toBe(1);
    await say("START", { from: other });
    expect(await send(shop(), other)).not.toMatchObject({ reason: "OPTED_OUT" });
  });

  it("is an answer if the tenant has a carrier with the same account", async () => {
    const row = { channel: "SMS", isSecond: 0, kind: "twilio", sealedSettings: "" } as const;
    await world.store.write((tx) =>
      insertCarrier(tx, { ...row, tenantId: world.tenantId, name: "smpp-a", setAt: startMs }),
    );
    sharesAccount = true;
    await say("STOP");
    await say("START", { by: "smpp-b" });
    expect(await consentOf(shop())).not.toBe("OPT_OUT");
  });
});

describe("a START", () => {
  it("restores what the STOP changed", async () => {
    await optIn(bakery());
    await world.clock.advanceBy(1_000);
    for (const owner of [bakery(), foreign(), shop()]) await send(owner);
    // a second STOP changes nothing more
    for (let times = 0; times < 2; times += 1) {
      await world.clock.advanceBy(1_000);
      await say("STOP");
    }
    await world.clock.advanceBy(1_000);
    await say("START");
    const consents = await Promise.all([shop(), bakery(), foreign()].map((owner) => consentOf(owner)));
    expect(consents).toEqual(["OPT_IN", "OPT_IN", undefined]);
    for (const owner of [shop(), bakery(), foreign()]) expect(await send(owner)).toMatchObject(sent);
  });

  it("keeps later consents", async () => {
    for (const owner of [bakery(), shop()]) await send(owner);
    await say("STOP");
    await world.clock.advanceBy(1_000);
    await world.store.write((tx) =>
      recordConsent(
        tx,
        { ...bakery(), channel: "SMS", contact: phone },
        { status: "OPT_OUT", source: "phone", changedBy: "test", now: world.clock.now() },
      ),
    );
    await say("START");
    expect(await consentOf(bakery())).toBe("OPT_OUT");
    expect(await consentOf(shop())).toBe("OPT_IN");
  });

  it("applies only to the merchant of the last text if it is a YES", async () => {
    for (const owner of [bakery(), shop()]) await send(owner);
    await say("STOP");
    await world.clock.advanceBy(1_000);
    await say("YES");
    expect([await consentOf(shop()), await consentOf(bakery())]).toEqual(["OPT_IN", "OPT_OUT"]);
    expect(await send(shop())).toMatchObject(sent);
    expect(await send(foreign())).toMatchObject(blocked);
  });
});

describe("a STOP that covers calls", () => {
  const callConsents = () => Promise.all([shop(), bakery(), foreign()].map((owner) => consentOf(owner, "VOICE")));
  beforeEach(async () => {
    await optIn(bakery(), "VOICE");
    await world.clock.advanceBy(1_000);
    await dispatcher.stop();
    dispatcher = createDispatcher("sms,voice");
    await dispatcher.start();
    for (const owner of [bakery(), shop()]) await send(owner);
  });

  it("opts out of calls by each merchant that texted, and START restores the consents", async () => {
    for (let times = 0; times < 2; times += 1) {
      await say("STOP");
      await world.clock.advanceBy(1_000);
    }
    expect(await callConsents()).toEqual(["OPT_OUT", "OPT_OUT", undefined]);
    await say("START");
    expect(await callConsents()).toEqual([undefined, "OPT_IN", undefined]);
  });

  it("is undone for calls by START, even if STOP covers only texts by then", async () => {
    await say("STOP");
    await world.clock.advanceBy(1_000);
    await dispatcher.stop();
    dispatcher = createDispatcher("sms");
    await dispatcher.start();
    await say("START");
    expect(await callConsents()).toEqual([undefined, "OPT_IN", undefined]);
  });

  it("is not undone for calls by a YES, which only answers a text", async () => {
    await say("STOP");
    await world.clock.advanceBy(1_000);
    await say("YES");
    expect(await callConsents()).toEqual(["OPT_OUT", "OPT_OUT", undefined]);
  });

  it("ends a call that waits for its carrier, unless an OPT_IN to calls followed", async () => {
    await dispatcher.stop();
    dispatcher = createDispatcher("sms");
    await dispatcher.start();
    await say("STOP");
    expect(await callConsents()).toEqual([undefined, "OPT_IN", undefined]);
    await dispatcher.stop();
    dispatcher = createDispatcher("sms,voice");
    await dispatcher.start();
    expect(await send(shop(), phone, "VOICE")).toMatchObject(blocked);
    await world.clock.advanceBy(1_000);
    await optIn(shop());
    expect(await send(shop(), phone, "VOICE")).toMatchObject(blocked);
    await optIn(shop(), "VOICE");
    expect(await send(shop(), phone, "VOICE")).toMatchObject(sent);
  });
});

it("a STOP covers calls only if that is configured", async () => {
  await optIn(shop(), "VOICE");
  await send(shop());
  await say("STOP");
  expect(await consentOf(shop(), "VOICE")).toBe("OPT_IN");
  expect(await send(shop(), phone, "VOICE")).toMatchObject(sent);
});

function giveNumber({ tenantId, merchantId }: Owner, phoneNumber: string): Promise<number> {
  const now = world.clock.now();
  return world.store.write((tx) =>
    insertNumber(
      tx,
      {
        ...{ tenantId, merchantId, phoneNumber, provider: "telco", providerNumberId: null, numberType: null },
        ...{ countryCode: null, capabilities: '["SMS"]', status: "ACTIVE", assignmentStatus: "ASSIGNED" },
        ...{ campaignId: null, assignmentStartedAt: null, createdAt: now, updatedAt: now },
      },
      now,
    ),
  );
}

describe("a merchant's own number", () => {
  it("is the sender of its texts, and receives STOPs", async () => {
    await giveNumber(bakery(), "+12025550155");
    for (const owner of [bakery(), shop()]) await send(owner);
    expect(world.provider.submissions.map(({ sender }) => sender)).toEqual(["+12025550155", ours]);
    await say("STOP", { to: "+12025550155" });
    expect(await send(bakery())).toMatchObject(blocked);
    expect(await send(shop())).toMatchObject(sent);
  });
});

describe("a text", () => {
  it("to an unassigned number is stored, and logged with its sender masked", async () => {
    await send(shop());
    await say("STOP", { to: "+12025550177" });
    expect(await unmatched()).toEqual([{ sender: "+12025550177", phone, content: "STOP" }]);
    expect(await consentOf(shop())).toBeUndefined();
    expect(world.logged).toContain("stored a text sent to a number that no merchant or carrier has");
  });

  it("is confirmed at most five times an hour", async () => {
    await send(shop());
    for (let times = 0; times < 8; times += 1) await say("HELP");
    expect(await confirmations()).toHaveLength(5);
    await world.clock.advanceBy(hourMs);
    await say("HELP");
    expect(await confirmations()).toHaveLength(6);
  });
});

it("a confirmation expires if it could not leave within five minutes", async () => {
  await send(shop());
  world.provider.onSubmit = async () => ({ outcome: "deferred", retryAfterMs: 60_000, detail: "later" });
  await say("STOP");
  await world.clock.advanceBy(6 * 60_000);
  const statuses = Object.values(await world.statuses());
  expect(statuses.filter((status) => status === "FAILED" || status === "EXPIRED")).toHaveLength(1);
});
