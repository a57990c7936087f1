// The processor beside a stand-in for Stripe: what it requests, what the answers prove, and which events it believes.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { type Cut, cutAtEachByte, openCuttingProxy } from "../../testing/cutting-proxy.ts";
import { orderOf } from "../../testing/payments.ts";
import { StripeDouble, signStripe } from "../../testing/stripe-double.ts";
import type { PaymentEvent, PaymentFinding, PaymentOrder } from "../payment-processor.ts";
import type { OpenProcessor } from "../processor-kind.ts";
import { openStripeProcessor } from "./open-stripe-processor.ts";
import type { StripeSettings } from "./settings.ts";

const never = new AbortController().signal;
const startMs = Date.UTC(2026, 0, 15, 12);

let clock: VirtualClock;
let stripe: StripeDouble;
let processor: OpenProcessor;
let events: PaymentEvent[];
beforeEach(async () => {
  clock = createVirtualClock(startMs);
  stripe = await StripeDouble.listen(clock);
  events = [];
  processor = open();
});
afterEach(async () => {
  processor.stop();
  await stripe.close();
});

function open(settings: Partial<StripeSettings> = {}, { isForAllTenants = false } = {}): OpenProcessor {
  return openStripeProcessor(stripe.settings(settings), {
    ...{ clock, isForAllTenants, publicUrl: "https://msg.acme.example" },
    record: async (event) => {
      events.push(event);
    },
  });
}

async function prepare(given: Partial<PaymentOrder> = {}, through = processor): Promise<PaymentOrder> {
  const order = orderOf({ paymentMethod: "pm_succeed", ...given });
  const prepared = await through.prepare(order, never);
  if ("refusal" in prepared) throw new Error(prepared.refusal);
  return { ...order, ...prepared };
}

const pay = async (given: Partial<PaymentOrder> = {}, through = processor) =>
  through.submit(await prepare(given, through), never);
const statusOf = (finding: PaymentFinding) =>
  finding.outcome === "reported" ? finding.report.status : finding.outcome;

