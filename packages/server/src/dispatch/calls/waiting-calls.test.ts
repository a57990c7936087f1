// Calls of a tenant without a carrier, or whose carrier plays no speech: they wait, and no speech is made or charged.

import { afterEach, beforeEach, expect, it } from "vitest";
import { openSimulatedProvider } from "../../carriers/simulated/simulated.ts";
import { carrierSpeech, withCarrierSpeech } from "../../carriers/speech/carrier-speech.ts";
import type { SpeechEngine } from "../../carriers/speech/engine.ts";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { defaultPrices } from "../../domain/billing/rules.ts";
import { acceptCalls, planCalls } from "../../domain/calls/accept.ts";
import { findBatch } from "../../domain/calls/batch-rows.ts";
import { findCallLeg, findFirstCall } from "../../domain/calls/rows.ts";
import { createRecipientDigest } from "../../domain/contacts.ts";
import { upsertMerchant, upsertQuota } from "../../domain/merchants/rows.ts";
import { countUncarried } from "../../domain/reports/tenant-carriers.ts";
import { insertTenant } from "../../domain/tenancy/rows.ts";
import { openLedgerDatabase } from "../../engines.ts";
import type { Store } from "../../store/store.ts";
import { testSettings, testTerms } from "../../testing/calls.ts";
import { expectInvariants, runDueJobs } from "../../testing/due-jobs.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { restore } from "../messages/restoration.ts";
import { callJobs, wakeWaitingCalls } from "./call-jobs.ts";
import { createSynthesizer, enginesOf } from "./synthesizer.ts";

const noon = Date.UTC(2026, 0, 16, 18);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let clock: VirtualClock;
let store: Store;
let engine: SpeechEngine;
/** The current carrier of the tenant's calls. */
let carrier: ScriptedProvider | undefined;
let discardedAt: number;
/** Channels reported as without a carrier. */
let missing: string[];

const carriers = {
  of: () => carrier,
  discards: ({ createdAt }: { createdAt: number }) => createdAt <= discardedAt,
  noteMissing: (tenantId: number, channel: string) => void missing.push(`${tenantId} ${channel}`),
};

beforeEach(async () => {
  clock = createVirtualClock(noon);
  store = await openTestStore({ now: clock.now });
  engine = (await openSimulatedProvider({ clock, database: await openLedgerDatabase({ file: ":memory:" }) })).speech;
  [carrier, discardedAt, missing] = [undefined, -1, []];
  await store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: "Test", timezone: "UTC", now: noon });
    const key = { tenantId, merchantId: "shop" };
    await upsertMerchant(tx, { ...key, displayName: "Shop", active: true, now: noon });
    await upsertQuota(tx, { ...key, channel: "VOICE", limit: 1_000, credits: 0 });
  });
});
afterEach(() => store.close());

async function accept(
  count: number,
  messageType: "OTP" | "TRANSACTIONAL" | "MARKETING" = "TRANSACTIONAL",
): Promise<number> {
  const terms = testTerms({ useCase: messageType, messageType });
  const caller = { apiKey: "k", tenantId: 1, timezone: "UTC", merchantId: null };
  const numbers = Array.from({ length: count }, (_, index) => `+1212${2_000_000 + index}`);
  const settings = testSettings({ consentPolicy: "opt_out_only" });
  const batchId = await store.write(async (tx) => {
    const context = { tx, caller, now: clock.now(), settings };
    return (await acceptCalls(context, await planCalls(context, { terms, numbers }))).batchId;
  });
  await runJobs();
  return batchId;
}

async function runJobs(): Promise<void> {
  const parts = {
    consentPolicy: "opt_out_only",
    digestRecipient: createRecipientDigest("p"),
    prices: defaultPrices,
  } as const;
  const engines = enginesOf(carriers, [engine]);
  await runDueJobs({ store, clock, handlers: callJobs({ carriers, engines, ...parts }) });
}

/** Lets a carrier that speaks text itself make the requested speech. */
async function makeSpeech(): Promise<void> {
  const logger = { warn: () => undefined, error: (details: object) => expect(details).toBeUndefined() };
  const engines = enginesOf(carriers, [carrierSpeech]);
  const synthesizer = createSynthesizer({ store, clock, logger, engines, notifyJobs: () => undefined });
  clock.watch(() => synthesizer.isBusy());
  await synthesizer.start();
  await clock.settle();
  await synthesizer.stop();
  await runJobs();
}

/** Runs the carriers' sweep. `isChanged` means that carriers were set or removed. */
async function sweep(isChanged: boolean): Promise<boolean> {
  const isWoken = await wakeWaitingCalls(store, {
    engines: enginesOf(carriers, [engine]),
    isChanged,
    now: clock.now(),
  });
  await runJobs();
  return isWoken;
}

const first = (batchId: number) => store.read((tx) => findFirstCall(tx, batchId));
const batch = (batchId: number) => store.read((tx) => findBatch(tx, batchId));
const speeches = () => store.read((tx) => tx.all("SELECT asset_id FROM speech_assets"));
const uncarried = () => store.read((tx) => countUncarried(tx, 1, "VOICE"));

