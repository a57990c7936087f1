// Payments of live tenants at a stand-in for Stripe, in virtual time: each is charged at most once, whatever is lost.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SimulatedTenants } from "../carriers/carriers.ts";
import { InstalledProcessors } from "../carriers/installed-processors.ts";
import type { InstalledProcessor } from "../carriers/payment-processor.ts";
import { createVirtualClock, type VirtualClock } from "../development/clocks.ts";
import { settlePayment } from "../domain/billing/payments.ts";
import {
  countProcessors,
  findProcessor,
  insertProcessor,
  releaseHeldPayments,
  removeProcessor,
} from "../domain/billing/processor-rows.ts";
import { insertPayment } from "../domain/billing/rows.ts";
import { upsertMerchant, upsertQuota } from "../domain/merchants/rows.ts";
import { findListedPayment, listPayments } from "../domain/reports/payment-rows.ts";
import { EVERY_TENANT, insertTenant } from "../domain/tenancy/rows.ts";
import { SUBMIT_PAYMENT, scheduleJob } from "../store/jobs.ts";
import { beginUnasked } from "../store/restorations.ts";
import type { Store } from "../store/store.ts";
import { type Behaviour, type StripeCallback, StripeDouble } from "../testing/stripe-double.ts";
import { openTestStore } from "../testing/test-store.ts";
import { createJobRunner } from "./jobs/runner.ts";
import { createPayments } from "./payments.ts";

const startMs = Date.UTC(2026, 0, 15, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const EVENTS_ID = "e".repeat(22);

let clock: VirtualClock;
let store: Store;
let stripe: StripeDouble;
let tenantId: number;
let server: Awaited<ReturnType<typeof startServer>>;
let logged: { readonly text: string; readonly details: object }[];

beforeEach(async () => {
  clock = createVirtualClock(startMs);
  store = await openTestStore({ now: clock.now });
  stripe = await StripeDouble.listen(clock);
  logged = [];
  tenantId = await store.write(async (tx) => {
    const tenant = await insertTenant(tx, { name: "Acme", timezone: "UTC", mode: "live", now: startMs });
    const account = { tenantId: tenant.tenantId, merchantId: "shop", channel: "SMS" } as const;
    await upsertMerchant(tx, { ...account, displayName: "Shop", active: true, now: startMs });
    await upsertQuota(tx, { ...account, limit: 0, credits: 0 });
    return tenant.tenantId;
  });
  await setProcessor("stripe-1");
  server = startServer();
});
afterEach(async () => {
  await server.stop();
  await stripe.close();
  await store.close();
});

function setProcessor(
  name: string,
  { servesFrom = clock.now(), owner = tenantId, eventsId = EVENTS_ID } = {},
): Promise<void> {
  const sealedSettings = JSON.stringify(stripe.settings());
  const row = {
    name,
    tenantId: owner,
    kind: "stripe",
    sealedSettings,
    eventsId,
    servesFrom,
    setAt: clock.now(),
  };
  return store.write((tx) => insertProcessor(tx, row));
}

/** Starts a server that processes payments. After it is killed, none of its requests returns. */
function startServer() {
  let isAlive = true;
  let inFlight = 0;
  const log = (details: object, text: string) => void logged.push({ details, text });
  const logger = { warn: log, error: log };
  const unlessDead = <T>(result: Promise<T>) =>
    result.then((value) => (isAlive ? value : new Promise<never>(() => undefined)));
  const mortal: Store = { ...store, write: (work) => unlessDead(store.write(work)) };
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    inFlight += 1;
    try {
      return await unlessDead(call());
    } finally {
      inFlight -= 1;
    }
  };
  const installed = new InstalledProcessors({
    ...{ store, clock, publicUrl: "https://msg.acme.example", openSecret: (sealed) => sealed },
    recordEvent: (source, event) => payments.recordEvent(source, event),
  });
  const watched = (found: InstalledProcessor): InstalledProcessor => ({
    ...found,
    prepare: (...call) => counted(async () => found.prepare?.(...call) ?? { refusal: "-" }),
    submit: (...call) => counted(() => found.submit(...call)),
    find: (...call) => counted(() => found.find(...call)),
  });
  const payments = createPayments({
    ...{ store: mortal, clock, logger, notifyJobs: () => jobs.notify() },
    simulated: new SimulatedTenants({ includesLive: false }),
    processor: {
      submit: () => Promise.reject(new Error("a live payment was simulated")),
      find: async () => ({ outcome: "absent" }),
    },
    async findInstalled(tx, id) {
      const found = await installed.of(tx, id);
      return found && watched(found);
    },
  });
  const jobs = createJobRunner({
    ...{ store: mortal, clock, logger, handlers: payments.jobs },
    notifyDispatcher: () => undefined,
    notifySynthesizer: () => undefined,
    notifyCallbacks: () => undefined,
  });
  clock.watch(() => isAlive && (inFlight > 0 || jobs.isBusy() || payments.isBusy()));
  jobs.start();
  return {
    notify: () => jobs.notify(),
    async deliver({ headers, body }: StripeCallback, eventsId = EVENTS_ID) {
      const receiver = await installed.findReceiver(eventsId);
      return receiver?.receive?.({ query: "", headers, body: Buffer.from(body) });
    },
    kill() {
      isAlive = false;
    },
    async stop() {
      await Promise.all([jobs.stop(), payments.stop()]);
      await installed.stop();
    },
  };
}

