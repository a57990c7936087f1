// A processor that is slow, silent or cut off: a payment is charged once and settled once, whatever messages are lost.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SimulatedTenants } from "../carriers/carriers.ts";
import type { PaymentFinding, PaymentNews } from "../carriers/payment-processor.ts";
import { createVirtualClock, type VirtualClock } from "../development/clocks.ts";
import { insertPayment } from "../domain/billing/rows.ts";
import { upsertMerchant, upsertQuota } from "../domain/merchants/rows.ts";
import { countWaitingPayments } from "../domain/reports/backlog-rows.ts";
import { insertTenant } from "../domain/tenancy/rows.ts";
import { SUBMIT_PAYMENT, scheduleJob } from "../store/jobs.ts";
import { beginUnasked } from "../store/restorations.ts";
import type { Store } from "../store/store.ts";
import { openTestStore } from "../testing/test-store.ts";
import { createJobRunner } from "./jobs/runner.ts";
import { createPayments } from "./payments.ts";

const startMs = Date.UTC(2026, 0, 15, 12);
const succeeds: readonly PaymentNews[] = [{ afterMs: 2_000, status: "SUCCEEDED", reason: null }];

let clock: VirtualClock;
let store: Store;
let asked: string[];
let onSubmit: () => Promise<readonly PaymentNews[]>;
let onFind: () => Promise<PaymentFinding>;
let stops: (() => Promise<unknown>)[];

beforeEach(async () => {
  clock = createVirtualClock(startMs);
  store = await openTestStore({ now: clock.now });
  [asked, stops] = [[], []];
  onSubmit = async () => succeeds;
  onFind = async () => ({ outcome: "absent" });
  await store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: "Test", timezone: "UTC", now: startMs });
    const account = { tenantId, merchantId: "shop", channel: "SMS" } as const;
    await upsertMerchant(tx, { ...account, displayName: "Shop", active: true, now: startMs });
    await upsertQuota(tx, { ...account, limit: 0, credits: 0 });
    const price = { units: 10, amountCents: 10, currency: "USD", paymentMethod: null, note: null, referenceId: null };
    await insertPayment(tx, { ...account, ...price, paymentId: "pay_1", now: startMs });
    await scheduleJob(tx, { tenantId, kind: SUBMIT_PAYMENT, subject: "pay_1", dueAt: startMs });
  });
});
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await store.close();
});

/** Starts a process that handles payments. After it is killed, none of its requests returns. */
function startProcess(simulated?: SimulatedTenants): { kill: () => void; stop: () => Promise<unknown> } {
  let isAlive = true;
  const unlessDead = <T>(result: Promise<T>) =>
    result.then((value) => (isAlive ? value : new Promise<never>(() => undefined)));
  const mortal: Store = { ...store, write: (work) => unlessDead(store.write(work)) };
  const logger = { warn: () => undefined, error: () => undefined };
  const processor = {
    submit: async () => {
      asked.push("submit");
      return { outcome: "taken", news: await unlessDead(onSubmit()) } as const;
    },
    find: () => {
      asked.push("find");
      return unlessDead(onFind());
    },
  };
  const payments = createPayments({
    ...{ store: mortal, clock, processor, simulated, logger },
    notifyJobs: () => jobs.notify(),
  });
  const jobs = createJobRunner({
    store: mortal,
    clock,
    logger,
    handlers: payments.jobs,
    notifyDispatcher: () => undefined,
    notifySynthesizer: () => undefined,
    notifyCallbacks: () => undefined,
  });
  clock.watch(() => isAlive && (jobs.isBusy() || payments.isBusy()));
  jobs.start();
  const stop = async () => isAlive && Promise.all([jobs.stop(), payments.stop()]);
  stops.push(stop);
  return {
    kill() {
      isAlive = false;
    },
    stop,
  };
}

async function read(): Promise<{ status: string; credits: number; jobs: number } | undefined> {
  return store.read((tx) =>
    tx.get(
      `SELECT p.status, q.credits, (SELECT COUNT(*) FROM jobs) AS jobs FROM payments p
         JOIN quotas q ON q.merchant_id = p.merchant_id AND q.channel = p.channel`,
    ),
  );
}

const settled = { status: "SUCCEEDED", credits: 10, jobs: 0 };

