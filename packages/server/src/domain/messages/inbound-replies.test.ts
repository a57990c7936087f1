import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../store/store.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { findConsent, listErasedOptOuts } from "../consent/rows.ts";
import { readErasedRecipient, toErasedRecipient } from "../contacts.ts";
import { upsertMerchant } from "../merchants/rows.ts";
import type { StopCoverage } from "../policies.ts";
import { insertTenant } from "../tenancy/rows.ts";
import { type ReplyEffect, receiveReply } from "./inbound-replies.ts";

const now = Date.parse("2025-06-02T12:00:00Z");
const phone = "+12025550100";

let store: Store;
let tenantId: number;
let ids: number;

beforeEach(async () => {
  store = await openTestStore({ now: () => now });
  ids = 0;
  tenantId = await store.write(async (tx) => {
    const tenant = await insertTenant(tx, { name: "Test", timezone: "UTC", now });
    const merchant = { tenantId: tenant.tenantId, merchantId: "shop", displayName: "Shop", active: true, now };
    await upsertMerchant(tx, merchant);
    return tenant.tenantId;
  });
});

afterEach(() => store.close());

function reply(
  text: string,
  { recipient = phone, stopCovers }: { recipient?: string; stopCovers?: StopCoverage } = {},
): Promise<ReplyEffect> {
  ids += 1;
  const context = {
    now,
    confirmationId: `msg_${ids}`,
    changedBy: "test",
    stopCovers,
    digestRecipient: (_tenantId: number, contact: string) => contact,
  };
  return store.write((tx) =>
    receiveReply({ ...context, tx }, { messageId: "msg_replied", tenantId, merchantId: "shop", recipient }, text),
  );
}

function confirmations(): Promise<{ content: string; units: number; status: string }[]> {
  return store.read((tx) =>
    tx.all(
      `SELECT content, units, status FROM messages m
        WHERE purpose = 'CONFIRMATION' ORDER BY m.message_id`,
    ),
  );
}

describe("receiveReply", () => {
  it.each([
    ["Stop!", "OPTED_OUT", "STOP opts the recipient out of SMS; a confirmation is sent.", "OPT_OUT", "SMS_REPLY:STOP"],
    ["start", "OPTED_IN", "START opts the recipient in to SMS; a confirmation is sent.", "OPT_IN", "SMS_REPLY:START"],
  ])("answers %s with the status %s, and changes the consent", async (text, status, message, consent, source) => {
    expect(await reply(text)).toMatchObject({ status, message, isConfirmed: true });
    const key = { tenantId, merchantId: "shop", channel: "SMS", contact: phone } as const;
    const row = await store.read((tx) => findConsent(tx, key));
    expect(row).toMatchObject({ status: consent, source, updatedAt: now });
    expect(await confirmations()).toMatchObject([{ units: 0, status: "QUEUED" }]);
  });

  it("answers every HELP, in the merchant's name", async () => {
    const effect = { status: "HELP_SENT", message: "The help message answers INFO.", isConfirmed: true };
    expect(await reply("info")).toMatchObject(effect);
    expect(await reply("INFO")).toMatchObject(effect);
    const sent = await confirmations();
    expect(sent).toHaveLength(2);
    expect(sent[0]?.content).toMatch(/^Shop: .*STOP/);
  });

  it("confirms only a reply that changed the consent", async () => {
    expect((await reply("STOP")).isConfirmed).toBe(true);
    expect(await reply("END")).toMatchObject({
      status: "OPTED_OUT",
      message: "END opts the recipient out of SMS; this was already the case, so no confirmation is sent.",
      isConfirmed: false,
    });
    expect((await reply("YES")).status).toBe("OPTED_IN");
    expect(await confirmations()).toHaveLength(2);
  });

  it("records a text without a keyword as received", async () => {
    expect(await reply("YES")).toMatchObject({ status: "RECEIVED", isConfirmed: false });
    expect(await reply("See you at 5")).toMatchObject({ status: "RECEIVED", isConfirmed: false });
    expect(await confirmations()).toEqual([]);
  });
});

it.each([
  ["sms", ["SMS"]],
  ["sms,voice", ["SMS", "VOICE"]],
] as const)("receiveReply keeps a STOP of an erased recipient if it covers %s", async (stopCovers, channels) => {
  const erased = toErasedRecipient("a".repeat(22));
  const effect = await reply("STOP", { recipient: erased, stopCovers });
  expect(effect.message).toContain(`STOP opts the recipient out of ${channels.join(" and ")};`);
  const kept = await store.read((tx) => listErasedOptOuts(tx, tenantId, readErasedRecipient(erased) ?? ""));
  expect(kept.map(({ channel }) => channel)).toEqual(channels);
});
