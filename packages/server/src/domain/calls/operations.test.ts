import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import type { IssuedCredential } from "../tenancy/tenants.ts";

const HOUR_MS = 3_600_000;
/** 13:00 in New York, when it is day everywhere in the continental US. */
const noon = Date.UTC(2026, 0, 15, 18);
/** 23:00 in New York. */
const night = Date.UTC(2026, 0, 16, 4);
const url = "/api/v1/voice/tts-calls";

let service: InMemoryService;
async function open(now = noon): Promise<void> {
  service = await openInMemoryService({ now });
  await addMerchant("shop");
  await service.start();
}
afterEach(() => service.close());

async function addMerchant(merchantId: string, quota: object = { voiceMinutesLimit: 100 }): Promise<void> {
  await service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId, ...quota } });
}
async function consent(contact: string, status: "OPT_IN" | "OPT_OUT" = "OPT_IN", merchantId = "shop"): Promise<void> {
  await service.call("POST", "/api/v1/consents", { body: { merchantId, channel: "VOICE", contact, status } });
}
async function create(change: object, request: { headers?: Record<string, string>; as?: IssuedCredential } = {}) {
  const body = { merchantId: "shop", messageText: "Hello", useCase: "OTP", ...change };
  const reply = await service.call("POST", url, { body, ...request });
  return { status: reply.statusCode, replayed: reply.headers["idempotent-replayed"] === "true", body: reply.json() };
}
async function get(path: string, as?: IssuedCredential) {
  const reply = await service.call("GET", `${url}${path}`, as === undefined ? {} : { as });
  return { status: reply.statusCode, body: reply.json() };
}
async function quota(merchantId = "shop") {
  const { usage, credits } = (await service.call("GET", `/api/v1/merchants/${merchantId}`)).json();
  const row = await service.store.read((tx) =>
    tx.get<{ reserved: number }>("SELECT reserved FROM usage WHERE merchant_id = $1 AND channel = 'VOICE'", merchantId),
  );
  return { used: usage.voiceUsed, reserved: row?.reserved ?? 0, credits: credits.voiceMinutesCredits };
}
const [one, two, three] = ["+12025550100", "+12125550100", "+13125550100"];

