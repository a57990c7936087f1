import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";

let service: InMemoryService;
beforeAll(async () => {
  service = await openInMemoryService();
});
afterAll(() => service.close());

let merchants = 0;
/** A merchant for each test, so that no quota is shared. */
async function addMerchant(quota: object): Promise<string> {
  merchants += 1;
  const merchantId = `m${merchants}`;
  await service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId, ...quota } });
  return merchantId;
}
const send = async (path: string, body: object, headers = {}) => {
  const reply = await service.call("POST", `/api/v1/${path}`, { body, headers });
  return { status: reply.statusCode, replayed: reply.headers["idempotent-replayed"] === "true", body: reply.json() };
};
const sms = (merchantId: string, change = {}) => ({
  merchantId,
  to: "+12025550100",
  message: "Hi",
  type: "OTP",
  ...change,
});
const email = (merchantId: string, change = {}) => ({
  merchantId,
  to: "ada@example.com",
  subject: "Hi",
  body: "<p>Hi</p>",
  type: "TRANSACTIONAL",
  ...change,
});

describe("accepting a message", () => {
  it("returns QUEUED and an id that sorts by time", async () => {
    const merchantId = await addMerchant({ smsLimit: 2, emailLimit: 1 });
    const first = await send("messages/sms", sms(merchantId));
    const second = await send("messages/sms", sms(merchantId));
    expect(first).toMatchObject({ status: 200, body: { merchantId, channel: "SMS", status: "QUEUED" } });
    expect(first.body.messageId < second.body.messageId).toBe(true);
    expect(await send("messages/email", email(merchantId))).toMatchObject({
      body: { channel: "EMAIL", status: "QUEUED" },
    });
  });

  it("uses one unit of quota per segment of the text", async () => {
    const merchantId = await addMerchant({ smsLimit: 2 });
    expect(await send("messages/sms", sms(merchantId, { message: "a".repeat(307) }))).toMatchObject({
      status: 402,
      body: { code: "quota_exceeded", channel: "SMS", available: 2, required: 3, suggestedLimit: 100, merchantId },
    });
    expect((await send("messages/sms", sms(merchantId, { message: "a".repeat(161) }))).status).toBe(200);
    expect(await send("messages/sms", sms(merchantId))).toMatchObject({ body: { available: 0, required: 1 } });
  });

  it("explains how to set a limit if the merchant has none", async () => {
    const merchantId = await addMerchant({ displayName: "Ada & Co" });
    const { body } = await send("messages/sms", sms(merchantId));
    expect(body.detail).toContain("its smsLimit is 0, as every new merchant's is");
    expect(body).toMatchObject({ suggestedLimit: 100, merchantId, displayName: "Ada & Co" });
    expect((await send("messages/email", email(merchantId))).body.detail).toContain("its emailLimit is 0");
  });

  it("uses up the month's allowance before the credits", async () => {
    const merchantId = await addMerchant({ smsLimit: 1, smsCredits: 2 });
    await send("messages/sms", sms(merchantId, { message: "a".repeat(161) }));
    const reply = await service.call("GET", `/api/v1/merchants/${merchantId}`);
    expect(reply.json()).toMatchObject({ limits: { smsLimit: 1 }, credits: { smsCredits: 1 } });
    expect((await send("messages/sms", sms(merchantId))).status).toBe(200);
    expect((await send("messages/sms", sms(merchantId))).status).toBe(402);
  });

  it("loses no unit when a send fails while the credits pay for another", async () => {
    const merchantId = await addMerchant({ smsLimit: 1, smsCredits: 1 });
    await service.start();
    // the first send, which used the allowance, fails at the simulated provider
    await Promise.all([
      send("messages/sms", sms(merchantId, { to: "+12025550120" })),
      send("messages/sms", sms(merchantId)),
    ]);
    await service.clock.advanceBy(5_000);
    const { credits, usage } = (await service.call("GET", `/api/v1/merchants/${merchantId}`)).json();
    expect({ used: usage.smsUsed, credits: credits.smsCredits }).toEqual({ used: 1, credits: 1 });
    expect((await send("messages/sms", sms(merchantId))).status).toBe(200);
    expect((await send("messages/sms", sms(merchantId))).status).toBe(402);
  });

  it("changes nothing if it refuses, so that the same key may be used again", async () => {
    const merchantId = await addMerchant({});
    const headers = { "idempotency-key": "later" };
    expect((await send("messages/sms", sms(merchantId), headers)).status).toBe(402);
    await service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: "m", smsLimit: 1 } });
    expect(await send("messages/sms", sms(merchantId), headers)).toMatchObject({ status: 200, replayed: false });
  });

  it("gives the last unit to exactly one of fifty concurrent sends", async () => {
    const merchantId = await addMerchant({ smsLimit: 1 });
    const replies = await Promise.all(Array.from({ length: 50 }, () => send("messages/sms", sms(merchantId))));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 402)]);
  });

  it("refuses an inactive merchant before it checks consent and quota", async () => {
    const merchantId = await addMerchant({ active: false });
    expect(await send("messages/sms", sms(merchantId))).toMatchObject({
      status: 403,
      body: { code: "merchant_inactive" },
    });
  });

  it("attributes direct sends to the tenant's default merchant", async () => {
    const direct = { to: "+12025550100", message: "Hi" };
    expect(await send("sms/send", direct)).toMatchObject({ status: 402 });
    await service.call("POST", "/api/v1/merchants", {
      body: { merchantId: "default", displayName: "Acme", smsLimit: 1, emailLimit: 1 },
    });
    expect(await send("sms/send", direct)).toEqual({
      status: 200,
      replayed: false,
      body: { messageId: expect.stringMatching(/^msg_/), status: "QUEUED" },
    });
    expect((await send("email/send", { to: "ada@example.com", body: "Hi" })).status).toBe(200);
  });
});

