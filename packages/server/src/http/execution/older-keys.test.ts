import { afterEach, beforeEach, expect, it } from "vitest";
import { createVirtualClock } from "../../development/virtual-clock.ts";
import { openService, type Service } from "../../service.ts";
import { createTenant, type IssuedCredential, issueCredential } from "../../steps/tenancy.ts";
import { upsertMerchant, upsertQuota } from "../../store/merchants.ts";
import { type TestDatabase, takeLastingDatabase } from "../../testing/engine.ts";
import { pepper } from "../../testing/in-memory-service.ts";

const dayMs = 24 * 3_600_000;
const clock = createVirtualClock(Date.UTC(2026, 0, 15, 12));
let database: TestDatabase;
let service: Service;
let ofTenant: IssuedCredential;
let ofOne: IssuedCredential;
let ofTwo: IssuedCredential;

const open = () =>
  openService({
    database: database.location,
    simulator: { file: ":memory:" },
    pepper,
    consentPolicy: "strict",
    idempotencyDays: 7,
    clock,
  });

beforeEach(async () => {
  database = await takeLastingDatabase();
  service = await open();
  [ofTenant, ofOne, ofTwo] = await service.store.write(async (tx) => {
    const { tenantId } = await createTenant(tx, { name: "Acme", timezone: "UTC", now: 0 });
    const issue = (merchantId: string | null) => issueCredential(tx, { tenantId, merchantId, pepper, now: 0 });
    for (const merchantId of ["one", "two"]) {
      await upsertMerchant(tx, { tenantId, merchantId, displayName: merchantId, active: true, now: 0 });
      await upsertQuota(tx, { tenantId, merchantId, channel: "SMS", limit: 100, credits: 0 });
    }
    return [await issue(null), await issue("one"), await issue("two")] as const;
  });
});
afterEach(async () => {
  await service.close();
  await database.release();
});

async function send(as: IssuedCredential, merchantId: string, message = "Hi") {
  const reply = await service.app.inject({
    method: "POST",
    url: "/api/v1/messages/sms",
    headers: { "x-api-key": as.apiKey, "x-api-secret": as.apiSecret, "idempotency-key": "k" },
    payload: { merchantId, to: "+12025550100", message, type: "OTP" },
  });
  const { code, messageId } = reply.json();
  return code ?? (reply.headers["idempotent-replayed"] === "true" ? `again ${messageId}` : messageId);
}

/** Has the keys so far as a server left them that did not keep them by merchant, and starts today's on that. */
async function becomeOlder(): Promise<void> {
  await service.store.write(async (tx) => {
    await tx.run(
      `INSERT INTO idempotency (tenant_id, operation, idempotency_key, fingerprint, reference, expires_at)
       SELECT tenant_id, operation, idempotency_key, fingerprint, reference, expires_at FROM idempotency_keys`,
    );
    await tx.run("DELETE FROM idempotency_keys");
  });
  await service.close();
  service = await open();
}

it("a merchant's repeat across the change is the same call, and another merchant's call is its own", async () => {
  const first = await send(ofOne, "one");
  await becomeOlder();
  expect(await send(ofOne, "one")).toBe(`again ${first}`);
  expect(await send(ofTwo, "two")).toMatch(/^msg_/);
  expect(await send(ofOne, "one")).toBe(`again ${first}`);
});

it("a tenant's key is its own across the change: repeated, and refused for another request", async () => {
  const first = await send(ofTenant, "one");
  await becomeOlder();
  expect(await send(ofTenant, "one")).toBe(`again ${first}`);
  expect(await send(ofTenant, "one", "Other")).toBe("idempotency_key_reused");
});

it("an older row is forgotten when its time is over", async () => {
  const first = await send(ofTenant, "one");
  await becomeOlder();
  await clock.advanceBy(7 * dayMs);
  const second = await send(ofTenant, "one");
  expect(second).toMatch(/^msg_/);
  expect(second).not.toBe(first);
});
