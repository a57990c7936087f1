import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listTenantCallbacks } from "../domain/callbacks/list-rows.ts";
import { enqueueCallback } from "../domain/callbacks/rows.ts";
import type { IssuedCredential } from "../domain/tenancy/tenants.ts";
import { listAsked } from "../testing/audit-entries.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";
import type { InMemoryService } from "../testing/in-memory-service.ts";

const NUMBER = "+12025550100";
const DAY_MS = 24 * 60 * 60_000;

let dashboard: DashboardService;
let service: InMemoryService;
let admin: SignedIn;
let signedIn = 0;
beforeEach(async () => {
  dashboard = await openDashboardService();
  ({ service } = dashboard);
  for (const merchantId of ["m1", "m2"]) await addMerchant(merchantId);
  admin = await signIn();
});
afterEach(() => service.close());

async function addMerchant(merchantId: string, as?: IssuedCredential): Promise<void> {
  const options = as === undefined ? {} : { as };
  const limits = { smsLimit: 100, voiceMinutesLimit: 100 };
  await service.call("POST", "/api/v1/merchants", {
    body: { merchantId, displayName: merchantId, ...limits },
    ...options,
  });
  for (const channel of ["SMS", "VOICE"]) {
    const body = { merchantId, channel, contact: NUMBER, status: "OPT_IN" };
    await service.call("POST", "/api/v1/consents", { body, ...options });
  }
}

const signIn = (merchantId: string | null = null, tenantId = service.credential.tenantId) =>
  dashboard.signIn(`${++signedIn}@example.com`, { merchantId, tenantId });

async function ask(text: string, as = admin) {
  const { status, body } = await dashboard.ask("GET", `/id-lookup?text=${encodeURIComponent(text)}`, { as });
  return { status, body };
}
const find = async (text: string, as = admin) => (await ask(text, as)).body;

interface Keyed {
  readonly key?: string;
  readonly as?: IssuedCredential;
}

async function post(path: string, body: object, { key, as }: Keyed = {}) {
  const headers = key === undefined ? {} : { "idempotency-key": key };
  const reply = await service.call("POST", `/api/v1${path}`, { body, headers, ...(as === undefined ? {} : { as }) });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return { ...reply.json(), repliedAs: reply.headers["x-request-id"] as string };
}

const send = (merchantId = "m1", keyed: Keyed = {}) =>
  post("/messages/sms", { merchantId, to: NUMBER, message: "Hello", type: "OTP" }, keyed);
const speak = (merchantId = "m1", keyed: Keyed = {}) =>
  post("/voice/tts-calls", { merchantId, useCase: "OTP", messageText: "Your code is 1234", toNumber: NUMBER }, keyed);

/** Returns the webhook-id of a callback of the call. */
async function addCallback(requestId: number, tenantId = service.credential.tenantId): Promise<string> {
  const url = "https://hooks.example/";
  const callback = { tenantId, requestId, url, type: "voice.tts_call.updated" as const, data: {} };
  await service.store.write((tx) => enqueueCallback(tx, { ...callback, now: service.clock.now() }));
  const page = { tenantId, status: undefined, before: Number.MAX_SAFE_INTEGER, limit: 1 };
  const [last] = await service.store.read((tx) => listTenantCallbacks(tx, page));
  return last?.webhookId ?? "";
}

const itself = (kind: string, id: string) => ({ kind, id, keyOf: null, isKept: true });
const keyed = (keyOf: string, kind: string | null, id: string | null) => ({ kind, id, keyOf, isKept: true });