it("calls wait without a carrier, with one job per batch, and are counted", async () => {
  const batchId = await accept(40);
  expect(await first(batchId)).toMatchObject({ status: "QUEUED", callStatus: "QUEUED", billingState: "PROVISIONAL" });
  expect(await speeches()).toEqual([]);
  expect(await store.read((tx) => tx.all('SELECT kind, due_at AS "dueAt" FROM jobs'))).toEqual([
    { kind: "calls.wait", dueAt: noon + 72 * hourMs },
  ]);
  expect(await uncarried()).toEqual({ waiting: 40, oldestAt: noon });
  expect(new Set(missing)).toEqual(new Set(["1 VOICE"]));
});

it("calls wait if the carrier plays no speech, without a report of a missing carrier", async () => {
  carrier = new ScriptedProvider("freeswitch-a");
  const batchId = await accept(1);
  expect((await first(batchId))?.status).toBe("QUEUED");
  expect(missing).toEqual([]);
});

it("calls begin when a carrier can play speech, whichever process notices it", async () => {
  const batchId = await accept(40);
  expect(await sweep(false)).toBe(false);
  carrier = Object.assign(new ScriptedProvider("freeswitch-a"), { speech: engine });
  expect(await sweep(false)).toBe(true);
  expect(await first(batchId)).toMatchObject({ status: "SYNTHESIZING" });
  expect(await batch(batchId)).toMatchObject({ begun: 40 });
  expect(await uncarried()).toEqual({ waiting: 0, oldestAt: null });
  expect(await sweep(false)).toBe(false);
});

it.each([
  ["MARKETING", "Shop here. Press 9 for no more calls. Your code is 1234."],
  ["TRANSACTIONAL", "Your code is 1234."],
] as const)("%s calls of a carrier with an intro say, and are charged for: %s", async (messageType, spoken) => {
  const marketing = { intro: "{merchant} here. Press 9 for no more calls.", optOutKey: "9" };
  carrier = Object.assign(new ScriptedProvider("freeswitch-a"), { speech: carrierSpeech, marketing });
  const batchId = await accept(1, messageType);
  const asked = await store.read((tx) => tx.all("SELECT message_text AS text FROM speech_assets"));
  expect(asked).toEqual([{ text: spoken }]);
  await makeSpeech();
  expect(await first(batchId)).toMatchObject({ status: "DIALING", speechCharacters: spoken.length });
  expect(await store.read((tx) => tx.all("SELECT content FROM messages"))).toEqual([{ content: spoken }]);
});

it("calls begin without a speech engine if the carrier speaks text itself", async () => {
  carrier = new ScriptedProvider("http-a");
  expect(withCarrierSpeech(carrier).speech).toBe(carrierSpeech);
  const batchId = await accept(1);
  expect((await first(batchId))?.status).toBe("SYNTHESIZING");
  await makeSpeech();
  const call = await first(batchId);
  expect(call).toMatchObject({ status: "DIALING", speechProvider: "carrier", speechModel: "text" });
  expect(await store.read((tx) => findCallLeg(tx, call?.messageId ?? ""))).toMatchObject({ voice: "default" });
});

it("a carrier that speaks text keeps a speech engine of its own", () => {
  const own = Object.assign(new ScriptedProvider("freeswitch-a"), { speech: engine });
  expect(withCarrierSpeech(own).speech).toBe(engine);
});

it.each([
  ["OTP", 10 * minuteMs],
  ["TRANSACTIONAL", 72 * hourMs],
] as const)("calls of type %s end uncharged when their time limit has passed", async (type, lastsMs) => {
  const batchId = await accept(20, type);
  await clock.advanceTo(noon + lastsMs - 1);
  await runJobs();
  expect((await first(batchId))?.status).toBe("QUEUED");
  await clock.advanceTo(noon + lastsMs);
  await runJobs();
  expect(await first(batchId)).toMatchObject({ status: "FAILED", deliveryReason: "TTL_EXPIRED", callMinutes: 0 });
  expect(await batch(batchId)).toMatchObject({ failed: 20, pending: 0, callMicros: 0, speechMicros: 0 });
  await expectInvariants(store);
});

it("calls are not discarded if they may have been dialled before a restore", async () => {
  const batchId = await accept(3);
  await store.write((tx) => restore(tx, clock.now()));
  discardedAt = noon;
  await sweep(true);
  expect(await batch(batchId)).toMatchObject({ failed: 0, pending: 3 });
});

it("discarded calls end uncharged, while later calls wait", async () => {
  const before = await accept(3);
  discardedAt = noon;
  await clock.advanceTo(noon + 1);
  const after = await accept(3);
  expect(await sweep(true)).toBe(true);
  expect(await batch(before)).toMatchObject({ failed: 3, callMicros: 0 });
  expect(await batch(after)).toMatchObject({ failed: 0, pending: 3 });
});
