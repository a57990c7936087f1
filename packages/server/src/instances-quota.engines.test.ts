// Quotas, credits, consents and alerts while several instances serve requests and dispatch: sums stay exact.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Instances, openInstances } from "./testing/instances.ts";

const COUNT = 3;
const to = "+12025550100";
const hourMs = 3_600_000;

let instances: Instances;
beforeEach(async () => {
  instances = await openInstances(COUNT, { consentPolicy: "opt_out_only" });
});
afterEach(async () => {
  expect(await instances.findFaults()).toEqual([]);
  await instances.close();
});

const merchant = async (body: object, instance = 0) => {
  const whole = { merchantId: "m1", displayName: "One", ...body };
  const reply = await instances.call(instance, "POST", "/api/v1/merchants", { body: whole });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
};
const readMerchant = async () => (await instances.call(0, "GET", "/api/v1/merchants/m1")).json();

async function sendWith(instance: number, change: object): Promise<string> {
  const body = { merchantId: "m1", to, message: "Hello", type: "OTP", ...change };
  const reply = await instances.call(instance, "POST", "/api/v1/messages/sms", { body });
  return reply.json().code ?? "sent";
}

const send = (instance: number) => sendWith(instance, {});

/** Runs `work` `times` times concurrently, at each instance in turn. */
function atOnce<T>(times: number, work: (instance: number, index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index % COUNT, index)));
}

