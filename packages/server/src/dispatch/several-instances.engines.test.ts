// Two instances on one database: together they do all work exactly once.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryBy, carryForAll } from "../carriers/carriers.ts";
import { openSimulatedProvider, type SimulatedProvider } from "../carriers/simulated/simulated.ts";
import { createVirtualClock, type VirtualClock } from "../development/clocks.ts";
import { defaultPrices } from "../domain/billing/rules.ts";
import { enqueueCallback } from "../domain/callbacks/rows.ts";
import { readCallbackSecrets } from "../domain/callbacks/secrets.ts";
import { acceptCalls, planCalls } from "../domain/calls/accept.ts";
import { findBatch } from "../domain/calls/batch-rows.ts";
import { createRecipientDigest } from "../domain/contacts.ts";
import { upsertMerchant, upsertQuota } from "../domain/merchants/rows.ts";
import { insertTenant } from "../domain/tenancy/rows.ts";
import { openLedgerDatabase } from "../engines.ts";
import type { Clock } from "../platform/clock.ts";
import { systemRandomness } from "../platform/randomness.ts";
import { createSecretBox, SECRET_KEY_BYTES } from "../platform/secret-box.ts";
import { scheduleJob } from "../store/jobs.ts";
import type { Store } from "../store/store.ts";
import { onlyEngine, testSettings, testTerms } from "../testing/calls.ts";
import { expectInvariants } from "../testing/due-jobs.ts";
import { withElapsing } from "../testing/elapsing-clock.ts";
import { type TestDatabase, takeDatabase } from "../testing/engine.ts";
import { addMessage } from "../testing/messages.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { openStoreAt } from "../testing/test-store.ts";
import { type CallbackDispatcher, createCallbackDispatcher } from "./callbacks/dispatcher.ts";
import type { Poster, PostResult } from "./callbacks/post.ts";
import { callJobs } from "./calls/call-jobs.ts";
import { createSynthesizer } from "./calls/synthesizer.ts";
import { createJobRunner, type JobHandler, type JobRunner } from "./jobs/runner.ts";
import { createDispatcher } from "./messages/dispatcher.ts";

const startMs = Date.UTC(2026, 0, 15, 18);
const minuteMs = 60_000;
const box = createSecretBox(() => [Buffer.alloc(SECRET_KEY_BYTES, "for tests only")]);
const taken: PostResult = { status: 200, outcome: "200" };

let database: TestDatabase;
let clock: VirtualClock;
let stores: [Store, Store];
let logged: string[];
let toStop: (() => Promise<void>)[];
/** Number of deadlocks before this suite, which shares the database with others. */
let deadlocks: number;

const log = (details: object, text: string) => logged.push(`${text} ${JSON.stringify(details)}`);
const logger = { warn: log, error: log };

beforeEach(async () => {
  database = await takeDatabase();
  clock = createVirtualClock(startMs);
  [logged, toStop] = [[], []];
  const open = () => openStoreAt(database.location, { now: clock.now });
  stores = [await open(), await open()];
  deadlocks = await countDeadlocks();
});
afterEach(async () => {
  for (const stop of toStop.toReversed()) await stop();
  for (const store of stores) await store.close();
  await database.release();
});

async function addTenants(count: number): Promise<number[]> {
  return stores[0].write(async (tx) => {
    const tenantIds: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const { tenantId } = await insertTenant(tx, { name: `T${index}`, timezone: "UTC", now: startMs });
      const key = { tenantId, merchantId: "shop" };
      await upsertMerchant(tx, { ...key, displayName: "Shop", active: true, now: startMs });
      await upsertQuota(tx, { ...key, channel: "VOICE", limit: 1_000, credits: 0 });
      tenantIds.push(tenantId);
    }
    return tenantIds;
  });
}

/** Returns how many deadlocks the database has detected. */
async function countDeadlocks(): Promise<number> {
  const sql = "SELECT deadlocks AS count FROM pg_stat_database WHERE datname = current_database()";
  return (await stores[0].read((tx) => tx.get<{ count: number }>(sql)))?.count ?? -1;
}

function count(store: Store, sql: string): Promise<number | undefined> {
  return store.read(async (tx) => (await tx.get<{ count: number }>(sql))?.count);
}

interface Posted {
  readonly by: number;
  readonly requestId: number;
  readonly change: number;
}