describe("an Idempotency-Key", () => {
  it("leads to the message that its request created, whatever characters the key has", async () => {
    for (const key of ["order:123", "1", NUMBER, '"quoted"', "two words", "x".repeat(255)]) {
      const { messageId } = await send("m1", { key });
      expect(await find(key)).toEqual([keyed("sendSms", "message", messageId)]);
    }
    expect(await find("order:12")).toEqual([]);
    expect(await find("Order:123")).toEqual([]);
  });

  it("leads to the batch that its request created", async () => {
    const { batchId } = await speak("m1", { key: "b-1" });
    expect(await find("b-1")).toEqual([keyed("createTtsCalls", "batch", String(batchId))]);
  });

  it("leads to the operation of its request, without revealing a recipient", async () => {
    await post("/merchants", { merchantId: "m3", displayName: "Third" }, { key: "once" });
    const consent = { merchantId: "m1", channel: "SMS", contact: "ann@example.com", status: "OPT_IN" };
    await post("/consents", { ...consent, channel: "EMAIL" }, { key: "once" });
    await post("/billing/upgrade", { merchantId: "m1", channel: "SMS", units: 10 }, { key: "pay" });
    const found = await find("once");
    expect(found).toHaveLength(2);
    expect(found).toContainEqual(keyed("upsertMerchant", "merchant", "m3"));
    expect(found).toContainEqual(keyed("recordConsent", "merchant", "m1"));
    expect(JSON.stringify(found)).not.toContain("ann@");
    expect(await find("pay")).toEqual([keyed("requestUpgrade", null, null)]);
  });

  it("is found by the tenant's users as long as it is kept, whichever credential used it", async () => {
    const merchants = Array.from({ length: 12 }, (_none, number) => `n${number}`);
    const made: string[] = [];
    for (const merchantId of merchants) {
      await addMerchant(merchantId);
      const as = await service.issue({ merchantId });
      made.push((await send(merchantId, { key: "same", as })).messageId);
      await send(merchantId, { key: `other ${merchantId}`, as });
    }
    const found = await find("same");
    expect(found).toHaveLength(10);
    expect(made).toEqual(expect.arrayContaining(found.map(({ id }: { id: string }) => id)));
    expect(await find("other n11")).toHaveLength(1);
    await service.clock.advanceBy(8 * DAY_MS);
    expect(await find("same", await signIn())).toEqual([]);
    expect(await find("same", await signIn("n1"))).toEqual([]);
  });

  it("is found by a merchant's user if the merchant's key used it, or its request created the merchant's object", async () => {
    const [first, second] = [await signIn("m1"), await signIn("m2")];
    const { messageId } = await send("m1", { key: "by the tenant" });
    expect(await find("by the tenant", first)).toEqual([keyed("sendSms", "message", messageId)]);
    expect(await find("by the tenant", second)).toEqual([]);
    const { batchId } = await speak("m1", { key: "a batch" });
    expect(await find("a batch", first)).toEqual([keyed("createTtsCalls", "batch", String(batchId))]);
    expect(await find("a batch", second)).toEqual([]);
    await post("/billing/upgrade", { merchantId: "m1", channel: "SMS", units: 10 }, { key: "pay" });
    expect(await find("pay", first)).toEqual([]);
    const own = await service.issue({ merchantId: "m1" });
    const sent = await send("m1", { key: "by the merchant", as: own });
    expect(await find("by the merchant", first)).toEqual([keyed("sendSms", "message", sent.messageId)]);
    expect(await find("by the merchant", second)).toEqual([]);
  });
});

describe("an id", () => {
  it("leads to the object that has it", async () => {
    const { batchId, requestId, repliedAs } = await speak();
    const webhookId = await addCallback(requestId);
    expect(await find(String(batchId))).toEqual([itself("batch", String(batchId))]);
    expect(await find(String(requestId))).toEqual([itself("call", String(requestId))]);
    expect(await find(webhookId)).toEqual([itself("callback", webhookId)]);
    expect(await find("m1")).toEqual([itself("merchant", "m1")]);
    expect(await find(repliedAs)).toEqual([itself("request", repliedAs)]);
    const { tenantId } = service.credential;
    expect(await listAsked(service.store, tenantId)).toEqual([]);
  });

  it("may also be an Idempotency-Key", async () => {
    const { messageId } = await send("m1", { key: "m1" });
    expect(await find("m1")).toEqual([itself("merchant", "m1"), keyed("sendSms", "message", messageId)]);
  });

  it("is recognized as the id of a request that is no longer kept", async () => {
    const { repliedAs } = await send();
    expect(await find(repliedAs)).toEqual([itself("request", repliedAs)]);
    await service.clock.advanceBy(61 * 60_000);
    const later = await signIn();
    expect(await find(repliedAs, later)).toEqual([{ ...itself("request", repliedAs), isKept: false }]);
    expect(await find(repliedAs.slice(0, -1), later)).toEqual([]);
  });

  it.each([
    "0",
    "-1",
    "007",
    "1.0",
    "9".repeat(16),
    "9".repeat(255),
    "1e3",
    "evt_",
    "req_",
    "..",
    "%00",
    "' OR 1=1 --",
  ])("leads nowhere if it is unknown: %s", async (text) => {
    expect(await ask(text)).toEqual({ status: 200, body: [] });
  });

  it.each(["", "a\u0000b", "na\u00efve", "x".repeat(256)])("is refused if it is invalid: %j", async (text) => {
    expect(await ask(text)).toMatchObject({ status: 400, body: { code: "validation_error" } });
  });
});

describe("an object of another owner", () => {
  /** Creates an object of each kind with the owner's credentials. Returns each id together with a similar unknown id. */
  async function makeAll(keyedBy: Keyed) {
    const { batchId, requestId, repliedAs } = await speak("m1", { ...keyedBy, key: "key of a batch" });
    await send("m1", { ...keyedBy, key: "key of a message" });
    const { as: { tenantId } = service.credential } = keyedBy;
    return [
      { text: String(batchId), nobody: String(batchId + 1) },
      { text: String(requestId), nobody: String(requestId + 1) },
      { text: await addCallback(requestId, tenantId), nobody: `evt_${"0".repeat(32)}` },
      { text: repliedAs, nobody: `req_${"0".repeat(19)}` },
      { text: "key of a batch", nobody: "key of nothing" },
      { text: "key of a message", nobody: "key of nothing" },
    ];
  }

  const withoutId = (matches: object[]) => matches.map((match) => ({ ...match, id: "?" }));

  it("looks to another merchant's users like an unknown id", async () => {
    const as = await service.issue({ merchantId: "m1" });
    const [owner, second] = [await signIn("m1"), await signIn("m2")];
    for (const { text, nobody } of [...(await makeAll({ as })), { text: "m1", nobody: "none" }]) {
      expect(await find(text, owner), text).toMatchObject([{ isKept: true }]);
      expect(withoutId(await find(text, second)), text).toEqual(withoutId(await find(nobody, second)));
    }
  });
});