function tally(codes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

async function startAll(): Promise<void> {
  for (const service of instances.services) await service.start();
}

describe("the last units", () => {
  it.each([
    ["of a limit", { smsLimit: 1 }, 1],
    ["of credits", { smsCredits: 1 }, 1],
    ["of both", { smsLimit: 3, smsCredits: 4 }, 7],
    ["of a larger limit", { smsLimit: 40 }, 40],
  ])("are used once by 100 sends: %s", async (_of, quota, units) => {
    await merchant(quota);
    expect(tally(await atOnce(100, send))).toEqual({ sent: units, quota_exceeded: 100 - units });
  });

  it("are never exceeded by messages of several segments", async () => {
    await merchant({ smsLimit: 20, smsCredits: 10 });
    const results = await atOnce(60, (instance, index) =>
      sendWith(instance, { message: "x".repeat(1 + 200 * (index % 3)) }),
    );
    const units = results.reduce(
      (sum, result, index) => sum + (result === "sent" ? ([1, 2, 3][index % 3] ?? 0) : 0),
      0,
    );
    expect(units).toBeGreaterThanOrEqual(28);
    expect(units).toBeLessThanOrEqual(30);
  });

  it("are shared by sends, voice sends and calls", async () => {
    await merchant({ voiceMinutesLimit: 5, voiceMinutesCredits: 2 });
    const voice = async (instance: number, index: number) => {
      const [url, body] =
        index % 2 === 0
          ? ["/api/v1/messages/voice", { merchantId: "m1", to, text: "Hello", type: "OTP" }]
          : ["/api/v1/voice/tts-calls", { merchantId: "m1", toNumber: to, messageText: "Hello", useCase: "OTP" }];
      const reply = await instances.call(instance, "POST", String(url), { body });
      return reply.statusCode < 300 ? "called" : "refused";
    };
    expect(tally(await atOnce(30, voice))).toEqual({ called: 7, refused: 23 });
  });

  it("are shared by batches that are accepted in slices", async () => {
    await merchant({ voiceMinutesLimit: 300, voiceMinutesCredits: 100 });
    const toNumbers = Array.from({ length: 250 }, (_, index) => `+1202555${1_000 + index}`);
    const body = { merchantId: "m1", toNumbers, messageText: "Hello", useCase: "OTP" };
    const replies = await atOnce(4, (instance) =>
      instances.call(instance, "POST", "/api/v1/voice/tts-calls", { body }),
    );
    const done = replies.filter(({ statusCode }) => statusCode < 300);
    expect(done.length).toBeGreaterThanOrEqual(2);
  });
});

describe("while instances send and dispatch", () => {
  it("a merchant's limits, credits and state change", async () => {
    await startAll();
    await merchant({ smsLimit: 10, smsCredits: 10 });
    const results = await atOnce(120, async (instance, index) => {
      if (index % 10 === 3) await merchant({ smsCredits: index }, instance);
      if (index % 10 === 5) await merchant({ smsLimit: index % 30 }, instance);
      if (index % 40 === 7) await merchant({ active: index % 80 === 7 }, instance);
      return sendWith(instance, { to: index % 4 === 0 ? "+13125550120" : to });
    });
    expect(Object.keys(tally(results)).sort()).toEqual(expect.arrayContaining(["sent"]));
    await instances.clock.advanceBy(80 * hourMs);
    expect(await instances.findFaults()).toEqual([]);
  });

  it("consents change, and their history has each change once", async () => {
    await startAll();
    await merchant({ smsLimit: 1_000 });
    const record = async (instance: number, index: number) => {
      const status = index % 2 === 0 ? "OPT_IN" : "OPT_OUT";
      const body = { merchantId: "m1", channel: "SMS", contact: to, status, source: String(index) };
      expect((await instances.call(instance, "POST", "/api/v1/consents", { body })).statusCode).toBe(200);
      return send(instance);
    };
    const results = tally(await atOnce(60, record));
    expect((results.sent ?? 0) + (results.consent_opted_out ?? 0)).toBe(60);
    const [current] = (await instances.call(0, "GET", "/api/v1/consents")).json();
    const { store } = instances.services[0] as Instances["services"][0];
    const history = await store.read((tx) =>
      tx.all<{ source: string; status: string }>("SELECT source, status FROM consent_history ORDER BY change_id"),
    );
    expect(new Set(history.map(({ source }) => source)).size).toBe(60);
    expect(history).toHaveLength(60);
    expect(history.at(-1)).toEqual({ source: current.source, status: current.status });
  });

  it("an alert is raised once per threshold", async () => {
    await startAll();
    await merchant({ smsLimit: 20 });
    expect(tally(await atOnce(20, send))).toEqual({ sent: 20 });
    await instances.clock.advanceBy(hourMs);
    const alerts: { thresholdPercent: number }[] = (await instances.call(1, "GET", "/api/v1/alerts")).json();
    const thresholds = alerts.map(({ thresholdPercent }) => thresholdPercent);
    expect(thresholds.sort((one, other) => one - other)).toEqual([50, 80, 90, 100]);
  });

  it("an alert is raised once per threshold if several messages together reach it", async () => {
    await startAll();
    await merchant({ smsLimit: 10_000 });
    // from here on carriers are known to be healthy, and outcomes are recorded in groups
    await atOnce(60, send);
    await instances.clock.advanceBy(hourMs);
    await merchant({ smsLimit: 300 });
    for (let round = 0; round < 4; round += 1) {
      expect(tally(await atOnce(60, send))).toEqual({ sent: 60 });
      await instances.clock.advanceBy(hourMs);
    }
    const alerts: { thresholdPercent: number; message: string }[] = (
      await instances.call(1, "GET", "/api/v1/alerts")
    ).json();
    const raised = alerts.map(({ thresholdPercent, message }) => ({ thresholdPercent, message }));
    expect(raised.sort((one, other) => one.thresholdPercent - other.thresholdPercent)).toEqual(
      [50, 80, 90, 100].map((percent) => ({
        thresholdPercent: percent,
        message: `SMS usage has reached ${percent} % of the monthly limit: ${3 * percent} of 300.`,
      })),
    );
  });

  it("an alert is not missed if a limit is lowered while units are used", async () => {
    await startAll();
    for (let round = 0; round < 20; round += 1) {
      const merchantId = `m-${round}`;
      await merchant({ merchantId, smsLimit: 100 });
      await sendWith(0, { merchantId });
      await Promise.all([instances.clock.advanceBy(1_000), merchant({ merchantId, smsLimit: 1 }, 1)]);
      await instances.clock.advanceBy(60_000);
      const alerts = (await instances.call(1, "GET", `/api/v1/alerts?merchantId=${merchantId}`)).json();
      expect(alerts, merchantId).toHaveLength(4);
    }
  });

  it("units bought at the same time are all added", async () => {
    await startAll();
    await merchant({ smsCredits: 5 });
    const body = { merchantId: "m1", channel: "SMS", units: 10 };
    const bought = await atOnce(12, async (instance) => {
      const reply = await instances.call(instance, "POST", "/api/v1/billing/upgrade", { body });
      if (instance === 1) await send(1);
      return reply.json().paymentStatus;
    });
    expect(tally(bought)).toEqual({ PENDING: 12 });
    await instances.clock.advanceBy(24 * hourMs);
    const { credits } = await readMerchant();
    expect(credits.smsCredits).toBe(5 + 12 * 10 - 4);
  });

  it("a reply that opts out is confirmed once", async () => {
    await merchant({ smsLimit: 10 });
    const body = { merchantId: "m1", to, message: "Hello", type: "OTP" };
    const { messageId } = (await instances.call(0, "POST", "/api/v1/messages/sms", { body })).json();
    const replies = await atOnce(9, async (instance) => {
      const reply = { tenantId: "1", messageId, replyBody: "STOP" };
      return (await instances.call(instance, "POST", "/api/v1/simulator/reply", { body: reply })).json().message;
    });
    expect(replies.filter((message) => message.includes("a confirmation is sent"))).toHaveLength(1);
  });
});