describe("callbacks", () => {
  let posted: Posted[];
  beforeEach(() => {
    posted = [];
  });

  function open(by: number, poster: Poster): CallbackDispatcher {
    const store = stores[by] as Store;
    const dispatcher = createCallbackDispatcher({
      ...{
        store,
        clock: withElapsing(clock),
        logger,
        poster,
        randomness: { ...systemRandomness, fraction: () => 0 },
        drainMs: 0,
        pollIntervalMs: 1_000,
      },
      readSecrets: (tx, owner) => readCallbackSecrets(tx, box, owner),
    });
    clock.watch(() => dispatcher.isBusy());
    toStop.push(() => dispatcher.stop());
    return dispatcher;
  }

  /** Creates a poster that records each callback and answers with `answer`. */
  function posting(by: number, answer: () => Promise<PostResult>): Poster {
    return {
      post({ body }) {
        posted.push({ by, ...JSON.parse(body).data });
        return answer();
      },
      close() {},
    };
  }

  function enqueue(store: Store, tenantId: number, of: { url: string; requestId: number; change: number }) {
    const { url, requestId, change } = of;
    const callback = { tenantId, requestId, url, type: "voice.tts_call.updated", data: { requestId, change } } as const;
    return store.write((tx) => enqueueCallback(tx, { ...callback, now: clock.now() }));
  }

  it("of a call are posted once and in order by any instance, without deadlocks", async () => {
    const tenantIds = await addTenants(3);
    const answer = () => new Promise<PostResult>((resolve) => setImmediate(() => resolve(taken)));
    const dispatchers = [open(0, posting(0, answer)), open(1, posting(1, answer))];
    for (const dispatcher of dispatchers) await dispatcher.start();
    for (let change = 0; change < 4; change += 1) {
      const enqueued: Promise<void>[] = [];
      for (let call = 0; call < 60; call += 1) {
        const of = { url: `https://r${call % 4}.example/`, requestId: call, change };
        enqueued.push(enqueue(stores[(call + change) % 2] as Store, tenantIds[call % 3] as number, of));
      }
      for (const dispatcher of dispatchers) dispatcher.notify();
      await Promise.all(enqueued);
      for (const dispatcher of dispatchers) dispatcher.notify();
    }
    await expect
      .poll(async () => {
        await clock.advanceBy(1_000);
        return count(stores[0], "SELECT COUNT(*) AS count FROM callbacks WHERE status = 'DELIVERED'");
      })
      .toBe(240);
    for (let requestId = 0; requestId < 60; requestId += 1) {
      const ofCall = posted.filter((post) => post.requestId === requestId);
      expect(ofCall.map(({ change }) => change)).toEqual([0, 1, 2, 3]);
    }
    expect(posted).toHaveLength(240);
    expect(await count(stores[0], "SELECT COUNT(*) AS count FROM callback_tenants")).toBe(0);
    expect(logged).toEqual([]);
    await expectInvariants(stores[0]);
    expect(await countDeadlocks()).toBe(deadlocks);
  });
});

describe("jobs", () => {
  function open(by: number, note: JobHandler): JobRunner {
    const ignore = () => {};
    const runner = createJobRunner({
      ...{ store: stores[by] as Store, clock: withElapsing(clock), logger, handlers: { note }, pollIntervalMs: 1_000 },
      ...{ notifyDispatcher: ignore, notifySynthesizer: ignore, notifyCallbacks: ignore },
    });
    toStop.push(() => runner.stop());
    return runner;
  }

  const scheduleMany = (many: number) =>
    stores[0].write(async (tx) => {
      for (let index = 0; index < many; index += 1) {
        await scheduleJob(tx, { tenantId: 1 + (index % 3), kind: "note", subject: `${index}`, dueAt: startMs });
      }
    });

  it("run exactly once", async () => {
    const done: string[] = [];
    await scheduleMany(300);
    const note: JobHandler = async (_context, subject) => void done.push(subject);
    const runners = [open(0, note), open(1, note)];
    for (const runner of runners) {
      clock.watch(() => runner.isBusy());
      runner.start();
    }
    await expect
      .poll(async () => {
        await clock.advanceBy(1_000);
        return count(stores[0], "SELECT COUNT(*) AS count FROM jobs");
      })
      .toBe(0);
    expect(done).toHaveLength(300);
    expect(new Set(done).size).toBe(300);
    expect(logged).toEqual([]);
  });

  it("of a busy instance do not block another instance from the remaining jobs", async () => {
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const [begun, done]: [string[], string[]] = [[], []];
    await scheduleMany(40);
    open(0, async (_context, subject) => {
      begun.push(subject);
      await held;
    }).start();
    await expect.poll(() => begun.length).toBeGreaterThan(0);
    open(1, async (_context, subject) => void done.push(subject)).start();
    await expect
      .poll(async () => {
        await clock.advanceBy(20);
        return begun.length + done.length;
      })
      .toBe(40);
    expect(done.length).toBeGreaterThan(0);
    finish();
    await expect.poll(() => count(stores[0], "SELECT COUNT(*) AS count FROM jobs")).toBe(0);
    expect(new Set([...begun, ...done]).size).toBe(40);
  });
});

