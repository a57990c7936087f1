import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beginPayment, insertPayment } from "../domain/billing/rows.ts";
import { upsertMerchant } from "../domain/merchants/rows.ts";
import { insertBrand, insertCampaign, insertNumber } from "../domain/registration/rows.ts";
import {
  countWaitingPayments,
  countWaitingRegistrations,
  listWaitingRegistrations,
} from "../domain/reports/backlog-rows.ts";
import { listPayments } from "../domain/reports/payment-rows.ts";
import { insertTenant, type TenantMode } from "../domain/tenancy/rows.ts";
import { newBrand, newCampaign, newNumber } from "../testing/registration.ts";
import { openTestStore } from "../testing/test-store.ts";
import type { Store } from "./store.ts";

const startMs = Date.UTC(2026, 0, 15, 12);

let store: Store;
beforeEach(async () => {
  store = await openTestStore({ now: () => startMs });
});
afterEach(() => store.close());

function addTenant(mode: TenantMode): Promise<number> {
  return store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: mode, timezone: "UTC", mode, now: startMs });
    await upsertMerchant(tx, { tenantId, merchantId: "m", displayName: "M", active: true, now: startMs });
    return tenantId;
  });
}

function addPayment(tenantId: number, paymentId: string, now: number): Promise<void> {
  const price = { channel: "SMS", units: 1, amountCents: 1, currency: "USD", paymentMethod: null } as const;
  return store.write((tx) =>
    insertPayment(tx, { tenantId, merchantId: "m", ...price, note: null, referenceId: null, paymentId, now }),
  );
}

const count = (most: number, tenantId?: number) =>
  store.read((tx) => countWaitingPayments(tx, { most, ...(tenantId === undefined ? {} : { tenantId }) }));

describe("the operator's backlog", () => {
  it("counts live tenants' payments, up to a limit, and has the time of the oldest", async () => {
    const [test, first, last] = [await addTenant("test"), await addTenant("live"), await addTenant("live")];
    expect(await count(10)).toEqual({ count: 0, since: null });
    await addPayment(test, "pay_1", startMs - 9);
    await addPayment(first, "pay_2", startMs - 1);
    await addPayment(first, "pay_3", startMs - 2);
    await addPayment(last, "pay_4", startMs - 3);
    await addPayment(last, "pay_5", startMs - 4);
    await store.write((tx) => beginPayment(tx, { paymentId: "pay_5", processor: null, jobId: 0, now: startMs }));
    expect(await count(10)).toEqual({ count: 3, since: startMs - 3 });
    expect(await count(2)).toEqual({ count: 2, since: startMs - 3 });
    expect([await count(10, test), await count(10, first), await count(1, first)]).toEqual([
      { count: 0, since: null },
      { count: 2, since: startMs - 2 },
      { count: 1, since: startMs - 2 },
    ]);
  });

  it("counts all kinds of registrations together, up to the same limit", async () => {
    const tenantId = await addTenant("live");
    await store.write(async (tx) => {
      const owner = { tenantId, merchantId: "m" };
      for (const age of [1, 2, 3]) await insertBrand(tx, newBrand({ ...owner, now: startMs - age }), startMs);
      await insertBrand(tx, { ...newBrand({ ...owner, now: startMs - 9 }), reviewStartedAt: null }, startMs);
    });
    expect(await store.read((tx) => countWaitingRegistrations(tx, { most: 10 }))).toEqual({
      count: 3,
      since: startMs - 3,
    });
    expect(await store.read((tx) => countWaitingRegistrations(tx, { most: 2, tenantId }))).toMatchObject({ count: 2 });
  });

  it("lists the oldest first, for all tenants or for one", async () => {
    const [test, first, last] = [await addTenant("test"), await addTenant("live"), await addTenant("live")];
    await addPayment(test, "pay_1", startMs - 9);
    await addPayment(first, "pay_2", startMs - 1);
    await addPayment(last, "pay_3", startMs - 2);
    const idsOf = (tenantId?: number, status?: "PENDING", limit = 10) =>
      store.read(async (tx) => (await listPayments(tx, { tenantId, status, limit })).map(({ paymentId }) => paymentId));
    expect([await idsOf(), await idsOf(first), await idsOf(test)]).toEqual([["pay_3", "pay_2"], ["pay_2"], []]);
    expect([await idsOf(test, "PENDING"), await idsOf(undefined, "PENDING", 2)]).toEqual([
      ["pay_1"],
      ["pay_1", "pay_3"],
    ]);
    const brandId = await store.write(async (tx) => {
      const owner = { tenantId: last, merchantId: "m" };
      const id = await insertBrand(tx, newBrand({ ...owner, now: startMs - 5 }), startMs);
      const begun = newCampaign({ ...owner, brandId: id, now: startMs - 7 });
      const campaignId = await insertCampaign(tx, begun, startMs);
      await insertNumber(
        tx,
        newNumber({ ...owner, campaignId, phoneNumber: "+12025550142", now: startMs - 6 }),
        startMs,
      );
      await insertBrand(tx, newBrand({ tenantId: first, merchantId: "m", now: startMs - 8 }), startMs);
      return id;
    });
    const kindsOf = (tenantId?: number, limit = 10) =>
      store.read(async (tx) =>
        (await listWaitingRegistrations(tx, { tenantId, limit })).map(({ kind, tenantId }) => [kind, tenantId]),
      );
    expect(await kindsOf()).toEqual([
      ["brand", first],
      ["campaign", last],
      ["number", last],
      ["brand", last],
    ]);
    expect(await kindsOf(last, 1)).toEqual([["campaign", last]]);
    expect(await store.read((tx) => listWaitingRegistrations(tx, { tenantId: last, limit: 1 }))).toMatchObject([
      { brandId, legalBusinessName: "Bright Dental LLC", since: startMs - 7 },
    ]);
  });
});