describe("a batch", () => {
  beforeEach(() => open());

  it("of one number can be read as batch and as call", async () => {
    const { body } = await create({ toNumber: one, toNumbers: [one] });
    expect(body).toMatchObject({ totalCalls: 1, toNumber: one, status: "QUEUED", executionType: "IMMEDIATE" });
    expect(body).toMatchObject({ estimatedTtsCharacters: 5, estimatedTtsCost: 0.000096, estimatedCallCost: 0.0168 });
    expect((await get(`/${body.requestId}`)).body).toMatchObject({ batchId: body.batchId, toNumber: one });
  });

  it("of several numbers keeps their order, and calls each number once", async () => {
    const { body } = await create({ toNumber: three, toNumbers: [one, two, one, three] });
    expect(body).toMatchObject({ totalCalls: 3, requestId: null, toNumber: null, pendingCount: 3 });
    const numbers = (await get(`/batches/${body.batchId}/numbers`)).body;
    expect(numbers.map(({ toNumber }: { toNumber: string }) => toNumber)).toEqual([three, one, two]);
  });

  it("uses one speech for all its calls, charged to the call that requested it", async () => {
    const { body } = await create({ toNumbers: [one, two, three] });
    await service.clock.advanceBy(10_000);
    const again = await create({ toNumbers: [one] });
    await service.clock.advanceBy(10_000);
    expect((await get(`/batches/${body.batchId}/summary`)).body).toMatchObject({
      status: "COMPLETED",
      success: 3,
      ttsCacheHits: 2,
      ttsCacheMisses: 1,
      ttsCacheHitRatio: 0.666667,
      totalTtsCost: 0.000096,
      totalCallCost: 0.0504,
      totalCost: 0.050496,
    });
    const [{ ttsAssetId }] = (await get(`/batches/${body.batchId}/numbers`)).body;
    const hit = (await get(`/${again.body.requestId}`)).body;
    expect(hit).toMatchObject({ ttsCacheStatus: "HIT", actualTtsCharacters: 0, actualTtsCost: 0, ttsAssetId });
    expect(ttsAssetId).toBeGreaterThan(0);
    expect(hit.usage[0]).toMatchObject({ usageType: "TTS", quantity: 0, finalCost: 0 });
  });

  it("rejects numbers without consent, and calls the others", async () => {
    await consent(one);
    await consent(two, "OPT_OUT");
    const { body } = await create({ useCase: "REMINDER", toNumbers: [one, two, three] });
    expect(body).toMatchObject({ totalCalls: 3, pendingCount: 1, failedCount: 2, policyReason: "CONSENT_OPTED_OUT" });
    expect(body.estimatedTtsCharacters).toBe(5);
    expect(await quota()).toEqual({ used: 0, reserved: 1, credits: 0 });
    await service.clock.advanceBy(10_000);
    expect((await get(`/batches/${body.batchId}/summary`)).body).toMatchObject({
      status: "COMPLETED_WITH_ERRORS",
      success: 1,
      failed: 2,
      finalizedCount: 3,
      finalizedCost: 0.016896,
    });
    const calls = (await get("")).body;
    expect(calls.map((call: Record<string, unknown>) => [call.toNumber, call.status, call.policyReason])).toEqual([
      [three, "REJECTED", "CONSENT_REQUIRED"],
      [two, "REJECTED", "CONSENT_OPTED_OUT"],
      [one, "COMPLETED", null],
    ]);
    const failed = (await get(`/batches/${body.batchId}/numbers?status=FAILED`)).body;
    expect(failed).toHaveLength(2);
    expect(failed[0]).toMatchObject({ toNumber: two, callStatus: "CANCELED", totalCost: 0, ttsCharacters: 0 });
  });

  it("rejects numbers beyond the quota's minutes", async () => {
    await addMerchant("small", { voiceMinutesLimit: 1, voiceMinutesCredits: 1 });
    const { body } = await create({ merchantId: "small", toNumbers: [one, two, three] });
    expect(body).toMatchObject({ pendingCount: 2, failedCount: 1, policyReason: "QUOTA_EXCEEDED" });
    await service.clock.advanceBy(10_000);
    expect(await quota("small")).toEqual({ used: 2, reserved: 0, credits: 0 });
  });

  it("is refused if all its numbers are refused, and changes nothing", async () => {
    await consent(two, "OPT_OUT");
    const { status, body } = await create({ useCase: "sale", toNumber: one, toNumbers: [two] });
    expect({ status, code: body.code }).toEqual({ status: 422, code: "all_recipients_refused" });
    expect(body.errors).toMatchObject([
      { pointer: "/toNumber", code: "consent_required" },
      { pointer: "/toNumbers/0", code: "consent_opted_out" },
    ]);
    expect((await get("")).body).toEqual([]);
    expect(await quota()).toEqual({ used: 0, reserved: 0, credits: 0 });
  });

  it.each([
    [{}, "/toNumber", "validation_error"],
    [{ toNumber: one, idempotencyKey: "" }, "/idempotencyKey", "idempotency_key_invalid"],
    [{ toNumber: one, idempotencyKey: "clé" }, "/idempotencyKey", "idempotency_key_invalid"],
    [{ toNumber: one, idempotencyKey: "k".repeat(256) }, "/idempotencyKey", "idempotency_key_invalid"],
  ])("with %j is refused at %s", async (change, pointer, code) => {
    const { status, body } = await create(change);
    expect({ status, code: body.code, pointer: body.errors[0].pointer }).toEqual({ status: 400, code, pointer });
  });

  it("has consistent totals at all times", async () => {
    const toNumbers = [one, "+12125550130", "+13125550133", "+14155550137", "+12025550139", "+12025550102"];
    await consent("+12025550117", "OPT_OUT");
    const { body } = await create({ toNumbers: [...toNumbers, "+12025550117"] });
    const micros = (amount: number) => Math.round(amount * 1e6);
    const seen = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const batch = (await get(`/batches/${body.batchId}/summary`)).body;
      const { success, failed, partial, pending, scheduled, finalizedCount, provisionalCount } = batch;
      expect(success + failed + partial + pending + scheduled).toBe(batch.totalCalls);
      expect(finalizedCount + provisionalCount).toBe(batch.totalCalls);
      expect(micros(batch.totalCost)).toBe(micros(batch.totalTtsCost) + micros(batch.totalCallCost));
      expect(micros(batch.totalCost)).toBe(micros(batch.provisionalCost) + micros(batch.finalizedCost));
      const numbers = (await get(`/batches/${body.batchId}/numbers`)).body;
      const projected = numbers.map((call: Record<string, number>) => micros(call.projectedTotalCost ?? 0));
      expect(micros(batch.totalCost)).toBe(projected.reduce((sum: number, cost: number) => sum + cost, 0));
      seen.add(`${batch.status} ${finalizedCount}`);
      await service.clock.advanceBy(round < 38 ? 50 : 73 * HOUR_MS);
    }
    expect([...seen].at(0)).toBe("QUEUED 1");
    expect([...seen].at(-1)).toBe("COMPLETED_WITH_ERRORS 7");
    expect(seen.size).toBeGreaterThan(3);
  });

  it("releases minutes that a call did not use, and charges those beyond its estimate", async () => {
    await addMerchant("long", { voiceMinutesLimit: 1, voiceMinutesCredits: 1 });
    await create({ merchantId: "long", toNumber: "+12025550139" });
    await service.clock.advanceBy(10_000);
    // the call took 3 minutes, estimated as 1; the last one exceeds the limit
    expect(await quota("long")).toEqual({ used: 3, reserved: 0, credits: 0 });
    await addMerchant("busy", { voiceMinutesLimit: 0, voiceMinutesCredits: 4 });
    await create({ merchantId: "busy", toNumber: "+12025550130", messageText: "a".repeat(3_000) });
    expect(await quota("busy")).toEqual({ used: 0, reserved: 4, credits: 0 });
    await service.clock.advanceBy(10_000);
    expect(await quota("busy")).toEqual({ used: 0, reserved: 0, credits: 4 });
    await create({ merchantId: "busy", toNumber: one, messageText: "a".repeat(3_000) });
    await service.clock.advanceBy(10_000);
    expect(await quota("busy")).toEqual({ used: 1, reserved: 0, credits: 3 });
  });

  it("raises usage and provider alerts like an SMS", async () => {
    await addMerchant("alert", { voiceMinutesLimit: 2 });
    await create({ merchantId: "alert", toNumber: one });
    await addMerchant("fails");
    const numbers = ["202", "212", "312", "415", "646"].map((area) => `+1${area}5550120`);
    await create({ merchantId: "fails", toNumbers: numbers });
    await service.clock.advanceBy(10_000);
    const alerts: Record<string, unknown>[] = (await service.call("GET", "/api/v1/alerts")).json();
    const raised = alerts.map((alert) => `${alert.merchantId} ${alert.channel} ${alert.alertType}`);
    expect(raised.toSorted()).toEqual(["alert VOICE USAGE_THRESHOLD", "fails VOICE PROVIDER_FAILURE"]);
  });
});