/** A tenant buys 10 units for 10.00. */
async function buy(paymentId: string, behaviour: Behaviour = "succeed"): Promise<void> {
  await store.write(async (tx) => {
    const price = { units: 10, amountCents: 1_000, currency: "USD", paymentMethod: `pm_${behaviour}` };
    const account = { tenantId, merchantId: "shop", channel: "SMS" } as const;
    await insertPayment(tx, { ...account, ...price, paymentId, note: null, referenceId: null, now: clock.now() });
    await scheduleJob(tx, { tenantId, kind: SUBMIT_PAYMENT, subject: paymentId, dueAt: clock.now() });
  });
  server.notify();
}

async function read(paymentId = "pay_1") {
  const payment = await store.read((tx) => findListedPayment(tx, paymentId));
  if (payment === undefined) throw new Error(`there is no ${paymentId}`);
  return payment;
}

const credits = () =>
  store.read(async (tx) => (await tx.get<{ credits: number }>("SELECT credits FROM quotas"))?.credits);
const listWaiting = () => store.read((tx) => listPayments(tx, { tenantId, status: undefined, limit: 10 }));
const creations = () => stripe.asked.filter(({ operation }) => operation === "POST payment_intents");
const loseCreations = () => {
  stripe.treat = ({ operation }) => (operation === "POST payment_intents" ? "lose-answer" : "answer");
};

