// Payments of a merchant, and the processor of a tenant, as the dashboard shows them.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { insertProcessor, saveProcessorState } from "../domain/billing/processor-rows.ts";
import {
  beginPayment,
  insertPayment,
  releasePayment,
  savePaymentFacts,
  savePaymentStatus,
} from "../domain/billing/rows.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import { createTenant } from "../domain/tenancy/tenants.ts";
import type { Role } from "../domain/users/rules.ts";
import type { Transaction } from "../store/store.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";

const DAY_MS = 24 * 60 * 60_000;
const LINK = "https://hooks.stripe.com/redirect/pi_1";

let dashboard: DashboardService;
let tenantId: number;
let number = 0;
const write = (work: (tx: Transaction) => Promise<void>) => dashboard.service.store.write(work);
const now = () => dashboard.service.clock.now();

beforeEach(async () => {
  dashboard = await openDashboardService();
  const tenant = { name: "Acme", timezone: "UTC", mode: "live", now: now() } as const;
  ({ tenantId } = await dashboard.service.store.write((tx) => createTenant(tx, tenant)));
  const admin = await signIn("admin");
  for (const merchantId of ["m1", "m2"]) {
    await dashboard.ask("POST", "/v1/merchants", { as: admin, body: { merchantId, displayName: merchantId } });
  }
});

afterEach(() => dashboard.close());

const signIn = (role: Role, merchantId: string | null = null) =>
  dashboard.signIn(`user-${++number}@example.com`, { role, merchantId, tenantId });

const readCarriers = (as: SignedIn) => dashboard.ask("GET", "/carriers", { as });
const list = (as: SignedIn, merchantId = "m1") => dashboard.ask("GET", `/merchants/${merchantId}/payments`, { as });

const setProcessor = (name: string, owner = tenantId) =>
  write((tx) =>
    insertProcessor(tx, {
      ...{ name, tenantId: owner, kind: "stripe", sealedSettings: "sealed secret", eventsId: `secret-${name}` },
      ...{ servesFrom: now(), setAt: now() },
    }),
  );

/** A payment that was requested `agoMs` ago. */
async function pay(paymentId: string, { agoMs = 0, isHeld = false, merchantId = "m1" } = {}): Promise<void> {
  const price = {
    units: 1_000,
    amountCents: 1_250,
    currency: "USD",
    paymentMethod: "pm_1",
    note: null,
    referenceId: null,
  };
  const at = now() - agoMs;
  await write(async (tx) => {
    await insertPayment(tx, { ...price, tenantId, merchantId, channel: "SMS", paymentId, now: at });
    if (isHeld) await beginPayment(tx, { paymentId, processor: "stripe-1", jobId: 1, now: at });
  });
}

const move = (
  paymentId: string,
  status: "REQUIRES_ACTION" | "SUCCEEDED" | "FAILED",
  {
    failureReason = null,
    ...facts
  }: { failureReason?: string | null; refundedCents?: number; isDisputed?: 0 | 1 } = {},
) =>
  write(async (tx) => {
    const none = { processorPaymentId: "pi_1", actionUrl: LINK, refundedCents: 0, isDisputed: 0 } as const;
    await savePaymentFacts(tx, { paymentId, ...none, ...facts });
    await savePaymentStatus(tx, {
      paymentId,
      status,
      failureReason,
      settledReference: null,
      settledBy: null,
      now: now(),
    });
  });

const none = { count: 0, isMore: false };

describe("the processor", () => {
  it("is the tenant's own, or that of all tenants, and is shown with what it answered last", async () => {
    const admin = await signIn("admin");
    await setProcessor("stripe-all", EVERY_TENANT);
    expect((await readCarriers(admin)).body.payments.processor).toMatchObject({ name: "stripe-all", isCommon: true });
    await setProcessor("stripe-1");
    await pay("pay_held", { isHeld: true });
    await pay("pay_waiting");
    const setAt = new Date(now()).toISOString();
    const fresh = {
      ...{
        name: "stripe-1",
        kind: "stripe",
        isCommon: false,
        setAt,
        answeredAt: null,
        downSince: null,
        downWords: null,
      },
      held: { count: 1, isMore: false },
    };
    expect((await readCarriers(admin)).body.payments).toEqual({
      ...{ handling: "PROCESSOR", processor: fresh, waiting: { count: 1, isMore: false }, waitingSince: setAt },
    });
    const down = { name: "stripe-1", downWords: "Stripe, status 401: no", now: now() };
    await write((tx) => saveProcessorState(tx, down));
    await write((tx) => saveProcessorState(tx, { ...down, downWords: "Stripe, status 500: no", now: now() + 1_000 }));
    const shown = (await readCarriers(admin)).body.payments.processor;
    expect(shown).toEqual({ ...fresh, downSince: setAt, downWords: "Stripe, status 500: no" });
    await write((tx) => saveProcessorState(tx, { ...down, downWords: undefined }));
    const reply = await readCarriers(admin);
    expect(reply.body.payments.processor).toEqual({ ...fresh, answeredAt: setAt });
    expect(JSON.stringify(reply.body)).not.toContain("secret");
  });

  it("is missing: payments of a live tenant wait for the operator, and those of a test tenant are simulated", async () => {
    const waits = { handling: "OPERATOR", processor: null, waiting: none, waitingSince: null };
    expect((await readCarriers(await signIn("admin"))).body.payments).toEqual(waits);
    await setProcessor("stripe-all", EVERY_TENANT);
    const test = await dashboard.signIn(`user-${++number}@example.com`);
    expect((await readCarriers(test)).body.payments).toEqual({ ...waits, handling: "SIMULATED" });
  });
});