function accept(store: Store, tenantId: number, numbers: readonly string[], change = {}): Promise<number> {
  const settings = testSettings({ consentPolicy: "opt_out_only" });
  const terms = testTerms({ callbackUrl: "https://hooks.example/voice", ...change });
  const caller = { apiKey: "k", tenantId, timezone: "UTC", merchantId: null };
  return store.write(async (tx) => {
    const context = { tx, caller, now: clock.now(), settings };
    return (await acceptCalls(context, await planCalls(context, { terms, numbers }))).batchId;
  });
}

describe("calls", () => {
  /** Starts everything that advances calls, except callbacks. */
  async function start(by: number): Promise<SimulatedProvider> {
    const store = stores[by] as Store;
    const provider = await openSimulatedProvider({ clock, database: await openLedgerDatabase(database.location) });
    const policy = {
      consentPolicy: "opt_out_only",
      digestRecipient: createRecipientDigest("pepper"),
      prices: defaultPrices,
    } as const;
    const dispatcher = createDispatcher({
      ...{
        store,
        clock: withElapsing(clock),
        logger,
        carriers: carryForAll({ VOICE: provider }),
        pollIntervalMs: 1_000,
      },
      ...policy,
    });
    const synthesizer = createSynthesizer({
      ...{ store, clock: withElapsing(clock), logger, engines: onlyEngine(provider.speech), pollIntervalMs: 1_000 },
      notifyJobs: () => jobs.notify(),
    });
    const jobs: JobRunner = createJobRunner({
      ...{ store, clock: withElapsing(clock), logger, pollIntervalMs: 1_000 },
      handlers: callJobs({
        carriers: carryForAll({ VOICE: provider }),
        engines: onlyEngine(provider.speech),
        ...policy,
      }),
      notifyDispatcher: () => dispatcher.notify(),
      notifySynthesizer: () => synthesizer.notify(),
      notifyCallbacks() {},
    });
    clock.watch(() => [dispatcher, synthesizer, jobs].some((worker) => worker.isBusy()));
    toStop.push(async () => {
      await Promise.all([dispatcher.stop(), synthesizer.stop(), jobs.stop(), clock.advanceBy(minuteMs)]);
      await provider.close();
    });
    await dispatcher.start();
    await synthesizer.start();
    jobs.start();
    return provider;
  }

  /** Lets time pass until every call has ended and is billed. */
  async function endCalls(): Promise<void> {
    const open = "SELECT COUNT(*) AS count FROM tts_calls WHERE billing_state <> 'FINALIZED'";
    await expect
      .poll(async () => {
        await clock.advanceBy(10_000);
        return count(stores[0], open);
      })
      .toBe(0);
  }

  it("of batches that two instances handle are placed once, and their ends are reported once", async () => {
    const tenantIds = await addTenants(2);
    // 200 calls with the same text, in four batches of two tenants, accepted at both instances
    const accepted = tenantIds.flatMap((tenantId, tenant) =>
      [0, 1].map((by) => {
        const numbers = Array.from(
          { length: 50 },
          (_, index) => `+1212${3_000_000 + tenant * 1_000 + by * 100 + index}`,
        );
        return accept(stores[by] as Store, tenantId, numbers);
      }),
    );
    const batchIds = await Promise.all(accepted);
    const provider = await start(0);
    await start(1);
    await endCalls();
    for (const batchId of batchIds) {
      const batch = await stores[1].read((tx) => findBatch(tx, batchId));
      expect(batch).toMatchObject({ success: 50, failed: 0, pending: 0, scheduled: 0, begun: 50, finalized: 50 });
    }
    const legs = await stores[0].read((tx) => tx.all<{ id: string }>("SELECT message_id AS id FROM tts_calls"));
    for (const { id } of legs) expect(await provider.countSubmissions(id)).toEqual({ attempts: 1, sends: 1 });
    const assets = await stores[0].read((tx) => tx.all<{ key: string }>("SELECT cache_key AS key FROM speech_assets"));
    expect(await Promise.all(assets.map(({ key }) => provider.speech.countSyntheses(key)))).toEqual([1]);
    expect(await count(stores[0], "SELECT CAST(SUM(misses) AS BIGINT) AS count FROM tts_batches")).toBe(1);
    const told = await stores[0].read((tx) =>
      tx.all("SELECT type, COUNT(*) AS count FROM callbacks WHERE type LIKE '%finalized' GROUP BY type ORDER BY type"),
    );
    expect(told).toEqual([
      { type: "voice.tts_batch.finalized", count: 4 },
      { type: "voice.tts_call.finalized", count: 200 },
    ]);
    expect(await count(stores[0], "SELECT CAST(SUM(reserved) AS BIGINT) AS count FROM usage")).toBe(0);
    await expectInvariants(stores[0]);
    expect(await countDeadlocks()).toBe(deadlocks);
  });

  it("cause no deadlock if a carrier sometimes fails to accept them", async () => {
    const [tenantId = 0] = await addTenants(1);
    const accepted = Array.from({ length: 12 }, (_, batch) => {
      const tail = (index: number) => (index % 2 === 0 ? "00" : "20");
      const numbers = Array.from({ length: 20 }, (_, index) => `+1${201 + 20 * batch + index}55501${tail(index)}`);
      return accept(stores[batch % 2] as Store, tenantId, numbers, { messageText: `Your code is ${batch}.` });
    });
    const batchIds = await Promise.all(accepted);
    await start(0);
    await start(1);
    await endCalls();
    for (const batchId of batchIds) {
      const batch = await stores[1].read((tx) => findBatch(tx, batchId));
      expect(batch).toMatchObject({ success: 10, failed: 10, finalized: 20 });
    }
    await expectInvariants(stores[0]);
    expect(await countDeadlocks()).toBe(deadlocks);
  });
});

