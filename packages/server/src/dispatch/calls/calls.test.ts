// Calls to every number in the simulated provider's voice table, from acceptance to the final state.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultPrices } from "../../domain/billing/rules.ts";
import { saveAttempt } from "../../domain/messages/progress-rows.ts";
import { findMessageDetails } from "../../domain/messages/rows.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { addMessage } from "../../testing/messages.ts";
import { recordEvent } from "../messages/events.ts";

const HOUR_MS = 3_600_000;
const startMs = Date.UTC(2026, 0, 15, 18);
const text = "Your visit is tomorrow at nine.";

let service: InMemoryService;
beforeEach(async () => {
  service = await openInMemoryService({ consentPolicy: "opt_out_only", now: startMs });
  await service.call("POST", "/api/v1/merchants", {
    body: { merchantId: "shop", displayName: "Shop", voiceMinutesLimit: 100, voiceMinutesCredits: 10 },
  });
  await service.start();
});
afterEach(() => service.close());

async function post(url: string, body: object): Promise<Record<string, string>> {
  const reply = await service.call("POST", url, { body: { merchantId: "shop", ...body } });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}

const get = async (url: string) => (await service.call("GET", `/api/v1/${url}`)).json();
const quota = async () => {
  const { usage, credits } = await get("merchants/shop");
  const [row] = await service.store.read((tx) =>
    tx.all<{ reserved: number }>("SELECT reserved FROM usage WHERE channel = 'VOICE'"),
  );
  return { used: usage.voiceUsed, reserved: row?.reserved ?? 0, credits: credits.voiceMinutesCredits };
};

interface Expected {
  status?: string;
  call?: string;
  playback?: string;
  final?: string;
  reason?: string | null;
  seconds?: number;
  minutes?: number;
  attempts?: number;
  cache?: string;
  /** Time of the call's end, in seconds after acceptance. @default within three seconds */
  afterSeconds?: number;
  message?: string;
}

const success: Expected = {};
const failed = (reason: string, call = "FAILED"): Expected => ({
  status: "FAILED",
  call,
  playback: "NOT_STARTED",
  final: "FAILED",
  reason,
  seconds: 0,
  minutes: 0,
  message: "UNDELIVERED",
});
const partial = { final: "PARTIAL", message: "DELIVERED" };
const lost = { ...failed("CARRIER_UNKNOWN"), afterSeconds: 72 * 3_600 };

const table: Record<string, Expected> = {
  "+12025550100": success,
  "+12025550101": { afterSeconds: 25 },
  "+12025550102": { ...lost, message: "UNKNOWN" },
  "+12025550103": success,
  "+12025550104": { attempts: 2 },
  "+12025550105": { ...lost, message: "UNKNOWN" },
  "+13125550110": failed("UNREACHABLE"),
  "+13125550111": failed("BLOCKED"),
  "+13125550112": failed("UNKNOWN_HANDSET"),
  "+13125550113": success,
  "+13125550114": failed("CARRIER_FILTERED"),
  "+13125550115": failed("CARRIER_UNKNOWN"),
  "+13125550116": failed("UNREGISTERED_SENDER"),
  "+13125550117": success,
  "+13125550118": failed("NO_ANSWER", "NO_ANSWER"),
  "+14155550120": { ...failed("CARRIER_UNKNOWN"), message: "FAILED" },
  "+14155550121": { attempts: 2 },
  "+14155550130": failed("BUSY", "BUSY"),
  "+14155550131": failed("NO_ANSWER", "NO_ANSWER"),
  "+14155550132": { ...partial, reason: "VOICEMAIL" },
  "+14155550133": { ...partial, reason: "HANGUP", playback: "PARTIAL", seconds: 8 },
  "+14155550134": failed("INVALID_NUMBER"),
  "+14155550135": failed("BLOCKED"),
  "+14155550136": { ...failed("FAX", "COMPLETED"), seconds: 5, minutes: 1 },
  "+14155550137": { ...failed("TTS_FAILED", "CANCELED"), cache: "PENDING", attempts: 0, message: "FAILED" },
  "+14155550138": { ...failed("TTS_FAILED", "COMPLETED"), playback: "FAILED", seconds: 5, minutes: 1 },
  "+14155550139": { seconds: 125, minutes: 3 },
  "+14155550150": success,
  "+14155550160": success,
  "+14155550161": success,
  "+447700900123": success,
};