describe("a payment", () => {
  it("charges the stored method of its customer once, with the payment's id as the key", async () => {
    const finding = await pay({ amountCents: 1_234 });
    const { id } = stripe.intentOf("pay_1");
    expect(finding).toEqual({
      outcome: "reported",
      report: {
        ...{ processorPaymentId: id, status: "SUCCEEDED", reason: null, actionUrl: null },
        ...{ refundedCents: 0, isDisputed: false },
      },
    });
    const { body, key } = stripe.asked.at(-1) ?? {};
    expect(key).toBe("pay_1");
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      ...{ amount: "1234", currency: "usd", customer: "cus_1", payment_method: "pm_succeed", confirm: "true" },
      ...{ off_session: "true", "metadata[paymentId]": "pay_1", "metadata[tenantId]": "1" },
      ...{ "allowed_payment_method_types[0]": "card", "expand[0]": "latest_charge" },
    });
  });

  it("has the same bytes when it is repeated, and is charged once", async () => {
    const order = await prepare();
    stripe.treat = ({ operation }) => (operation === "POST payment_intents" ? "lose-answer" : "answer");
    await expect(processor.submit(order, never)).rejects.toThrow();
    stripe.treat = () => "answer";
    expect(statusOf(await processor.submit(order, never))).toBe("SUCCEEDED");
    const sent = stripe.asked.filter(({ operation }) => operation === "POST payment_intents");
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
    expect(stripe.countCharges("pay_1")).toBe(1);
  });

  it("is in whole yen, and has no part of one", async () => {
    const other = open({ currencies: ["USD", "JPY"] });
    await pay({ amountCents: 50_000, currency: "JPY" }, other);
    expect(stripe.intentOf("pay_1")).toMatchObject({ amount: 500, currency: "jpy" });
    await expect(prepare({ amountCents: 50_050, currency: "JPY" }, other)).rejects.toThrow("no whole amount of JPY");
    other.stop();
  });

  it("takes the default method of the customer in the settings", async () => {
    await expect(prepare({ paymentMethod: null })).rejects.toThrow("names no payment method");
    const other = open({ customer: "cus_1" });
    await expect(prepare({ paymentMethod: null }, other)).rejects.toThrow("names no payment method");
    stripe.customers.set("cus_1", { metadata: {}, defaultMethod: "pm_succeed" });
    expect(statusOf(await pay({ paymentMethod: null }, other))).toBe("SUCCEEDED");
    other.stop();
  });

  it.each<[string, Partial<PaymentOrder>, string]>([
    ["a currency that the operator does not accept", { currency: "EUR" }, "charges USD, not EUR"],
    ["a number, which is no method of Stripe's", { paymentMethod: "4242" }, "Stripe has no payment method 4242"],
    ["a path", { paymentMethod: "pm_1/../../customers" }, "Stripe has no payment method"],
    ["an unknown method", { paymentMethod: "pm_unknown" }, "Stripe has no payment method pm_unknown"],
    ["a method without a customer", { paymentMethod: "pm_alone" }, "belongs to no customer: attach it to one"],
  ])("is refused before it is requested if it has %s", async (_what, given, words) => {
    stripe.methods.set("pm_alone", { customer: null, behaviour: "succeed" });
    await expect(prepare(given)).rejects.toThrow(words);
    expect(stripe.intents.size).toBe(0);
  });

  it("charges only the customer in the settings, or the tenant's own customers if tenants share the account", async () => {
    const own = open({ customer: "cus_2" });
    await expect(prepare({}, own)).rejects.toThrow("belongs to another customer than cus_2");
    const common = open({}, { isForAllTenants: true });
    await expect(prepare({}, common)).rejects.toThrow("its metadata lacks msgdTenantId=1");
    stripe.customers.set("cus_1", { metadata: { msgdTenantId: "1" }, defaultMethod: null });
    expect(statusOf(await pay({}, common))).toBe("SUCCEEDED");
    await expect(prepare({ tenantId: 2 }, common)).rejects.toThrow("its metadata lacks msgdTenantId=2");
    own.stop();
    common.stop();
  });

  it("fails if the card is declined, and cannot be paid afterwards", async () => {
    expect(await pay({ paymentMethod: "pm_decline" })).toMatchObject({
      report: { status: "FAILED", reason: "insufficient_funds: Your card has insufficient funds." },
    });
    expect(stripe.intentOf("pay_1").status).toBe("canceled");
  });

  it("has failed if only the answer to its cancellation was lost", async () => {
    stripe.treat = ({ operation }) => (operation.endsWith("cancel") ? "lose-answer" : "answer");
    const order = await prepare({ paymentMethod: "pm_decline" });
    await expect(processor.submit(order, never)).rejects.toThrow();
    expect(await processor.submit(order, never)).toMatchObject({
      report: { status: "FAILED", reason: "card_declined: It was declined." },
    });
  });

  it("is refused if Stripe has no such amount", async () => {
    const finding = await pay({ amountCents: 49 });
    expect(finding).toEqual({ outcome: "refused", reason: expect.stringContaining("amount_too_small") });
  });

  it.each([401, 403, 409, 429, 500, 503])("is in doubt after status %i", async (status) => {
    const order = await prepare();
    stripe.treat = () => ({ status, error: { type: "api_error", message: "later" } });
    const error = await processor.submit(order, never).catch((reason: unknown) => reason);
    // without the answer or its headers, as it is logged
    expect([`${error}`, Object.keys(error as object)]).toEqual([`Error: Stripe, status ${status}: later`, []]);
    expect(stripe.asked.filter(({ operation }) => operation === "POST payment_intents")).toHaveLength(1);
  });

  it("waits for the customer if Stripe requires it, with Stripe's link", async () => {
    const finding = await pay({ paymentMethod: "pm_authenticate" });
    const { id, returnUrl } = stripe.intentOf("pay_1");
    expect(finding).toMatchObject({
      report: { status: "REQUIRES_ACTION", actionUrl: `https://hooks.stripe.com/redirect/${id}` },
    });
    expect(returnUrl).toBe("https://msg.acme.example");
  });

  it("fails if the customer does not authenticate it, and is canceled if they take too long", async () => {
    await pay({ paymentMethod: "pm_authenticate" });
    const intent = stripe.intentOf("pay_1");
    const known = orderOf({ status: "REQUIRES_ACTION", processorPaymentId: intent.id });
    expect(statusOf(await processor.find(known, never))).toBe("REQUIRES_ACTION");
    stripe.authenticate(intent, false);
    expect(await processor.find(known, never)).toMatchObject({
      report: { status: "FAILED", reason: expect.stringContaining("did not authenticate") },
    });
    await pay({ reference: "pay_2", paymentMethod: "pm_authenticate" });
    const late = { ...known, reference: "pay_2", processorPaymentId: stripe.intentOf("pay_2").id, isOverdue: true };
    expect(statusOf(await processor.find(late, never))).toBe("CANCELED");
    expect(stripe.intentOf("pay_2").status).toBe("canceled");
  });

  it("that was paid before it could be canceled has succeeded", async () => {
    await pay({ paymentMethod: "pm_authenticate" });
    const intent = stripe.intentOf("pay_1");
    stripe.treat = ({ operation }) => {
      if (operation.endsWith("cancel")) stripe.authenticate(intent, true);
      return "answer";
    };
    const late = orderOf({ status: "REQUIRES_ACTION", processorPaymentId: intent.id, isOverdue: true });
    expect(statusOf(await processor.find(late, never))).toBe("SUCCEEDED");
  });

  it("is not fulfilled if Stripe reports another amount, currency or payment", async () => {
    await pay();
    const intent = stripe.intentOf("pay_1");
    const find = () => processor.find(orderOf({ processorPaymentId: intent.id }), never);
    const mismatch = { report: { mismatch: expect.stringContaining(intent.id) } };
    intent.amountReceived = 900;
    expect(await find()).toMatchObject(mismatch);
    Object.assign(intent, { amount: 900 });
    expect(await find()).toMatchObject(mismatch);
    Object.assign(intent, { amount: 1_000, amountReceived: 1_000, currency: "mxn" });
    expect(await find()).toMatchObject(mismatch);
    Object.assign(intent, { currency: "usd", metadata: { paymentId: "pay_9" } });
    expect(await find()).toMatchObject(mismatch);
  });

  it("tells refunds and disputes", async () => {
    await pay();
    const intent = stripe.intentOf("pay_1");
    if (intent.charge !== null) Object.assign(intent.charge, { amountRefunded: 250, disputed: true });
    const known = orderOf({ status: "SUCCEEDED", processorPaymentId: intent.id });
    expect(await processor.find(known, never)).toMatchObject({ report: { refundedCents: 250, isDisputed: true } });
  });
});

