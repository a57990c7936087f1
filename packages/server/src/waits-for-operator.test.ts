// Which payments and reviews a complete server simulates, and which wait for the operator.

import { expect, it } from "vitest";
import { createVirtualClock } from "./development/clocks.ts";
import type { TenantMode } from "./domain/tenancy/rows.ts";
import { createTenant, issueCredential } from "./domain/tenancy/tenants.ts";
import { pepper, secrets } from "./in-process.ts";
import { openService } from "./service.ts";

const DAY_MS = 24 * 60 * 60_000;

const waits = { paymentStatus: "PENDING", fulfilled: false, brand: "PENDING", blockingReason: "BRAND_PENDING" };
const goesOn = { paymentStatus: "SUCCEEDED", fulfilled: true, brand: "APPROVED", blockingReason: "CAMPAIGN_MISSING" };

it.each<[string, { isDevelopment: boolean; carriers: boolean }, TenantMode, object]>([
  ["in msgd", { isDevelopment: false, carriers: true }, "live", waits],
  ["in msgd", { isDevelopment: false, carriers: true }, "test", goesOn],
  ["in msgd serve --dev", { isDevelopment: true, carriers: true }, "live", goesOn],
  ["in a mock service", { isDevelopment: false, carriers: false }, "live", goesOn],
])("%s %j, purchases and registrations of a %s tenant are %j a day later", async (_where, of, mode, expected) => {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 12));
  const tenant = () => {
    throw new Error("nothing under /control is asked");
  };
  const service = await openService({
    database: { file: ":memory:" },
    simulator: { file: ":memory:" },
    pepper,
    secrets,
    consentPolicy: "strict",
    idempotencyDays: 7,
    clock,
    ...(of.carriers ? { carrierPollIntervalMs: 500 } : {}),
    ...(of.isDevelopment ? { development: { clock, tenant } } : {}),
  });
  await service.start();
  clock.watch(service.isBusy);
  const { apiKey, apiSecret } = await service.store.write(async (tx) => {
    const { tenantId } = await createTenant(tx, { name: "Acme", timezone: "UTC", mode, now: clock.now() });
    return issueCredential(tx, { tenantId, merchantId: null, pepper, now: clock.now() });
  });
  const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret, "idempotency-key": "k" };
  const post = async (path: string, payload: object) =>
    (await service.app.inject({ method: "POST", url: `/api/v1/${path}`, headers, payload })).json();
  const buy = () =>
    post("billing/upgrade", { merchantId: "default", channel: "SMS", units: 10, paymentMethodId: "pm_made_up" });
  const register = () => post("merchants/default/messaging/brand", { legalBusinessName: "Nobody Inc" });
  await buy();
  await register();
  await clock.advanceBy(DAY_MS);
  const { paymentStatus, fulfilled } = await buy();
  const { status: brand } = await register();
  const url = "/api/v1/merchants/default/messaging/status";
  const { blockingReason } = (await service.app.inject({ method: "GET", url, headers })).json();
  expect({ paymentStatus, fulfilled, brand, blockingReason }).toEqual(expected);
  await service.close();
});