describe("a call by the simulated provider", () => {
  it.each(Object.entries(table))("to %s ends %o", async (toNumber, expected) => {
    const { afterSeconds = 3, minutes = 1, cache = "MISS" } = expected;
    const { requestId, batchId } = await post("/api/v1/voice/tts-calls", {
      messageText: text,
      useCase: "reminder",
      toNumber,
    });
    if (afterSeconds > 3) {
      await service.clock.advanceTo(startMs + afterSeconds * 1_000);
      expect(await get(`voice/tts-calls/${requestId}`)).toMatchObject({
        billingState: "PROVISIONAL",
        finalStatus: "PENDING",
        completedAt: null,
        actualCallCost: null,
      });
    }
    await service.clock.advanceTo(startMs + (afterSeconds + 2) * 1_000);
    const speechCost = cache === "MISS" ? Math.round(text.length * 16 * 1.2) / 1e6 : 0;
    const callCost = (minutes * 16_800) / 1e6;
    const call = await get(`voice/tts-calls/${requestId}`);
    expect(call).toMatchObject({
      status: expected.status ?? "COMPLETED",
      callStatus: expected.call ?? "COMPLETED",
      playbackStatus: expected.playback ?? "COMPLETED",
      finalStatus: expected.final ?? "SUCCESS",
      deliveryReason: expected.reason ?? null,
      callDurationSeconds: expected.seconds ?? 20,
      attemptCount: expected.attempts ?? 1,
      ttsCacheStatus: cache,
      billingState: "FINALIZED",
      actualTtsCost: speechCost,
      actualCallCost: callCost,
    });
    expect(call.error === null).toBe((expected.status ?? "COMPLETED") === "COMPLETED");
    expect(call.usage.map((line: { usageType: string; quantity: number }) => [line.usageType, line.quantity])).toEqual(
      cache === "MISS"
        ? [
            ["TTS", text.length],
            ["CALL", minutes],
          ]
        : [],
    );
    expect(await quota()).toEqual({ used: minutes, reserved: 0, credits: 10 });
    expect(await get(`voice/tts-calls/batches/${batchId}/summary`)).toMatchObject({
      status: (expected.final ?? "SUCCESS") === "FAILED" ? "FAILED" : "COMPLETED",
      pending: 0,
      finalizedCount: 1,
      provisionalCost: 0,
      finalizedCost: Math.round((speechCost + callCost) * 1e6) / 1e6,
      completedAt: call.completedAt,
    });
    await service.clock.advanceBy(100 * HOUR_MS);
    expect(await get(`voice/tts-calls/${requestId}`)).toEqual(call);
  });

  it.each(Object.entries(table))("to %s ends its message: %o", async (to, expected) => {
    const { afterSeconds = 3, minutes = 1 } = expected;
    const headers = { "idempotency-key": "once" };
    const send = () => service.call("POST", "/api/v1/messages/voice", { body, headers });
    const body = { merchantId: "shop", to, text, type: "OTP" };
    expect((await send()).json()).toMatchObject({ channel: "VOICE", status: "QUEUED" });
    expect(await quota()).toEqual({ used: 0, reserved: 1, credits: 10 });
    await service.clock.advanceBy((afterSeconds + 2) * 1_000);
    expect((await send()).json().status).toBe(expected.message ?? "DELIVERED");
    expect(await quota()).toEqual({ used: minutes, reserved: 0, credits: 10 });
  });

  it.each([
    [["ANSWERED", "PLAYED"], "COMPLETED", "SUCCESS", null],
    [["ANSWERED", "PLAYED", "PLAYING"], "COMPLETED", "SUCCESS", null],
    [["ANSWERED", "PLAYING"], "PARTIAL", "PARTIAL", "HANGUP"],
    [["ANSWERED"], "PARTIAL", "PARTIAL", "HANGUP"],
  ] as const)("reported as %j, and then as hung up, has the playback %s", async (...told) => {
    const [stages, playbackStatus, finalStatus, deliveryReason] = told;
    const body = { merchantId: "shop", to: "+12025550102", text, type: "OTP" };
    const { messageId } = (await service.call("POST", "/api/v1/messages/voice", { body })).json();
    await service.clock.advanceBy(1_000);
    const now = service.clock.now();
    const context = { now, prices: defaultPrices, provider: "simulated", digestRecipient: () => "", isOwn: () => true };
    const end = { stage: "ENDED", outcome: "HANGUP", durationSeconds: 20 } as const;
    for (const report of [...stages.map((stage) => ({ stage })), end]) {
      const named = { clientReference: messageId, providerMessageId: "p", eventId: report.stage } as const;
      await service.store.write((tx) => recordEvent({ tx, ...context }, { kind: "call", ...named, report }));
    }
    expect(await get("voice/tts-calls")).toMatchObject([{ playbackStatus, finalStatus, deliveryReason }]);
  });

  it.each([
    [["ANSWERED", "PLAYED"], null],
    [["ANSWERED"], "HANGUP"],
  ] as const)("reported as %j, and then as hung up, ends a test call with the reason %s", async (stages, reason) => {
    const now = service.clock.now();
    const [messageId, provider] = ["msg_test", "twilio-a"];
    await service.store.write(async (tx) => {
      await addMessage(tx, {
        ...{ messageId, tenantId: 1, merchantId: "shop", channel: "VOICE", type: "OTP", purpose: "SEND" },
        ...{
          subject: null,
          recipient: "+12025550102",
          content: text,
          units: 0,
          creditUnits: 0,
          period: "2026-01-01",
          now,
        },
      });
      await saveAttempt(tx, { messageId, status: "SENDING", provider, now });
    });
    const context = { now, prices: defaultPrices, provider, digestRecipient: () => "", isOwn: () => true };
    const end = { stage: "ENDED", outcome: "HANGUP", durationSeconds: 20 } as const;
    for (const report of [...stages.map((stage) => ({ stage })), end]) {
      const named = { clientReference: messageId, providerMessageId: "p", eventId: report.stage } as const;
      await service.store.write((tx) => recordEvent({ tx, ...context }, { kind: "call", ...named, report }));
    }
    const message = await service.store.read((tx) => findMessageDetails(tx, 1, messageId));
    expect(message).toMatchObject({ status: "DELIVERED", reason, charge: "RELEASED" });
  });

  it.each([
    ["HEARD", "DELIVERED", null],
    ["BUSY", "UNDELIVERED", "BUSY"],
  ] as const)("reported as %s after 72 hours ends its message as %s, without a charge", async (...told) => {
    const [outcome, status, deliveryReason] = told;
    const headers = { "idempotency-key": "late" };
    const body = { merchantId: "shop", to: "+12025550102", text, type: "OTP" };
    const send = async () => (await service.call("POST", "/api/v1/messages/voice", { body, headers })).json();
    const { messageId } = await send();
    await service.clock.advanceBy(73 * HOUR_MS);
    expect((await send()).status).toBe("UNKNOWN");
    const [call] = await get("voice/tts-calls");
    const now = service.clock.now();
    const context = { now, prices: defaultPrices, provider: "simulated", digestRecipient: () => "", isOwn: () => true };
    const report = { stage: "ENDED", outcome, durationSeconds: 20 } as const;
    const ended = {
      kind: "call",
      eventId: "late",
      clientReference: messageId,
      providerMessageId: "p",
      report,
    } as const;
    // another tenant's switch may report any call id
    const others = { ...context, provider: "freeswitch-b", isOwn: (name: string) => name === "freeswitch-b" };
    expect(await service.store.write((tx) => recordEvent({ tx, ...others }, ended))).toBe("unheard-of");
    for (let times = 0; times < 2; times += 1) {
      await service.store.write((tx) => recordEvent({ tx, ...context }, ended));
      expect((await send()).status).toBe(status);
    }
    const rows = await service.store.read((tx) => tx.all("SELECT delivery_reason AS reason FROM messages"));
    expect(rows).toEqual([{ reason: deliveryReason }]);
    expect(await get("voice/tts-calls")).toEqual([call]);
    expect(await quota()).toEqual({ used: 0, reserved: 0, credits: 10 });
  });

  it("ends even if more texts wait for speech than the engine handles at once", async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `Text ${index}`);
    const bodies = texts.map((messageText) => ({
      merchantId: "shop",
      toNumber: "+12025550100",
      useCase: "OTP",
      messageText,
    }));
    await Promise.all(bodies.map((body) => service.call("POST", "/api/v1/voice/tts-calls", { body })));
    await service.clock.advanceBy(60_000);
    const calls: { status: string }[] = await get("voice/tts-calls?limit=50");
    expect(calls.map(({ status }) => status)).toEqual(texts.map(() => "COMPLETED"));
  });
});