describe("a lost payment", () => {
  it("is found by its metadata once Stripe has indexed it, and not finding it proves nothing", async () => {
    await pay();
    expect(await processor.find(orderOf(), never)).toMatchObject({ outcome: "unknown" });
    await clock.advanceBy(60_000);
    expect(statusOf(await processor.find(orderOf(), never))).toBe("SUCCEEDED");
  });

  it("is looked up if its key belongs to a request with other parameters", async () => {
    await pay();
    await clock.advanceBy(60_000);
    const other = await prepare({ amountCents: 1_000, paymentMethod: "pm_process" });
    expect(statusOf(await processor.submit(other, never))).toBe("SUCCEEDED");
    expect(stripe.intents.size).toBe(1);
  });

  it("is in doubt if Stripe has two with its id", async () => {
    await pay();
    await clock.advanceBy(25 * 60 * 60_000);
    await pay();
    await clock.advanceBy(60_000);
    const finding = await processor.find(orderOf(), never);
    expect(finding).toMatchObject({ outcome: "unknown", detail: expect.stringContaining("several") });
  });
});

describe("an event", () => {
  const receive = ({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }) =>
    processor.receive({ query: "", headers, body: Buffer.from(body) });

  it("names the payment to ask about, whatever it reports", async () => {
    await pay();
    const intent = stripe.intentOf("pay_1");
    expect(await receive(stripe.report(intent))).toEqual({ status: 204 });
    expect(await receive(stripe.reportCharge(intent, "charge.refunded"))).toEqual({ status: 204 });
    expect(await receive(stripe.reportCharge(intent, "charge.dispute.created"))).toEqual({ status: 204 });
    const named = { processorPaymentId: intent.id, eventId: expect.stringMatching(/^evt_/) };
    expect(events).toEqual([
      { ...named, reference: "pay_1" },
      { ...named, reference: "pay_1" },
      { ...named, reference: undefined },
    ]);
  });

  it("is refused if its signature is missing, another's, or older than five minutes", async () => {
    await pay();
    const genuine = stripe.report(stripe.intentOf("pay_1"));
    const refused = { status: 400, detail: expect.any(String) };
    for (const forged of [
      { ...genuine, headers: {} },
      { ...genuine, headers: { "stripe-signature": "" } },
      { ...genuine, headers: signStripe(genuine.body, clock.now(), "whsec_other") },
      { ...genuine, body: genuine.body.replace("pay_1", "pay_2") },
    ]) {
      expect(await receive(forged)).toEqual(refused);
    }
    await clock.advanceBy(301_000);
    expect(await receive(genuine)).toEqual(refused);
    expect(events).toEqual([]);
  });

  it("about no payment is accepted, and not recorded", async () => {
    for (const object of [{}, { object: "customer", id: "cus_1" }, { object: "charge", payment_intent: null }]) {
      expect(await receive(stripe.event("customer.created", object))).toEqual({ status: 204 });
    }
    expect(events).toEqual([]);
  });

  it("is asked for again if it cannot be recorded", async () => {
    await pay();
    processor = openStripeProcessor(stripe.settings(), {
      ...{ clock, isForAllTenants: false, publicUrl: "https://msg.acme.example" },
      record: () => Promise.reject(new Error("no database")),
    });
    await expect(receive(stripe.report(stripe.intentOf("pay_1")))).rejects.toThrow("no database");
  });
});

