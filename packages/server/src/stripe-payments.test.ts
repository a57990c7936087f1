// A payment of a live tenant through a complete server, with a stand-in for Stripe.

import { afterEach, beforeEach, expect, it } from "vitest";
import { insertProcessor } from "./domain/billing/processor-rows.ts";
import { bindProcessor } from "./domain/tenancy/credentials.ts";
import { createTenant, issueCredential } from "./domain/tenancy/tenants.ts";
import { pepper, secrets } from "./in-process.ts";
import { systemClock } from "./platform/clock.ts";
import { openService, type Service } from "./service.ts";
import { StripeDouble } from "./testing/stripe-double.ts";

const EVENTS_ID = "e".repeat(22);

let stripe: StripeDouble;
let service: Service;
beforeEach(async () => {
  stripe = await StripeDouble.listen(systemClock);
  service = await openService({
    ...{ database: { file: ":memory:" }, simulator: { file: ":memory:" }, pepper, secrets, clock: systemClock },
    ...{ consentPolicy: "strict", idempotencyDays: 7, carrierPollIntervalMs: 500 },
    publicUrl: "https://msg.acme.example",
  });
  await service.start();
});
afterEach(async () => {
  await service.close();
  await stripe.close();
});

it("an upgrade is charged by the tenant's processor, and decided by its event", async () => {
  const now = systemClock.now();
  const { apiKey, apiSecret } = await service.store.write(async (tx) => {
    const { tenantId } = await createTenant(tx, { name: "Acme", timezone: "UTC", mode: "live", now });
    const row = { name: "stripe-1", tenantId, kind: "stripe", eventsId: EVENTS_ID, servesFrom: now, setAt: now };
    const sealedSettings = secrets.seal(JSON.stringify(stripe.settings()), bindProcessor(row));
    await insertProcessor(tx, { ...row, sealedSettings });
    return issueCredential(tx, { tenantId, merchantId: null, pepper, now });
  });
  const buy = async () => {
    const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret, "idempotency-key": "k" };
    const payload = { merchantId: "default", channel: "SMS", units: 1_000, paymentMethodId: "pm_process" };
    return (await service.app.inject({ method: "POST", url: "/api/v1/billing/upgrade", headers, payload })).json();
  };
  const { paymentId, amountCents } = await buy();
  await expect.poll(buy).toMatchObject({ paymentStatus: "PROCESSING", fulfilled: false });
  const intent = stripe.intentOf(paymentId);
  expect(intent.amount).toBe(amountCents);
  stripe.succeed(intent);
  const { headers, body: payload } = stripe.report(intent);
  const url = `/carriers/${EVENTS_ID}/events`;
  const forged = payload.replace(paymentId, `${paymentId}0`);
  expect((await service.app.inject({ method: "POST", url, headers, payload: forged })).statusCode).toBe(400);
  expect((await service.app.inject({ method: "POST", url, headers, payload })).statusCode).toBe(204);
  await expect.poll(buy).toMatchObject({ paymentStatus: "SUCCEEDED", fulfilled: true, remainingCredits: 1_000 });
  expect((await service.app.inject({ method: "POST", url: url.replace("e", "f"), headers, payload })).statusCode).toBe(
    404,
  );
});
