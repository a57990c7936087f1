// A process that dies at any of its writes, and another that takes over: nothing is spoken or dialled twice, and every
// call ends.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/virtual-clock.ts";
import { openLedgerDatabase } from "../../engines.ts";
import { createIds } from "../../platform/ids.ts";
import { createRecipientDigest } from "../../rules/erased-recipients.ts";
import { defaultPrices } from "../../rules/prices.ts";
import { acceptCalls, planCalls } from "../../steps/call-acceptance.ts";
import { findBatch } from "../../store/call-batches.ts";
import { batchCallsQuery } from "../../store/calls.ts";
import { upsertMerchant, upsertQuota } from "../../store/merchants.ts";
import { readRows, type Store } from "../../store/store.ts";
import { insertTenant } from "../../store/tenants.ts";
import { onlyEngine, testSettings, testTerms } from "../../testing/calls.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { carryForAll } from "../carriers/carriers.ts";
import { createJobRunner } from "../jobs/runner.ts";
import { createDispatcher } from "../messages/dispatcher.ts";
import { openSimulatedProvider, type SimulatedProvider } from "../providers/simulated.ts";
import { callJobs } from "./steps.ts";
import { createSynthesizer } from "./synthesizer.ts";

const startMs = Date.UTC(2026, 0, 15, 18);
const numbers = ["+12025550100", "+12125550130", "+12025550137", "+13125550103", "+14155550133"];
const newId = createIds();

let clock: VirtualClock;
let store: Store;
let provider: SimulatedProvider;
let batchId: number;

beforeEach(async () => {
  clock = createVirtualClock(startMs);
  store = await openTestStore({ now: clock.now });
  provider = await openSimulatedProvider({ clock, database: await openLedgerDatabase({ file: ":memory:" }) });
  batchId = await store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: "Test", timezone: "UTC", now: startMs });
    await upsertMerchant(tx, { tenantId, merchantId: "shop", displayName: "Shop", active: true, now: startMs });
    await upsertQuota(tx, { tenantId, merchantId: "shop", channel: "VOICE", limit: 3, credits: 7 });
    const caller = { apiKey: "k", tenantId, timezone: "UTC", merchantId: null };
    const context = { tx, caller, now: startMs, settings: testSettings({ newId }) };
    const request = { terms: testTerms(), numbers };
    return (await acceptCalls(context, await planCalls(context, request))).batchId;
  });
});

afterEach(() => store.close());

/** All that moves calls on, over one store: from its death on nothing that it asked for is done or comes back. */
function startProcess(writesToLive: number): { stop: () => Promise<void>; hasDied: () => boolean } {
  let writes = 0;
  let underWay = 0;
  let isAlive = true;
  let die = (_reason: Error) => {};
  const death = new Promise<never>((_resolve, reject) => {
    die = reject;
  });
  death.catch(() => undefined);
  const silence = () => new Promise<never>(() => undefined);
  const mortal: Store = {
    ...store,
    read: (work) => (isAlive ? store.read(work) : silence()),
    async write(work) {
      if (!isAlive) return silence();
      writes += 1;
      const isLast = writes > writesToLive;
      if (isLast) {
        isAlive = false;
        die(new Error("the process has died"));
      }
      // every other death comes between the commit and its answer
      if (isLast && writesToLive % 2 === 0) return silence();
      underWay += 1;
      const result = await store.write(work).finally(() => {
        underWay -= 1;
      });
      return isLast || !isAlive ? silence() : result;
    },
  };
  const logger = { warn: () => undefined, error: () => undefined };
  const options = { store: mortal, clock, logger };
  const dispatcher = createDispatcher({
    ...options,
    carriers: carryForAll({ VOICE: providerOf(death) }),
    consentPolicy: "strict",
    digestRecipient: createRecipientDigest("pepper"),
    isAlone: true,
  });
  const jobs = createJobRunner({
    ...options,
    handlers: callJobs({
      carriers: carryForAll({ VOICE: provider }),
      engines: onlyEngine(provider.speech),
      consentPolicy: "strict",
      digestRecipient: createRecipientDigest("pepper"),
      prices: defaultPrices,
    }),
    notifyDispatcher: () => dispatcher.notify(),
    notifySynthesizer: () => synthesizer.notify(),
    notifyCallbacks: () => undefined,
  });
  const synthesizer = createSynthesizer({
    ...options,
    engines: onlyEngine(provider.speech),
    notifyJobs: () => jobs.notify(),
    isAlone: true,
  });
  // what it asked for before its death is done all the same
  clock.watch(() => underWay > 0);
  clock.watch(() => isAlive && (dispatcher.isBusy() || jobs.isBusy() || synthesizer.isBusy()));
  void dispatcher.start();
  void synthesizer.start();
  jobs.start();
  return {
    hasDied: () => !isAlive,
    async stop() {
      await jobs.stop();
      await synthesizer.stop();
      await dispatcher.stop();
    },
  };
}