it("a server without a public URL cannot use the processor", () => {
  const surroundings = { clock, isForAllTenants: false, publicUrl: undefined, record: async () => {} };
  expect(() => openStripeProcessor(stripe.settings(), surroundings)).toThrow("set --public-url");
});

describe("a connection that is cut at any byte", () => {
  let payments = 0;
  let first: PaymentOrder;

  async function payThrough(cut: Cut | undefined) {
    payments += 1;
    const reference = `pay_${payments}`;
    const order = { ...first, reference, request: first.request?.replace("pay_1", reference) ?? null };
    const proxy = await openCuttingProxy(stripe.port, cut);
    const cuttable = open({ baseUrl: `http://127.0.0.1:${proxy.port}` });
    const outcome = await cuttable.submit(order, never).then(statusOf, () => undefined);
    cuttable.stop();
    await proxy.close();
    const charges = stripe.countCharges(order.reference);
    const repeated = await processor.submit(order, never).then(statusOf);
    return { outcome, charges, repeated, chargesAfter: stripe.countCharges(order.reference), passed: proxy.passed };
  }

  it("leaves a payment in doubt, which the repeated request ends without a second charge", async () => {
    first = await prepare();
    const whole = await payThrough(undefined);
    expect(whole).toMatchObject({ outcome: "SUCCEEDED", charges: 1, repeated: "SUCCEEDED", chargesAfter: 1 });
    for (const direction of ["out", "back"] as const) {
      const bytes = whole.passed[direction];
      await cutAtEachByte({ direction, bytes, atOnce: 16 }, payThrough, (ended, at) => {
        expect(ended, at).toMatchObject({ repeated: "SUCCEEDED", chargesAfter: 1 });
        // only an answer that arrived whole is believed
        if (ended.outcome !== undefined) expect([ended.outcome, ended.charges], at).toEqual(["SUCCEEDED", 1]);
      });
    }
  });
});