describe("idempotency", () => {
  it("turns fifty requests with one key into one message", async () => {
    const merchantId = await addMerchant({ smsLimit: 50 });
    const calls = Array.from({ length: 50 }, () => send("messages/sms", sms(merchantId), { "idempotency-key": "one" }));
    const replies = await Promise.all(calls);
    expect(new Set(replies.map(({ body }) => body.messageId)).size).toBe(1);
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it("separates keys by tenant and by operation", async () => {
    const merchantId = await addMerchant({ smsLimit: 5, emailLimit: 5 });
    const headers = { "idempotency-key": "three" };
    const first = await send("messages/sms", sms(merchantId), headers);
    expect(await send("messages/email", email(merchantId), headers)).toMatchObject({ status: 200, replayed: false });

    const as = await service.issue({ tenant: "Other" });
    await service.call("POST", "/api/v1/merchants", { as, body: { merchantId, displayName: "Theirs", smsLimit: 1 } });
    const sendTheirs = () => service.call("POST", "/api/v1/messages/sms", { as, headers, body: sms(merchantId) });
    const theirs = await sendTheirs();
    expect(theirs.statusCode).toBe(200);
    expect(theirs.json().messageId).not.toBe(first.body.messageId);
    expect((await sendTheirs()).json().messageId).toBe(theirs.json().messageId);
  });

  it("replays a send of a merchant that has become inactive, but refuses its key for another request", async () => {
    const merchantId = await addMerchant({ smsLimit: 1 });
    const headers = { "idempotency-key": "last" };
    const first = await send("messages/sms", sms(merchantId), headers);
    await send("merchants", { merchantId, displayName: merchantId, active: false });
    const again = await send("messages/sms", sms(merchantId), headers);
    expect(again).toMatchObject({ status: 200, replayed: true, body: { messageId: first.body.messageId } });
    const other = await send("messages/sms", sms(merchantId, { message: "Other" }), headers);
    expect(other.body.code).toBe("idempotency_key_reused");
  });

  it("treats the path as part of the request", async () => {
    const headers = { "idempotency-key": "path" };
    const register = async (merchantId: string) =>
      send(`merchants/${merchantId}/messaging/brand`, { legalBusinessName: "Acme" }, headers);
    const [one, other] = [await addMerchant({}), await addMerchant({})];
    expect(await register(one)).toMatchObject({ status: 200, replayed: false });
    expect(await register(one)).toMatchObject({ status: 200, replayed: true });
    expect(await register(other)).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
  });

  it("releases a key after seven days", async () => {
    const merchantId = await addMerchant({ smsLimit: 5 });
    const headers = { "idempotency-key": "four" };
    const first = await send("messages/sms", sms(merchantId), headers);
    await service.clock.advanceBy(7 * 24 * 3_600_000 - 1);
    expect((await send("messages/sms", sms(merchantId), headers)).body.messageId).toBe(first.body.messageId);
    await service.clock.advanceBy(1);
    expect((await send("messages/sms", sms(merchantId), headers)).body.messageId).not.toBe(first.body.messageId);
  });

  it("separates the keys of a tenant from those of each of its merchants", async () => {
    const [one, two] = [await addMerchant({ smsLimit: 5 }), await addMerchant({ smsLimit: 5 })];
    const headers = { "idempotency-key": "of each" };
    const bySender = async (as: typeof service.credential, merchantId: string) => {
      const reply = await service.call("POST", "/api/v1/messages/sms", { as, headers, body: sms(merchantId) });
      return [reply.statusCode, reply.headers["idempotent-replayed"], reply.json().messageId];
    };
    const [first, second] = [await service.issue({ merchantId: one }), await service.issue({ merchantId: two })];
    const ofFirst = await service.issue({ merchantId: one });
    const sent = [
      await bySender(first, one),
      await bySender(second, two),
      await bySender(service.credential, one),
    ] as const;
    expect(sent.map(([status, replayed]) => [status, replayed])).toEqual(Array(3).fill([200, undefined]));
    expect(new Set(sent.map(([, , messageId]) => messageId)).size).toBe(3);
    // the scope is the merchant, not the API key
    expect(await bySender(ofFirst, one)).toEqual([200, "true", sent[0][2]]);
    expect(await bySender(service.credential, one)).toEqual([200, "true", sent[2][2]]);
  });
});

describe("an email address", () => {
  const recipientOf = async (messageId: string) => {
    const row = await service.store.read((tx) =>
      tx.get<{ recipient: string }>("SELECT recipient FROM messages WHERE message_id = $1", messageId),
    );
    return row?.recipient;
  };
  const consent = (merchantId: string, contact: string, status: string) =>
    send("consents", { merchantId, channel: "EMAIL", contact, status });

  it("is stored as written, and its consent applies to every spelling", async () => {
    const merchantId = await addMerchant({ emailLimit: 10 });
    await consent(merchantId, "ada.l@example.com", "OPT_IN");
    const mail = email(merchantId, { to: " Ada.L@EXAMPLE.com ", type: "MARKETING" });
    const { status, body } = await send("messages/email", mail);
    expect([status, await recipientOf(body.messageId)]).toEqual([200, "Ada.L@example.com"]);
    await consent(merchantId, "ADA.L@example.com", "OPT_OUT");
    expect(await send("messages/email", mail)).toMatchObject({ status: 422, body: { code: "consent_opted_out" } });
  });

  it("has one consent record in its normal form after a complaint about it in another spelling", async () => {
    const merchantId = await addMerchant({ emailLimit: 10 });
    await service.start();
    await send("messages/email", email(merchantId, { to: "Complained+Ada@Simulator.example" }));
    await service.clock.advanceBy(60_000);
    const consents = (await service.call("GET", `/api/v1/consents?merchantId=${merchantId}`)).json();
    expect(consents).toMatchObject([{ contact: "complained+ada@simulator.example", status: "OPT_OUT" }]);
  });
});