describe("a payment", () => {
  it("is charged, and adds its credits once, whatever events follow", async () => {
    await buy("pay_1");
    await clock.advanceBy(1_000);
    expect(await read()).toMatchObject({ status: "SUCCEEDED", processor: "stripe-1", failureReason: null });
    const event = stripe.report(stripe.intentOf("pay_1"));
    for (let times = 0; times < 3; times += 1) expect(await server.deliver(event)).toEqual({ status: 204 });
    await clock.advanceBy(HOUR_MS);
    expect([await credits(), stripe.countCharges("pay_1")]).toEqual([10, 1]);
    expect(await store.read((tx) => tx.all("SELECT job_id FROM jobs"))).toEqual([]);
  });

  it("fails with the processor's reason", async () => {
    await buy("pay_1", "decline");
    await clock.advanceBy(1_000);
    expect(await read()).toMatchObject({ status: "FAILED", failureReason: expect.stringContaining("insufficient") });
  });

  it("is repeated unchanged if its answer is lost, and charged once", async () => {
    loseCreations();
    await buy("pay_1");
    await clock.advanceBy(5_000);
    expect(await read()).toMatchObject({ status: "PENDING", hasBegun: 1 });
    stripe.treat = () => "answer";
    await clock.advanceBy(MINUTE_MS);
    expect(await read()).toMatchObject({ status: "SUCCEEDED" });
    expect(new Set(creations().map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
    expect([await credits(), stripe.countCharges("pay_1")]).toEqual([10, 1]);
  });

  it("leaves what the processor answered last, or since when and why it did not", async () => {
    const state = async () => {
      const { answeredAt, downSince, downWords } = (await store.read((tx) => findProcessor(tx, tenantId))) ?? {};
      return { answeredAt, downSince, downWords };
    };
    expect(await state()).toEqual({ answeredAt: null, downSince: null, downWords: null });
    const message = "Invalid API Key provided: sk_live_********************wxyz";
    stripe.treat = () => ({ status: 401, error: { type: "invalid_request_error", message } });
    await buy("pay_1");
    await clock.advanceBy(1_000);
    const down = await state();
    const downWords = "Stripe, status 401: Invalid API Key provided: (a key)";
    expect(down).toEqual({ answeredAt: null, downSince: expect.any(Number), downWords });
    stripe.treat = () => "cut";
    await clock.advanceBy(MINUTE_MS);
    const cut = await state();
    expect(cut).toEqual({ ...down, downWords: expect.any(String) });
    expect(cut.downWords).not.toBe(down.downWords);
    expect(await store.read(countProcessors)).toEqual([{ kind: "stripe", up: 0, down: 1 }]);
    stripe.treat = () => "answer";
    await clock.advanceBy(10 * MINUTE_MS);
    expect(await state()).toEqual({ answeredAt: expect.any(Number), downSince: null, downWords: null });
    expect(await store.read(countProcessors)).toEqual([{ kind: "stripe", up: 1, down: 0 }]);
  });

  it("is settled by an event at once, even if every answer is lost", async () => {
    loseCreations();
    await buy("pay_1");
    await clock.advanceBy(5_000);
    await server.deliver(stripe.report(stripe.intentOf("pay_1")));
    await clock.advanceBy(1_000);
    expect([(await read()).status, await credits()]).toEqual(["SUCCEEDED", 10]);
  });

  it("is not requested again after 23 hours, and found by its metadata", async () => {
    stripe.treat = ({ operation }) => (operation === "POST payment_intents" ? "lose-answer" : "answer");
    await buy("pay_1");
    await clock.advanceBy(23 * HOUR_MS - MINUTE_MS);
    const repeated = creations().length;
    expect(repeated).toBeGreaterThan(100);
    await clock.advanceBy(HOUR_MS);
    expect(creations().length - repeated).toBeLessThanOrEqual(1);
    expect([(await read()).status, stripe.countCharges("pay_1")]).toEqual(["SUCCEEDED", 1]);
  });

  it("is the operator's if it never arrived and can no longer be repeated", async () => {
    stripe.treat = ({ operation }) => (operation === "POST payment_intents" ? "cut" : "answer");
    await buy("pay_1");
    await clock.advanceBy(24 * HOUR_MS);
    expect(await listWaiting()).toEqual([]);
    await expect(settle("SUCCEEDED")).rejects.toThrow("at its processor, which settles it");
    await clock.advanceBy(2 * HOUR_MS);
    const undecided = "Stripe finds no PaymentIntent with the payment's id";
    expect(await listWaiting()).toMatchObject([{ paymentId: "pay_1", status: "PENDING", undecided }]);
    stripe.treat = () => "answer";
    await clock.advanceBy(30 * DAY_MS);
    expect([stripe.intents.size, (await read()).status]).toEqual([0, "PENDING"]);
    await settle("SUCCEEDED");
    expect([await credits(), (await read()).undecided]).toEqual([10, null]);
  });

  it("that the operator has settled as failed is told if Stripe reports that it was paid", async () => {
    stripe.treat = ({ operation }) =>
      /search|create|POST payment_intents$/.test(operation) ? "lose-answer" : "answer";
    await buy("pay_1");
    await clock.advanceBy(26 * HOUR_MS);
    await settle("FAILED");
    await server.deliver(stripe.report(stripe.intentOf("pay_1")));
    await clock.advanceBy(MINUTE_MS);
    expect(await read()).toMatchObject({ status: "FAILED", undecided: expect.stringContaining("refund it") });
    expect([await credits(), logged.at(-1)?.text]).toEqual([0, "a payment needs the operator: msgd payments show"]);
  });

  it("of another amount than Stripe's is not fulfilled, and left to the operator", async () => {
    await buy("pay_1", "process");
    await clock.advanceBy(1_000);
    const intent = stripe.intentOf("pay_1");
    stripe.succeed(intent);
    intent.amountReceived = 999;
    await server.deliver(stripe.report(intent));
    await clock.advanceBy(MINUTE_MS);
    expect(await listWaiting()).toMatchObject([
      { paymentId: "pay_1", undecided: expect.stringContaining("999 of 1000") },
    ]);
    expect(await credits()).toBe(0);
  });
});

const settle = (status: "SUCCEEDED" | "FAILED") =>
  store.write((tx) =>
    settlePayment(tx, { paymentId: "pay_1", status, reference: "ticket 7", by: "Ann", now: clock.now() }),
  );

describe("a payment that needs its customer", () => {
  it("has Stripe's link, and succeeds once the customer has authenticated it", async () => {
    await buy("pay_1", "authenticate");
    await clock.advanceBy(1_000);
    const intent = stripe.intentOf("pay_1");
    expect(await read()).toMatchObject({
      ...{ status: "REQUIRES_ACTION", actionUrl: `https://hooks.stripe.com/redirect/${intent.id}` },
    });
    await clock.advanceBy(3 * DAY_MS);
    stripe.authenticate(intent, true);
    await server.deliver(stripe.report(intent));
    await clock.advanceBy(1_000);
    expect(await read()).toMatchObject({ status: "SUCCEEDED", actionUrl: null });
    expect(await credits()).toBe(10);
  });

  it("is canceled after seven days, at Stripe too", async () => {
    await buy("pay_1", "authenticate");
    await clock.advanceBy(7 * DAY_MS - MINUTE_MS);
    expect([(await read()).status, stripe.intentOf("pay_1").status]).toEqual(["REQUIRES_ACTION", "requires_action"]);
    await clock.advanceBy(2 * MINUTE_MS);
    expect([(await read()).status, stripe.intentOf("pay_1").status]).toEqual(["CANCELED", "canceled"]);
  });

  it("is looked up every hour, so that a lost event changes nothing", async () => {
    await buy("pay_1", "authenticate");
    await clock.advanceBy(MINUTE_MS);
    stripe.authenticate(stripe.intentOf("pay_1"), true);
    await clock.advanceBy(HOUR_MS);
    expect((await read()).status).toBe("SUCCEEDED");
  });
});

describe("a refund or dispute", () => {
  it("is recorded and told; the credits stay", async () => {
    await buy("pay_1");
    await clock.advanceBy(1_000);
    const intent = stripe.intentOf("pay_1");
    if (intent.charge !== null) intent.charge.amountRefunded = 400;
    await server.deliver(stripe.reportCharge(intent, "charge.refunded"));
    await clock.advanceBy(1_000);
    expect(await read()).toMatchObject({ status: "SUCCEEDED", refundedCents: 400, isDisputed: 0 });
    if (intent.charge !== null) intent.charge.disputed = true;
    await server.deliver(stripe.reportCharge(intent, "charge.dispute.created"));
    await clock.advanceBy(1_000);
    expect(await read()).toMatchObject({ status: "SUCCEEDED", refundedCents: 400, isDisputed: 1 });
    expect(logged.map(({ text }) => text)).toEqual(
      Array(2).fill("a payment was refunded or disputed; its credits are not taken back"),
    );
    expect(await credits()).toBe(10);
  });
});

describe("a processor", () => {
  it("charges nothing that waited before it was set", async () => {
    await store.write((tx) => removeProcessor(tx, "stripe-1", clock.now()));
    await server.stop();
    await buy("pay_1");
    await clock.advanceBy(MINUTE_MS);
    await setProcessor("stripe-2");
    server = startServer();
    await clock.advanceBy(DAY_MS);
    expect([stripe.asked, (await listWaiting()).map(({ paymentId }) => paymentId)]).toEqual([[], ["pay_1"]]);
  });

  it("that is set again looks up what its predecessor may have requested, and never requests it", async () => {
    loseCreations();
    await buy("pay_1");
    await clock.advanceBy(1_000);
    await store.write((tx) => removeProcessor(tx, "stripe-1", clock.now()));
    await setProcessor("stripe-2", { servesFrom: startMs });
    stripe.treat = () => "answer";
    const sent = creations().length;
    await clock.advanceBy(10 * MINUTE_MS);
    expect([(await read()).status, creations().length, stripe.countCharges("pay_1")]).toEqual(["SUCCEEDED", sent, 1]);
  });

  it("that is removed leaves its open payments to the operator", async () => {
    await buy("pay_1", "process");
    await clock.advanceBy(1_000);
    await store.write(async (tx) => {
      await releaseHeldPayments(tx, tenantId, "its processor stripe-1 was removed");
      await removeProcessor(tx, "stripe-1", clock.now());
    });
    await clock.advanceBy(DAY_MS);
    expect(await listWaiting()).toMatchObject([
      { status: "PROCESSING", undecided: "its processor stripe-1 was removed" },
    ]);
    await setProcessor("stripe-2", { owner: EVERY_TENANT });
    await clock.advanceBy(DAY_MS);
    expect(stripe.intents.size).toBe(1);
  });

  it("says nothing about a payment of another tenant", async () => {
    loseCreations();
    await buy("pay_1");
    await clock.advanceBy(1_000);
    const other = "f".repeat(22);
    await setProcessor("stripe-77", { owner: 77, eventsId: other });
    const object = { object: "payment_intent", id: "pi_other", metadata: { paymentId: "pay_1" } };
    expect(await server.deliver(stripe.event("payment_intent.succeeded", object), other)).toEqual({ status: 204 });
    expect((await read()).processorPaymentId).toBeNull();
    expect(await server.deliver(stripe.report(stripe.intentOf("pay_1")))).toEqual({ status: 204 });
    expect((await read()).processorPaymentId).toBe(stripe.intentOf("pay_1").id);
  });

  it("tells an event about a payment that the database does not have", async () => {
    const object = { object: "payment_intent", id: "pi_9", metadata: { paymentId: "pay_gone" } };
    await server.deliver(stripe.event("payment_intent.succeeded", object));
    expect(logged.map(({ text }) => text)).toEqual(["a processor reports a payment that this database does not have"]);
  });
});

describe("after a restore", () => {
  /** Puts the payment back into the state of a backup that was made before it was handed over. */
  async function restore(): Promise<void> {
    await store.write(async (tx) => {
      await tx.run(`UPDATE payments SET status = 'PENDING', begun_at = NULL, processor = NULL, processor_request = NULL,
                      requested_at = NULL, processor_payment_id = NULL, job_id = NULL, action_url = NULL`);
      await tx.run("UPDATE quotas SET credits = 0");
      await tx.run("DELETE FROM jobs");
      await scheduleJob(tx, { tenantId, kind: SUBMIT_PAYMENT, subject: "pay_1", dueAt: startMs });
      await beginUnasked(tx, clock.now());
    });
    server.notify();
  }

  it.each([1, 22, 24, 24 * 20])(
    "a payment that was charged %i hours ago is found, and not charged again",
    async (hours) => {
      await buy("pay_1");
      await clock.advanceBy(hours * HOUR_MS);
      await restore();
      await clock.advanceBy(MINUTE_MS);
      expect([(await read()).status, await credits()]).toEqual(["SUCCEEDED", 10]);
      expect([stripe.intents.size, stripe.countCharges("pay_1")]).toEqual([1, 1]);
    },
  );

  it("a payment that was never charged is charged within 23 hours, and otherwise the operator's", async () => {
    await server.stop();
    await buy("pay_1");
    await clock.advanceBy(HOUR_MS);
    await restore();
    server = startServer();
    await clock.advanceBy(MINUTE_MS);
    expect([(await read()).status, stripe.countCharges("pay_1")]).toEqual(["SUCCEEDED", 1]);
    stripe.intents.clear();
    await clock.advanceBy(3 * DAY_MS);
    await restore();
    await clock.advanceBy(DAY_MS);
    expect(await listWaiting()).toMatchObject([{ status: "PENDING", undecided: expect.stringContaining("finds no") }]);
    expect(stripe.intents.size).toBe(0);
  });
});

/** The generator mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("whatever is lost", () => {
  const seed = Number(process.env.PROPERTY_SEED ?? 1);

  it.each(Array.from({ length: 24 }, (_none, index) => seed * 1_000 + index))(
    "a payment is charged at most once, and all agree in the end (seed %i)",
    async (worldSeed) => {
      const random = createRandom(worldSeed);
      const pick = <T>(options: readonly T[]): T => options[Math.floor(random() * options.length)] as T;
      const behaviours = ["succeed", "decline", "authenticate", "process"] as const;
      const behaviour = pick(behaviours);
      const loss = random();
      stripe.treat = () =>
        random() < loss ? pick(["lose-answer", "cut", { status: 500, error: {} }] as const) : "answer";
      await buy("pay_1", behaviour);
      const kept: StripeCallback[] = [];
      for (let step = 0; step < 40; step += 1) {
        await clock.advanceBy(pick([1_000, MINUTE_MS, HOUR_MS, 5 * HOUR_MS]));
        const [intent] = stripe.intents.values();
        if (random() < 0.1) {
          server.kill();
          await server.stop();
          server = startServer();
        }
        if (intent === undefined) continue;
        if (intent.status === "requires_action" && random() < 0.1) stripe.authenticate(intent, random() < 0.7);
        if (intent.status === "processing" && random() < 0.2) stripe.succeed(intent);
        kept.push(stripe.report(intent));
        // late, repeated and reordered; a late one is refused for its age
        if (random() < 0.5) await server.deliver(pick(kept)).catch(() => undefined);
      }
      stripe.treat = () => "answer";
      for (const intent of stripe.intents.values()) if (intent.status === "processing") stripe.succeed(intent);
      await clock.advanceBy(9 * DAY_MS);
      const { status, undecided } = await read();
      const charges = stripe.countCharges("pay_1");
      expect(charges).toBeLessThanOrEqual(1);
      expect(await credits()).toBe(status === "SUCCEEDED" ? 10 : 0);
      if (undecided !== null) return expect([status, charges, stripe.intents.size]).toEqual(["PENDING", 0, 0]);
      expect([status === "SUCCEEDED", ["SUCCEEDED", "FAILED", "CANCELED"].includes(status)]).toEqual([
        charges === 1,
        true,
      ]);
    },
  );
});