describe("messages in a carrier's queue", () => {
  const MESSAGES = 300;
  const PER_SECOND = 20;

  function accept(tenantId: number): Promise<void> {
    const key = { tenantId, merchantId: "shop", channel: "SMS", period: "2026-01-01" } as const;
    const text = { subject: null, content: "Hello", purpose: "SEND", type: "MARKETING" } as const;
    return stores[0].write(async (tx) => {
      await upsertQuota(tx, { ...key, limit: 1_000, credits: 0 });
      for (let index = 0; index < MESSAGES; index += 1) {
        const named = { messageId: `msg_${index}`, recipient: `+1201555${1_000 + index}`, now: startMs };
        await addMessage(tx, { ...key, ...text, ...named, units: 0, creditUnits: 0 });
      }
    });
  }

  async function start(by: number): Promise<ScriptedProvider> {
    const carrier = new ScriptedProvider("smpp-a");
    carrier.capacity = () => 8;
    // alternately, one instance wakes a millisecond late; otherwise the same instance would always be first
    const lateMs = (dueMs: number) => (Math.floor(dueMs / 100) % 2 === by ? 1 : 0);
    const at: Clock["at"] = (dueMs, wake) => clock.at(dueMs + lateMs(dueMs), wake);
    const dispatcher = createDispatcher({
      ...{
        store: stores[by] as Store,
        clock: { ...withElapsing(clock), at },
        logger,
        pollIntervalMs: 1_000,
        consentPolicy: "opt_out_only",
      },
      carriers: carryBy([carrier], () => carrier, { perSecond: PER_SECOND }),
      digestRecipient: createRecipientDigest("pepper"),
    });
    clock.watch(() => dispatcher.isBusy());
    toStop.push(async () => {
      await Promise.all([dispatcher.stop(), clock.advanceBy(minuteMs)]);
    });
    await dispatcher.start();
    return carrier;
  }

  it("are each submitted once, and both instances together do not exceed the carrier's rate", async () => {
    const [tenantId = 0] = await addTenants(1);
    const carriers = [await start(0), await start(1)];
    // both instances claim from this queue, although one of them could claim all the messages in a few claims
    await accept(tenantId);
    const given = () =>
      carriers.flatMap(({ submissions }) => submissions.map(({ clientReference }) => clientReference));
    for (let second = 1; given().length < MESSAGES; second += 1) {
      await clock.advanceBy(1_000);
      // plus the messages of half a second and one more at the start
      expect(given().length).toBeLessThanOrEqual((second + 0.5) * PER_SECOND + 1);
      expect(second, "it takes longer than the rate requires").toBeLessThan((2 * MESSAGES) / PER_SECOND);
    }
    expect(new Set(given()).size).toBe(MESSAGES);
    expect(given()).toHaveLength(MESSAGES);
    for (const { submissions } of carriers) expect(submissions.length).toBeGreaterThan(0);
    expect(await countDeadlocks()).toBe(deadlocks);
  });
});