describe("an idempotency key", () => {
  beforeEach(() => open());

  it("is the same key whether it is in the header or in the body", async () => {
    const first = await create({ toNumber: one, idempotencyKey: "k1" });
    const second = await create({ toNumber: one }, { headers: { "idempotency-key": "k1" } });
    const third = await create({ toNumber: one, idempotencyKey: "k1" }, { headers: { "idempotency-key": "k1" } });
    expect([second, third].map(({ replayed, body }) => [replayed, body.batchId])).toEqual([
      [true, first.body.batchId],
      [true, first.body.batchId],
    ]);
    await service.clock.advanceBy(10_000);
    expect((await create({ toNumber: one, idempotencyKey: "k1" })).body).toMatchObject({ status: "COMPLETED" });
    const other = await create({ toNumber: two, idempotencyKey: "k1" });
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
  });
});

describe("a call at night", () => {
  beforeEach(async () => {
    await open(night);
    for (const number of [one, two, three, "+18005550100"]) await consent(number);
  });
  const morning = "2026-01-16T13:00:00.000Z";

  it("is rejected in the morning if consent was withdrawn, and releases its minutes", async () => {
    const { body } = await create({ useCase: "sale", toNumber: one });
    await consent(one, "OPT_OUT");
    expect((await quota()).reserved).toBe(1);
    await service.clock.advanceBy(12 * HOUR_MS);
    expect((await get(`/${body.requestId}`)).body).toMatchObject({
      status: "REJECTED",
      callStatus: "CANCELED",
      finalStatus: "FAILED",
      policyReason: "CONSENT_OPTED_OUT",
      billingState: "FINALIZED",
      projectedTotalCost: 0,
      usage: [],
    });
    expect(await quota()).toEqual({ used: 0, reserved: 0, credits: 0 });
  });

  it("is rejected in the morning if a lowered quota no longer covers it; earlier calls are rejected first", async () => {
    const { body } = await create({ useCase: "sale", toNumbers: [one, two] });
    await addMerchant("shop", { voiceMinutesLimit: 1 });
    await service.clock.advanceBy(12 * HOUR_MS);
    const numbers = (await get(`/batches/${body.batchId}/numbers`)).body;
    expect(numbers.map((call: Record<string, unknown>) => call.finalStatus)).toEqual(["FAILED", "SUCCESS"]);
    expect((await get("?limit=2")).body[1]).toMatchObject({ policyReason: "QUOTA_EXCEEDED" });
    expect(await quota()).toEqual({ used: 1, reserved: 0, credits: 0 });
  });

  it("fails in the morning if the merchant was deactivated, and releases its minutes", async () => {
    const { body } = await create({ useCase: "sale", toNumber: one });
    const voice = { merchantId: "shop", to: two, text: "Hi", type: "MARKETING" };
    const { messageId } = (await service.call("POST", "/api/v1/messages/voice", { body: voice })).json();
    await addMerchant("shop", { active: false });
    await service.clock.advanceBy(12 * HOUR_MS);
    expect((await get(`/${body.requestId}`)).body).toMatchObject({
      status: "FAILED",
      callStatus: "CANCELED",
      finalStatus: "FAILED",
      policyReason: "QUIET_HOURS",
      billingState: "FINALIZED",
      attemptCount: 0,
      error: "The merchant was not active when the call was due to begin.",
    });
    const sent = await service.store.read((tx) =>
      tx.get("SELECT status, charge, attempts FROM messages WHERE message_id = $1", messageId),
    );
    expect(sent).toEqual({ status: "FAILED", charge: "RELEASED", attempts: 0 });
    expect(await quota()).toEqual({ used: 0, reserved: 0, credits: 0 });
  });

  it.each([
    ["a batch of one number", url, { messageText: "Hello", useCase: "sale", toNumber: one }, morning],
    [
      "a batch with numbers in two zones",
      url,
      { messageText: "Hello", useCase: "sale", toNumbers: [one, three] },
      "2026-01-16T14:00:00.000Z",
    ],
    ["a voice send", "/api/v1/messages/voice", { to: one, text: "Hello", type: "MARKETING" }, morning],
  ])(
    "keeps the idempotency key of its request (%s) for a week after the last call",
    async (_case, path, body, lastCall) => {
      const isReplay = async () => {
        const request = { body: { merchantId: "shop", ...body }, headers: { "idempotency-key": "k" } };
        return (await service.call("POST", path, request)).headers["idempotent-replayed"] === "true";
      };
      expect(await isReplay()).toBe(false);
      await service.clock.advanceTo(Date.parse(lastCall) + 7 * 24 * HOUR_MS - 1);
      expect(await isReplay()).toBe(true);
      await service.clock.advanceBy(1);
      expect(await isReplay()).toBe(false);
    },
  );

  it("made by a voice send stays QUEUED until the morning", async () => {
    const headers = { "idempotency-key": "v" };
    const body = { merchantId: "shop", to: one, text: "Hi", type: "MARKETING" };
    const send = async () => (await service.call("POST", "/api/v1/messages/voice", { body, headers })).json();
    await send();
    await service.clock.advanceTo(Date.parse(morning) - 1);
    expect((await send()).status).toBe("QUEUED");
    await service.clock.advanceBy(10_000);
    expect((await send()).status).toBe("DELIVERED");
  });
});

