import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  beginPayment,
  findCredits,
  insertPayment,
  savePaymentFacts,
  savePaymentStatus,
} from "../domain/billing/rows.ts";
import { upsertMerchant, upsertQuota } from "../domain/merchants/rows.ts";
import { systemClock } from "../platform/clock.ts";
import { ConfigError } from "../settings/config.ts";
import type { Transaction } from "../store/store.ts";
import { listRecorded, makeCommandEnvironment, type Printed, writeBeside } from "../testing/command-environment.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runPaymentsList, runPaymentsSettle, runPaymentsShow } from "./payments.ts";
import { runTenantsCreate } from "./tenants.ts";

const json = { output: "json" } as const;
const shop = { tenantId: 1, merchantId: "shop", channel: "SMS" } as const;

let parent: string;
let printed: Printed;
let now: number;
let environment: CommandEnvironment;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "msgd-payments-"));
  now = Date.parse("2026-11-24T12:00:00Z");
  ({ environment, printed } = makeCommandEnvironment(join(parent, "data"), { ...systemClock, now: () => now }));
  await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
  await runTenantsCreate("Trial", { ...json, timezone: "UTC", test: true }, environment);
  await runTenantsCreate("Other", { ...json, timezone: "UTC" }, environment);
  await write(async (tx) => {
    for (const tenantId of [1, 2, 3]) {
      await upsertMerchant(tx, { ...shop, tenantId, displayName: "Shop", active: true, now });
      await upsertQuota(tx, { ...shop, tenantId, limit: 0, credits: 5 });
    }
  });
});
afterEach(() => rmSync(parent, { recursive: true }));

const write = <T>(work: (tx: Transaction) => Promise<T>) => writeBeside(environment, work);

/** Requests a payment as of `age` milliseconds ago. */
function add(paymentId: string, { tenantId = 1, units = 10, age = 0, note = null as string | null } = {}) {
  const price = { units, amountCents: 1_000, currency: "USD", paymentMethod: "pm_made_up", referenceId: "po-1", note };
  return write((tx) => insertPayment(tx, { ...shop, tenantId, ...price, paymentId, now: now - age }));
}

const begin = (paymentId: string) => write((tx) => beginPayment(tx, { paymentId, processor: null, jobId: 0, now }));

async function list(flags: Partial<Parameters<typeof runPaymentsList>[0]> = {}) {
  printed.out = "";
  await runPaymentsList({ ...json, ...flags }, environment);
  return JSON.parse(printed.out);
}

const idsOf = (payments: readonly { paymentId: string }[]) => payments.map(({ paymentId }) => paymentId);

async function settle(paymentId: string, outcome: string, flags: { reference?: string; by?: string } = {}) {
  Object.assign(printed, { out: "", err: "" });
  await runPaymentsSettle({ paymentId, outcome }, { ...json, reference: "wire 7", by: "Ann", ...flags }, environment);
  return JSON.parse(printed.out);
}

const credits = () => write((tx) => findCredits(tx, shop));
const audit = () => listRecorded(environment);