describe("a payment", () => {
  it("is submitted once, and settled when due", async () => {
    startProcess();
    await clock.advanceBy(1_999);
    expect(await read()).toEqual({ status: "PENDING", credits: 0, jobs: 1 });
    await clock.advanceBy(60 * 60_000);
    expect([asked, await read()]).toEqual([["submit"], settled]);
  });

  it.each<[string, () => Promise<readonly PaymentNews[]>]>([
    ["never arrives", () => new Promise(() => undefined)],
    ["is cut off", () => Promise.reject(new Error("ECONNRESET"))],
  ])("is looked up if its answer %s, and not submitted again if it was accepted", async (_how, answer) => {
    onSubmit = answer;
    onFind = async () => ({ outcome: "taken", news: succeeds });
    startProcess();
    await clock.advanceBy(2 * 60 * 60_000);
    expect([asked, await read()]).toEqual([["submit", "find"], settled]);
  });

  it("is submitted again if the processor proves that it does not have it", async () => {
    onSubmit = async () => {
      onSubmit = async () => succeeds;
      throw new Error("ECONNREFUSED");
    };
    startProcess();
    await clock.advanceBy(60 * 60_000);
    expect([asked, await read()]).toEqual([["submit", "find", "submit"], settled]);
  });

  it("is not submitted again while the processor cannot tell", async () => {
    onSubmit = () => Promise.reject(new Error("ECONNRESET"));
    onFind = async () => ({ outcome: "unknown" });
    startProcess();
    await clock.advanceBy(60 * 60_000);
    expect(asked.filter((question) => question === "submit")).toHaveLength(1);
    expect(await read()).toEqual({ status: "PENDING", credits: 0, jobs: 1 });
    onFind = async () => ({ outcome: "taken", news: succeeds });
    await clock.advanceBy(60 * 60_000);
    expect(await read()).toEqual(settled);
  });

  it("is looked up by the next process within a minute if a stop interrupted the submission", async () => {
    const { stop } = startProcess();
    onSubmit = () => new Promise(() => undefined);
    onFind = async () => ({ outcome: "taken", news: succeeds });
    await clock.advanceBy(1_000);
    await stop();
    startProcess();
    await clock.advanceBy(60_000);
    expect([asked, await read()]).toEqual([["submit", "find"], settled]);
  });

  it("is looked up by the next process if its own process died after submitting it", async () => {
    const { kill } = startProcess();
    onSubmit = async () => {
      kill();
      return succeeds;
    };
    onFind = async () => ({ outcome: "taken", news: succeeds });
    await clock.advanceBy(1_000);
    startProcess();
    await clock.advanceBy(60 * 60_000);
    expect([asked, await read()]).toEqual([["submit", "find"], settled]);
  });
});

describe("a payment of a live tenant", () => {
  const waiting = { status: "PENDING", credits: 0, jobs: 0 };

  it("is not submitted to a processor, not even to one that is added later", async () => {
    const { stop } = startProcess(new SimulatedTenants({ includesLive: false }));
    await clock.advanceBy(30 * 24 * 60 * 60_000);
    expect([asked, await read()]).toEqual([[], waiting]);
    await stop();
    startProcess();
    await clock.advanceBy(24 * 60 * 60_000);
    expect([asked, await read()]).toEqual([[], waiting]);
  });

  it("is settled by the processor that already has it, and never submitted again", async () => {
    onSubmit = () => new Promise(() => undefined);
    const { stop } = startProcess();
    await clock.advanceBy(1_000);
    await stop();
    onFind = async () => ({ outcome: "unknown" });
    startProcess(new SimulatedTenants({ includesLive: false }));
    await clock.advanceBy(60_000);
    expect([asked, await read()]).toEqual([["submit", "find"], { ...waiting, jobs: 1 }]);
    onFind = async () => ({ outcome: "taken", news: succeeds });
    await clock.advanceBy(60 * 60_000);
    expect([asked, await read()]).toEqual([["submit", "find", "find"], settled]);
  });

  it("waits for the operator when the processor proves that it does not have it", async () => {
    onSubmit = () => new Promise(() => undefined);
    const { stop } = startProcess();
    await clock.advanceBy(1_000);
    await stop();
    startProcess(new SimulatedTenants({ includesLive: false }));
    await clock.advanceBy(60 * 60_000);
    expect([asked, await read()]).toEqual([["submit", "find"], waiting]);
    expect(await store.read((tx) => countWaitingPayments(tx, { most: 10 }))).toEqual({ count: 1, since: startMs });
  });

  it("does not count as possibly submitted after a restore", async () => {
    startProcess(new SimulatedTenants({ includesLive: false }));
    await clock.advanceBy(60_000);
    expect(await store.write((tx) => beginUnasked(tx, clock.now()))).toMatchObject({ payments: 0 });
    expect(await store.read((tx) => countWaitingPayments(tx, { most: 10 }))).toMatchObject({ count: 1 });
  });
});