describe("a merchant's payments", () => {
  const states = async (as: SignedIn) => {
    const { payments } = (await list(as)).body;
    return Object.fromEntries(payments.map(({ paymentId, ...payment }: { paymentId: string }) => [paymentId, payment]));
  };

  it("are listed, the newest first, with what their customer or the operator has to do", async () => {
    await setProcessor("stripe-1");
    const admin = await signIn("admin");
    await pay("pay_action", { agoMs: 5_000, isHeld: true });
    await move("pay_action", "REQUIRES_ACTION");
    await pay("pay_failed", { agoMs: 4_000, isHeld: true });
    await move("pay_failed", "FAILED", { failureReason: "insufficient_funds" });
    await pay("pay_refunded", { agoMs: 3_000, isHeld: true });
    await move("pay_refunded", "SUCCEEDED", { refundedCents: 250, isDisputed: 1 });
    await pay("pay_doubt", { agoMs: 2_000, isHeld: true });
    await write((tx) => releasePayment(tx, "pay_doubt", "Stripe finds no PaymentIntent"));
    await pay("pay_held", { agoMs: 1_000, isHeld: true });
    await pay("pay_waiting");
    await pay("pay_other", { merchantId: "m2" });
    const { body } = await list(admin);
    expect([body.handling, body.hasMore]).toEqual(["PROCESSOR", false]);
    expect(body.payments.map(({ paymentId }: { paymentId: string }) => paymentId)).toEqual([
      ...["pay_waiting", "pay_held", "pay_doubt", "pay_refunded", "pay_failed", "pay_action"],
    ]);
    const found = await states(admin);
    expect(found.pay_action).toEqual({
      ...{ channel: "SMS", units: 1_000, amountCents: 1_250, currency: "USD", status: "REQUIRES_ACTION" },
      ...{ isInDoubt: false, waitsForOperator: false, failureReason: null, refundedCents: 0, isDisputed: false },
      actionUrl: LINK,
      actionUntil: new Date(now() + 7 * DAY_MS).toISOString(),
      createdAt: new Date(now() - 5_000).toISOString(),
      updatedAt: new Date(now()).toISOString(),
    });
    expect(found.pay_failed).toMatchObject({ status: "FAILED", failureReason: "insufficient_funds", actionUrl: null });
    expect(found.pay_refunded).toMatchObject({ status: "SUCCEEDED", refundedCents: 250, isDisputed: true });
    expect(found.pay_doubt).toMatchObject({ status: "PENDING", isInDoubt: true, waitsForOperator: true });
    expect(found.pay_held).toMatchObject({ status: "PENDING", isInDoubt: false, waitsForOperator: false });
    expect(found.pay_waiting).toMatchObject({ status: "PENDING", isInDoubt: false, waitsForOperator: true });
  });

  it("are shown to every user who sees the merchant, but links and reasons only to admins", async () => {
    await pay("pay_action", { isHeld: true });
    await move("pay_action", "REQUIRES_ACTION");
    await pay("pay_failed", { isHeld: true });
    await move("pay_failed", "FAILED", { failureReason: "insufficient_funds" });
    for (const as of [await signIn("viewer"), await signIn("agent", "m1")]) {
      const found = await states(as);
      expect(found.pay_action).toMatchObject({ actionUrl: null, actionUntil: expect.any(String) });
      expect(found.pay_failed).toMatchObject({ failureReason: null });
    }
    expect((await list(await signIn("viewer", "m2"))).status).toBe(403);
    expect((await list(await signIn("viewer"), "m3")).body.code).toBe("merchant_not_found");
    expect((await list(await signIn("operator"))).status).toBe(403);
  });

  it("are the last 10", async () => {
    for (let index = 0; index < 11; index += 1) await pay(`pay_${index}`, { agoMs: 1_000 * index });
    const { payments, hasMore } = (await list(await signIn("admin"))).body;
    expect([payments.length, hasMore, payments[0].paymentId]).toEqual([10, true, "pay_0"]);
  });
});
