// Tests calls to a phone that sent STOP by text, if `stopCovers` includes calls.

import { afterEach, beforeEach, expect, it } from "vitest";
import { createRecipientDigest } from "../../domain/contacts.ts";
import { blockTexts, noteTextContacts } from "../../domain/messages/text-rows.ts";
import { type InMemoryService, openInMemoryService, pepper } from "../../testing/in-memory-service.ts";

const HOUR_MS = 3_600_000;
/** One in the afternoon in Washington. */
const startMs = Date.UTC(2026, 0, 15, 18);
const sender = "+12025550199";
const stopped = "+12025550100";
const other = "+12025550101";
const call = { merchantId: "shop", useCase: "MARKETING", messageText: "Tomorrow at nine." };

let service: InMemoryService;
beforeEach(async () => {
  service = await openInMemoryService({ consentPolicy: "opt_out_only", stopCovers: "sms,voice", now: startMs });
  for (const merchantId of ["shop", "bakery"]) {
    const body = { merchantId, displayName: merchantId, voiceMinutesLimit: 100 };
    await service.call("POST", "/api/v1/merchants", { body });
  }
});
afterEach(() => service.close());

/** Records a STOP from a time when it covered only texts, so that no consent for calls was recorded. */
async function sayStop(): Promise<void> {
  const { tenantId } = service.credential;
  const now = service.clock.now();
  const text = { sender, phone: stopped, tenantId, merchantId: "shop", messageId: "msg_1" };
  const phoneDigest = createRecipientDigest(pepper)(0, stopped);
  await service.store.write(async (tx) => {
    await noteTextContacts(tx, [text], now);
    await blockTexts(tx, { phoneDigest, sender, word: "STOP", now });
  });
}

async function send(body: object = {}): Promise<object> {
  const text = { merchantId: "shop", to: stopped, text: "Hello", type: "OTP", ...body };
  const reply = await service.call("POST", "/api/v1/messages/voice", { body: text });
  const { code = null } = reply.json();
  return { status: reply.statusCode, code };
}

const refused = { status: 422, code: "consent_opted_out" };
const accepted = { status: 200, code: null };

it("calls to the phone are refused, unless the merchant never texted the phone or has a later OPT_IN to calls", async () => {
  await sayStop();
  expect(await send()).toEqual(refused);
  expect(await send({ to: other })).toEqual(accepted);
  expect(await send({ merchantId: "bakery" })).toEqual(accepted);
  await service.clock.advanceBy(1_000);
  for (const [channel, result] of [
    ["SMS", refused],
    ["VOICE", accepted],
  ] as const) {
    const consent = { merchantId: "shop", channel, contact: stopped, status: "OPT_IN" };
    await service.call("POST", "/api/v1/consents", { body: consent });
    expect(await send()).toEqual(result);
  }
});

it("calls to the phone are rejected in a batch, while calls to other phones are placed", async () => {
  await sayStop();
  const body = { ...call, toNumbers: [other, stopped] };
  const reply = await service.call("POST", "/api/v1/voice/tts-calls", { body });
  expect(reply.json()).toMatchObject({ totalCalls: 2, failedCount: 1, policyReason: "CONSENT_OPTED_OUT" });
});

it.each([
  ["begins", 10, { status: "REJECTED", policyReason: "CONSENT_OPTED_OUT" }],
  ["is handed over", 0, { status: "FAILED", deliveryReason: "OPTED_OUT" }],
] as const)("a call to the phone ends if the STOP arrives before the call %s", async (_when, hours, ended) => {
  // at night, the call waits for the morning
  await service.clock.advanceBy(hours * HOUR_MS);
  const reply = await service.call("POST", "/api/v1/voice/tts-calls", { body: { ...call, toNumber: stopped } });
  await sayStop();
  await service.start();
  await service.clock.advanceBy(14 * HOUR_MS);
  const placed = await service.call("GET", `/api/v1/voice/tts-calls/${reply.json().requestId}`);
  expect(placed.json()).toMatchObject(ended);
});
