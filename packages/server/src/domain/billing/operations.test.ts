import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { movePayment } from "./payments.ts";
import { findPayment } from "./rows.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let service: InMemoryService;

beforeEach(async () => {
  service = await openInMemoryService();
  await service.start();
  await addMerchant({ smsCredits: 250 });
});
afterEach(() => service.close());

const addMerchant = (change: object) =>
  service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "One", ...change } });

async function upgrade(body: object, options: { key?: string; as?: InMemoryService["credential"] } = {}) {
  const reply = await service.call("POST", "/api/v1/billing/upgrade", {
    body: { merchantId: "m1", channel: "SMS", ...body },
    headers: { "idempotency-key": options.key ?? "k" },
    ...(options.as && { as: options.as }),
  });
  return reply.json();
}

const credits = async () => (await service.call("GET", "/api/v1/merchants/m1")).json().credits;

describe("an upgrade", () => {
  it("is PENDING at first, and adds its credits once it is paid", async () => {
    const first = await upgrade({ units: 500, paymentMethodId: "pm_card_visa", note: "n", referenceId: "po-1" });
    expect(first).toEqual({
      merchantId: "m1",
      channel: "SMS",
      unitsRequested: 500,
      amountCents: 500,
      currency: "USD",
      paymentId: expect.stringMatching(/^pay_[0-9A-Z]{26}$/),
      paymentStatus: "PENDING",
      fulfilled: false,
      remainingCredits: 250,
    });
    const repeated = { units: 500, paymentMethodId: "pm_card_visa", note: "n", referenceId: "po-1" };
    await service.clock.advanceBy(1_999);
    expect(await upgrade(repeated)).toEqual(first);
    await service.clock.advanceBy(1);
    const paid = { ...first, paymentStatus: "SUCCEEDED", fulfilled: true, remainingCredits: 750 };
    expect(await upgrade(repeated)).toEqual(paid);
    await service.clock.advanceBy(24 * hourMs);
    expect(await upgrade(repeated)).toEqual(paid);
    expect(await credits()).toEqual({ smsCredits: 750, voiceMinutesCredits: 0, emailCredits: 0 });
  });

  it.each([
    [4242, "SUCCEEDED", 260],
    [undefined, "SUCCEEDED", 260],
    ["constructor", "SUCCEEDED", 260],
    [2, "FAILED", 250],
    ["pm_card_chargeDeclined", "FAILED", 250],
    [3184, "REQUIRES_ACTION", 250],
    ["pm_card_authenticationRequired", "REQUIRES_ACTION", 250],
    [7700, "PROCESSING", 250],
  ])("with payment method %j is %s after two seconds", async (paymentMethodId, paymentStatus, remainingCredits) => {
    const body = { units: 10, ...(paymentMethodId !== undefined && { paymentMethodId }) };
    expect(await upgrade(body)).toMatchObject({ paymentStatus: "PENDING" });
    await service.clock.advanceBy(2_000);
    const fulfilled = paymentStatus === "SUCCEEDED";
    expect(await upgrade(body)).toMatchObject({ paymentStatus, fulfilled, remainingCredits });
  });

  it("with a slow payment method succeeds after an hour", async () => {
    await upgrade({ units: 10, paymentMethodId: 7700 });
    await service.clock.advanceBy(hourMs - 1);
    expect(await upgrade({ units: 10, paymentMethodId: 7700 })).toMatchObject({ fulfilled: false });
    await service.clock.advanceBy(1);
    expect(await upgrade({ units: 10, paymentMethodId: 7700 })).toMatchObject({
      paymentStatus: "SUCCEEDED",
      remainingCredits: 260,
    });
  });

  it("adds up with concurrent upgrades, separately for each channel", async () => {
    await Promise.all(["a", "b", "c"].map((key) => upgrade({ amountCents: 7 }, { key })));
    await upgrade({ amountCents: 7, channel: "VOICE" }, { key: "v" });
    await upgrade({ amountCents: 7, channel: "EMAIL" }, { key: "e" });
    await service.clock.advanceBy(2_000);
    expect(await credits()).toEqual({ smsCredits: 271, voiceMinutesCredits: 2, emailCredits: 70 });
  });

  it("makes room for sends beyond the quota", async () => {
    await addMerchant({ smsCredits: 0 });
    const send = async () =>
      (
        await service.call("POST", "/api/v1/messages/sms", {
          body: { merchantId: "m1", to: "+12025550100", message: "Hi", type: "OTP" },
        })
      ).statusCode;
    expect(await send()).toBe(402);
    await upgrade({ units: 1 });
    await service.clock.advanceBy(2_000);
    expect([await send(), await send()]).toEqual([200, 402]);
  });

  it.each([
    [{}, "/units", "required"],
    [{ units: 5, amountCents: 6 }, "/amountCents", "not_allowed"],
    [{ channel: "VOICE", amountCents: 2 }, "/amountCents", "out_of_range"],
    [{ channel: "VOICE", units: Number.MAX_SAFE_INTEGER }, "/units", "out_of_range"],
    [{ units: Number.MAX_SAFE_INTEGER }, "/units", "out_of_range"],
    [{ units: 10_000_001 }, "/units", "out_of_range"],
    [{ amountCents: 10_000_001 }, "/amountCents", "out_of_range"],
    [{ channel: "EMAIL", units: 100_000_001 }, "/units", "out_of_range"],
    [{ units: 0 }, "/units", "out_of_range"],
    [{ units: 1, currency: "EUR" }, "/currency", "not_allowed"],
    [{ units: 1, paymentMethodId: true }, "/paymentMethodId", "wrong_type"],
    [{ units: 1, paymentMethodId: 2 ** 53 }, "/paymentMethodId", "wrong_type"],
  ])("with %j is refused at %s", async (body, pointer, code) => {
    expect(await upgrade(body)).toMatchObject({ status: 400, code: "validation_error", errors: [{ pointer, code }] });
  });

  it("is CANCELED, and adds no credits, if the credits would exceed 2^53-1", async () => {
    const units = 10_000_000;
    await addMerchant({ smsCredits: Number.MAX_SAFE_INTEGER - units });
    const upgradeBoth = () => Promise.all(["a", "b"].map((key) => upgrade({ units }, { key })));
    await upgradeBoth();
    await service.clock.advanceBy(2_000);
    // either upgrade may have been settled first
    expect((await upgradeBoth()).map(({ paymentStatus, fulfilled }) => `${paymentStatus} ${fulfilled}`).sort()).toEqual(
      ["CANCELED false", "SUCCEEDED true"],
    );
    expect((await credits()).smsCredits).toBe(Number.MAX_SAFE_INTEGER);
    expect(await upgrade({ units }, { key: "c" })).toMatchObject({ status: 400, errors: [{ pointer: "/units" }] });
  });

  it("costs no more than the operator's limit, which can be changed", async () => {
    expect((await upgrade({ units: 10_000_001 })).errors[0].detail).toBe(
      "Expected units for 10000000 cents or less, the most that one upgrade may cost; 10000001 cost 10000001.",
    );
    expect(await upgrade({ units: 10_000_000 })).toMatchObject({ paymentStatus: "PENDING", amountCents: 10_000_000 });
    await service.close();
    service = await openInMemoryService({ largestUpgradeCents: 5 });
    await addMerchant({});
    expect(await upgrade({ units: 6 })).toMatchObject({ status: 400, errors: [{ pointer: "/units" }] });
    expect(await upgrade({ units: 5 })).toMatchObject({ paymentStatus: "PENDING" });
  });
});

