import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "../../store/store.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { upsertMerchant, upsertQuota } from "../merchants/rows.ts";
import { insertTenant } from "../tenancy/rows.ts";
import { settlePayment } from "./payments.ts";
import { findCredits, insertPayment } from "./rows.ts";

const now = Date.UTC(2026, 0, 15, 12);

let store: Store;
let account: { readonly tenantId: number; readonly merchantId: string; readonly channel: "SMS" };
beforeEach(async () => {
  store = await openTestStore({ now: () => now });
  account = await store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: "Live", timezone: "UTC", now });
    const shop = { tenantId, merchantId: "shop", channel: "SMS" } as const;
    await upsertMerchant(tx, { ...shop, displayName: "Shop", active: true, now });
    await upsertQuota(tx, { ...shop, limit: 0, credits: 0 });
    const price = { units: 10, amountCents: 10, currency: "USD", paymentMethod: null, note: null, referenceId: null };
    await insertPayment(tx, { ...shop, ...price, paymentId: "pay_1", now });
    return shop;
  });
});
afterEach(() => store.close());

it("concurrent settlements add the units once, and contradicting outcomes are refused", async () => {
  const settle = (status: "SUCCEEDED" | "FAILED", by: string) =>
    store.write((tx) => settlePayment(tx, { paymentId: "pay_1", status, reference: "wire 7", by, now }));
  const ends = await Promise.allSettled([
    settle("SUCCEEDED", "Ann"),
    settle("SUCCEEDED", "Bob"),
    settle("FAILED", "Cy"),
    settle("SUCCEEDED", "Dan"),
  ]);
  const settled = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  expect(settled.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
  const hasSucceeded = settled[0]?.payment.status === "SUCCEEDED";
  expect(settled).toHaveLength(hasSucceeded ? 3 : 1);
  expect(await store.write((tx) => findCredits(tx, account))).toBe(hasSucceeded ? 10 : 0);
});