describe("payments list", () => {
  it("shows the payments that wait for the operator, oldest first", async () => {
    await add("pay_new");
    await add("pay_old", { age: 60_000 });
    await add("pay_other", { age: 30_000, tenantId: 3 });
    await add("pay_simulated", { tenantId: 2 });
    await add("pay_begun");
    await begin("pay_begun");
    await add("pay_over");
    await settle("pay_over", "failed");
    expect(idsOf(await list())).toEqual(["pay_old", "pay_other", "pay_new"]);
    expect(idsOf(await list({ tenant: "3" }))).toEqual(["pay_other"]);
    expect(idsOf(await list({ status: "PENDING", tenant: "1" }))).toEqual(["pay_old", "pay_begun", "pay_new"]);
    expect(await list({ status: "FAILED" })).toEqual([
      {
        ...{ paymentId: "pay_over", tenantId: "1", merchantId: "shop", channel: "SMS", units: 10, amountCents: 1_000 },
        ...{ currency: "USD", status: "FAILED", settledReference: "wire 7", settledBy: "Ann" },
        ...{ paymentMethodId: "pm_made_up", referenceId: "po-1", note: null, isWithProcessor: false },
        ...{ processor: null, processorPaymentId: null, actionUrl: null, failureReason: "settled_by_operator" },
        ...{ undecided: null, refundedCents: 0, isDisputed: false },
        ...{ createdAt: "2026-11-24T12:00:00.000Z", updatedAt: "2026-11-24T12:00:00.000Z" },
      },
    ]);
  });

  it("shows where the customer authenticates a payment, and refunds", async () => {
    await add("pay_1");
    const actionUrl = "https://hooks.stripe.com/redirect/pi_1";
    await write(async (tx) => {
      await beginPayment(tx, { paymentId: "pay_1", processor: "stripe-1", jobId: 0, now });
      const facts = { processorPaymentId: "pi_1", actionUrl, refundedCents: 250, isDisputed: 1 } as const;
      await savePaymentFacts(tx, { ...facts, paymentId: "pay_1" });
      const settled = { settledReference: null, settledBy: null, failureReason: null };
      await savePaymentStatus(tx, { ...settled, paymentId: "pay_1", status: "REQUIRES_ACTION", now });
    });
    const shown = {
      processor: "stripe-1",
      processorPaymentId: "pi_1",
      actionUrl,
      refundedCents: 250,
      isDisputed: true,
    };
    expect(await list({ status: "REQUIRES_ACTION" })).toMatchObject([shown]);
    await runPaymentsList({ output: "text", status: "REQUIRES_ACTION" }, environment);
    expect(printed.out).toContain(`  refunded 2.50 USD  disputed  authenticate at ${actionUrl}\n`);
    printed.out = "";
    await runPaymentsShow("pay_1", json, environment);
    expect(JSON.parse(printed.out)).toMatchObject({ paymentId: "pay_1", status: "REQUIRES_ACTION", ...shown });
    await expect(runPaymentsShow("pay_2", json, environment)).rejects.toThrow("there is no payment pay_2");
  });

  it("prints one line per payment, without characters that control a terminal", async () => {
    await add("pay_1", { note: `\u001b[2J${"long ".repeat(30)}` });
    await runPaymentsList({ output: "text" }, environment);
    expect(printed.out).toMatch(
      /^2026-11-24T12:00:00.000Z {2}pay_1 {2}PENDING {2}tenant 1, merchant shop {2}10 SMS {2}10.00 USD {2}method pm_made_up {2}reference po-1 {2}note \\u001b\[2Jlong [long ]+…\n$/m,
    );
  });

  it("says so if there are more payments than it shows, or none", async () => {
    printed.err = "";
    await runPaymentsList({ output: "text" }, environment);
    expect(printed.err).toBe("No payment waits.\n");
    await write(async (tx) => {
      const price = { units: 1, amountCents: 1, currency: "USD", paymentMethod: null, referenceId: null, note: null };
      for (let at = 0; at <= 1_000; at += 1)
        await insertPayment(tx, { ...shop, ...price, paymentId: `pay_${at}`, now: at });
    });
    expect(await list()).toHaveLength(1_000);
    expect(printed.err).toMatch(/1000 oldest are shown; there are more/);
  });

  it("refuses an unknown tenant", async () => {
    await expect(list({ tenant: "9" })).rejects.toThrow("there is no tenant 9");
  });
});

describe("payments settle", () => {
  it("adds the units of a successful payment once, and records the operator and the reference", async () => {
    await add("pay_1");
    expect(await settle("pay_1", "succeeded")).toMatchObject({
      ...{ paymentId: "pay_1", status: "SUCCEEDED", settledReference: "wire 7", settledBy: "Ann" },
    });
    expect(await credits()).toBe(15);
    expect(await audit()).toEqual([
      expect.objectContaining({
        ...{ email: "Ann", operation: "payments settle", askedAt: now },
        target: "paymentId pay_1, SUCCEEDED, reference wire 7",
      }),
    ]);
    expect(await settle("pay_1", "succeeded", { by: "Bob" })).toMatchObject({ settledBy: "Ann" });
    expect(printed.err).toBe("Ann had already recorded this: nothing has changed.\n");
    expect([await credits(), (await audit()).length]).toEqual([15, 1]);
  });

  it("adds nothing for a failed payment", async () => {
    await add("pay_1");
    expect(await settle("pay_1", "failed")).toMatchObject({ status: "FAILED" });
    expect(await credits()).toBe(5);
    await expect(settle("pay_1", "succeeded")).rejects.toThrow(
      'pay_1 is already FAILED, settled by Ann with the reference "wire 7": this cannot be changed',
    );
    await expect(settle("pay_1", "failed", { reference: "wire 8" })).rejects.toThrow("is already FAILED");
    expect(await credits()).toBe(5);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ["of nobody", async () => undefined, "there is no payment pay_1: msgd payments list shows"],
    ["of a test tenant", () => add("pay_1", { tenantId: 2 }), "a test tenant, whose payments are simulated"],
    ["that a processor holds", () => add("pay_1").then(() => begin("pay_1")), "is PENDING at its processor"],
    ["too large for the credits", () => add("pay_1", { units: Number.MAX_SAFE_INTEGER }), "would exceed 2^53-1"],
    [
      "that a processor has settled",
      () => add("pay_1").then(() => write(endByProcessor)),
      "already SUCCEEDED, settled by its processor",
    ],
  ])("refuses a payment %s", async (_what, prepare, words) => {
    await prepare();
    await expect(settle("pay_1", "succeeded")).rejects.toThrow(words);
    expect([await credits(), await audit()]).toEqual([5, []]);
  });

  const endByProcessor = (tx: Transaction) => {
    const settled = { settledReference: null, settledBy: null, failureReason: null };
    return savePaymentStatus(tx, { ...settled, paymentId: "pay_1", status: "SUCCEEDED", now });
  };

  it("can record a payment that would exceed the maximum of credits only as failed", async () => {
    await add("pay_1", { units: Number.MAX_SAFE_INTEGER });
    expect(await settle("pay_1", "failed")).toMatchObject({ status: "FAILED" });
  });

  it.each([
    [{ reference: " " }, "--reference: expected 1 to 255 characters, received 0"],
    [{ reference: "x".repeat(256) }, "received 256"],
    [{ by: "x".repeat(101) }, "--by: expected 1 to 100 characters, received 101"],
    [{ by: "Ann\u202e" }, String.raw`received "Ann\u202e"`],
  ])("refuses %j", async (flags, words) => {
    await add("pay_1");
    await expect(settle("pay_1", "succeeded", flags)).rejects.toThrow(words);
    await expect(settle("pay_1", "paid")).rejects.toThrow(ConfigError);
    expect(await credits()).toBe(5);
  });
});