describe("the key of an upgrade", () => {
  const countKeys = () =>
    service.store.read(
      async (tx) => (await tx.all("SELECT 1 FROM idempotency_keys WHERE operation = 'requestUpgrade'")).length,
    );

  it("is kept while its payment is open, and for seven days after the payment has ended", async () => {
    const waiting = await openInMemoryService();
    await service.close();
    // no processor runs, so the payment waits as if for the operator
    service = waiting;
    await addMerchant({});
    const first = await upgrade({ units: 10 });
    await service.clock.advanceBy(30 * dayMs);
    expect(await upgrade({ units: 10 })).toEqual({ ...first, paymentStatus: "PENDING" });
    await service.store.write(async (tx) => {
      const payment = await findPayment(tx, first.paymentId);
      if (payment === undefined) throw new Error("the payment is gone");
      const settlement = { reference: "wire 7", by: "Ann" };
      await movePayment(tx, payment, {
        status: "SUCCEEDED",
        failureReason: null,
        settlement,
        now: service.clock.now(),
      });
    });
    await service.start();
    await service.clock.advanceBy(7 * dayMs - 1);
    const paid = { ...first, paymentStatus: "SUCCEEDED", fulfilled: true, remainingCredits: 10 };
    expect(await upgrade({ units: 10 })).toEqual(paid);
    expect(await countKeys()).toBe(1);
    await service.clock.advanceBy(3 * dayMs);
    expect(await countKeys()).toBe(0);
  });
});
