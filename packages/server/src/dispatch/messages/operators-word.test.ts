// The operator settles a message whose outcome the carrier does not report: once, by an allowed transition, with the right
// charge.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listAuditEntries } from "../../domain/tenancy/rows.ts";
import { expectInvariants } from "../../testing/due-jobs.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { recordOperatorsWord } from "./operator-actions.ts";

const hourMs = 3_600_000;
/** Addresses whose message the carrier accepts but never reports on, never answers, or never gets. */
const [untold, unanswered, unsent] = ["+12025550102", "+12025550105", "+12025550100"];

let service: InMemoryService;
beforeEach(async () => {
  service = await openInMemoryService({ consentPolicy: "opt_out_only" });
  const limits = { smsLimit: 1, smsCredits: 9, voiceMinutesLimit: 100 };
  await post("/merchants", { merchantId: "shop", displayName: "Shop", ...limits });
});
afterEach(() => service.close());

async function post(url: string, body: object) {
  const reply = await service.call("POST", `/api/v1${url}`, { body });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json();
}
const shop = async () => (await service.call("GET", "/api/v1/merchants/shop")).json();
const left = async () => {
  const { usage, credits } = await shop();
  return { used: usage.smsUsed, credits: credits.smsCredits };
};
const report = async () => (await service.call("GET", "/api/v1/reports/usage")).json();

/** Sends a text of three segments. */
async function send(to: string, hours: number): Promise<string> {
  const message = "a".repeat(400);
  const { messageId } = await post("/messages/sms", { merchantId: "shop", to, message, type: "OTP" });
  await service.start();
  await service.clock.advanceBy(hours * hourMs);
  return messageId;
}
const settle = (messageId: string, status: "DELIVERED" | "UNDELIVERED" | "FAILED", by = "Ann") =>
  service.store.write((tx) =>
    recordOperatorsWord(tx, { messageId, status, reason: "ticket 7", by, now: service.clock.now() }),
  );
const rowOf = (messageId: string) =>
  service.store.read((tx) =>
    tx.get(
      `SELECT status, charge, (SELECT words FROM carrier_words w WHERE w.message_id = m.message_id) AS words
         FROM messages m WHERE message_id = $1`,
      messageId,
    ),
  );

describe("a message that ended UNKNOWN", () => {
  it.each([untold, unanswered])("to %s can be settled as DELIVERED or UNDELIVERED, and stays charged", async (to) => {
    const messageId = await send(to, 80);
    expect(await rowOf(messageId)).toMatchObject({ status: "UNKNOWN", charge: "SETTLED" });
    expect(await settle(messageId, "DELIVERED")).toMatchObject({ before: "UNKNOWN", isRepeat: false });
    const words = "settled by the operator: ticket 7";
    expect(await rowOf(messageId)).toEqual({ status: "DELIVERED", charge: "SETTLED", words });
    expect(await left()).toEqual({ used: 3, credits: 7 });
    expect(await settle(messageId, "DELIVERED", "Bob")).toMatchObject({ isRepeat: true });
    await expect(settle(messageId, "FAILED")).rejects.toThrow("is already DELIVERED, which is final");
    await expectInvariants(service.store);
  });

  it("can be settled as FAILED, with its charge reversed and the operator's name recorded", async () => {
    const before = await report();
    const messageId = await send(unanswered, 80);
    expect(await left()).toEqual({ used: 3, credits: 7 });
    await settle(messageId, "FAILED");
    expect(await rowOf(messageId)).toMatchObject({ status: "FAILED", charge: "RELEASED" });
    expect(await left()).toEqual({ used: 0, credits: 9 });
    const { finalCharges, smsCount } = await report();
    expect({ finalCharges, smsCount }).toEqual({ finalCharges: before.finalCharges, smsCount: before.smsCount });
    await expectInvariants(service.store);
    const page = { tenantId: service.credential.tenantId, before: Number.MAX_SAFE_INTEGER, limit: 5 };
    const entries = await service.store.read((tx) => listAuditEntries(tx, page));
    expect(entries).toMatchObject([
      {
        ...{ email: "Ann", operation: "messages settle" },
        target: `messageId ${messageId}, UNKNOWN to FAILED, reason ticket 7`,
      },
    ]);
    // a late receipt changes nothing
    await service.clock.advanceBy(hourMs);
    expect(await rowOf(messageId)).toMatchObject({ status: "FAILED" });
  });
});

describe("a message in another state", () => {
  it("can be settled if it is SENT without a receipt, and the receipt is no longer awaited", async () => {
    const messageId = await send(untold, 1);
    expect(await rowOf(messageId)).toMatchObject({ status: "SENT" });
    await expect(settle(messageId, "FAILED")).rejects.toThrow(
      "its carrier accepted it, so it can be settled only as delivered",
    );
    await settle(messageId, "UNDELIVERED");
    await service.clock.advanceBy(80 * hourMs);
    expect(await rowOf(messageId)).toMatchObject({ status: "UNDELIVERED", charge: "SETTLED" });
    await expectInvariants(service.store);
  });

  it("cannot be settled, and the error says what to do", async () => {
    const body = { merchantId: "shop", to: unsent, message: "Hi", type: "OTP" };
    const { messageId: waiting } = await post("/messages/sms", body);
    await expect(settle(waiting, "FAILED")).rejects.toThrow("cancel it with msgd messages cancel");
    const asked = await send(unanswered, 1);
    await expect(settle(asked, "FAILED")).rejects.toThrow("is SENDING: its carrier is asked");
    await expect(settle("msg_none", "FAILED")).rejects.toThrow("there is no message msg_none");
    await expectInvariants(service.store);
  });
});

describe("a call that ended UNKNOWN", () => {
  it("stays closed and free; only its message shows the settlement", async () => {
    const body = { merchantId: "shop", messageText: "Hello", useCase: "OTP", toNumber: untold };
    const { requestId, batchId } = await post("/voice/tts-calls", body);
    await service.start();
    await service.clock.advanceBy(80 * hourMs);
    const call = async () => (await service.call("GET", `/api/v1/voice/tts-calls/${requestId}`)).json();
    const before = await call();
    const row = await service.store.read((tx) =>
      tx.get<{ messageId: string }>(
        `SELECT message_id AS "messageId" FROM tts_calls WHERE batch_id = $1`,
        Number(batchId),
      ),
    );
    expect(await rowOf(row?.messageId ?? "")).toMatchObject({ status: "UNKNOWN", charge: "RELEASED" });
    await settle(row?.messageId ?? "", "FAILED");
    expect(await rowOf(row?.messageId ?? "")).toMatchObject({ status: "FAILED", charge: "RELEASED" });
    expect(await call()).toEqual(before);
    await expectInvariants(service.store);
  });
});