/** The provider lives on, and hears from nobody who is dead that an event was recorded. */
function providerOf(death: Promise<never>): SimulatedProvider {
  return { ...provider, start: (sink) => provider.start((event) => Promise.race([sink(event), death])) };
}

describe("a process that dies", () => {
  it("at any of its writes leaves nothing undone and nothing done twice", async () => {
    const first = startProcess(Number.POSITIVE_INFINITY);
    await clock.advanceBy(600_000);
    await first.stop();
    await expectAllWell();
  });

  it.each(Array.from({ length: 36 }, (_, writes) => writes))("after %i writes is taken over from", async (writes) => {
    const dying = startProcess(writes);
    await clock.advanceBy(600_000);
    expect(dying.hasDied()).toBe(true);
    const next = startProcess(Number.POSITIVE_INFINITY);
    await clock.advanceBy(600_000);
    await next.stop();
    await expectAllWell();
  });
});

async function expectAllWell(): Promise<void> {
  const calls = await store.read((tx) => readRows(tx, batchCallsQuery({ batchId, totalCalls: 1 }, undefined)));
  expect(calls.map(({ finalStatus }) => finalStatus)).toEqual(["SUCCESS", "FAILED", "FAILED", "SUCCESS", "PARTIAL"]);
  expect(calls.map(({ cacheStatus }) => cacheStatus)).toEqual(["MISS", "HIT", "PENDING", "HIT", "HIT"]);
  for (const { messageId } of calls) {
    if (messageId !== null) expect(await provider.countSubmissions(messageId)).toMatchObject({ sends: 1 });
  }
  const speeches = await store.read((tx) =>
    tx.all<{ cacheKey: string; status: string }>(
      `SELECT cache_key AS "cacheKey", status FROM speech_assets ORDER BY asset_id`,
    ),
  );
  const made = await Promise.all(
    speeches.map(async ({ cacheKey, status }) => [status, await provider.speech.countSyntheses(cacheKey)]),
  );
  expect(made).toEqual([
    ["READY", 1],
    ["FAILED", 0],
  ]);
  const batch = await store.read((tx) => findBatch(tx, batchId));
  expect(batch).toMatchObject({ success: 2, partial: 1, failed: 2, pending: 0, scheduled: 0, finalized: 5, begun: 5 });
  expect(batch?.finalizedMicros).toBe((batch?.speechMicros ?? 0) + (batch?.callMicros ?? 0));
  expect(batch?.callMicros).toBe(3 * 16_800);
  const [usage] = await store.read((tx) =>
    tx.all(
      "SELECT used, reserved, credit_units, (SELECT credits FROM quotas WHERE channel = 'VOICE') AS credits FROM usage",
    ),
  );
  expect(usage).toEqual({ used: 3, reserved: 0, credit_units: 0, credits: 7 });
  const left = await store.read((tx) => tx.all("SELECT message_id FROM dispatches UNION ALL SELECT kind FROM jobs"));
  expect(left).toEqual([]);
}