describe("a voice send", () => {
  beforeEach(() => open());
  const send = async (change: object) =>
    (
      await service.call("POST", "/api/v1/messages/voice", {
        body: { merchantId: "shop", to: one, text: "Hi", type: "OTP", ...change },
      })
    ).json();

  it("rings for as long as requested", async () => {
    const { messageId } = await send({ to: "+12025550101", timeoutSeconds: 10 });
    await service.clock.advanceBy(15_000);
    expect((await get("")).body).toMatchObject([{ callStatus: "NO_ANSWER", providerCallId: `sim_${messageId}_1` }]);
  });
});

describe("listing calls", () => {
  beforeEach(async () => {
    await open();
    await addMerchant("other");
    await create({ toNumber: one, tenantId: "sub", sourceSystem: "crm", useCase: "OTP" });
    await create({ toNumber: two, merchantId: "other", sourceSystem: "crm", useCase: "otp" });
    await create({ toNumber: three, tenantId: "sub", merchantId: "other", useCase: "Otp" });
  });

  it.each([
    ["", [three, two, one]],
    ["?merchantId=other", [three, two]],
    ["?tenantId=sub", [three, one]],
    ["?tenantId=1", [two]],
    ["?sourceSystem=crm", [two, one]],
    ["?useCase=oTP", [three, two, one]],
    ["?useCase=REMINDER", []],
    ["?merchantId=other&sourceSystem=crm", [two]],
    ["?limit=2", [three, two]],
  ])("with %s returns %j", async (query, numbers) => {
    const { body } = await get(query);
    expect(body.map(({ toNumber }: { toNumber: string }) => toNumber)).toEqual(numbers);
  });
});
