// Many calls that may ring from the same morning on: they begin a few at a time, batches alternate, and urgent calls go
// first.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryForAll } from "../../carriers/carriers.ts";
import { openSimulatedProvider, type SimulatedProvider } from "../../carriers/simulated/simulated.ts";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { defaultPrices } from "../../domain/billing/rules.ts";
import { acceptCalls, planCalls } from "../../domain/calls/accept.ts";
import { findBatch } from "../../domain/calls/batch-rows.ts";
import { findFirstCall } from "../../domain/calls/rows.ts";
import { insertCarrier } from "../../domain/carriers/rows.ts";
import { createRecipientDigest } from "../../domain/contacts.ts";
import { upsertMerchant, upsertQuota } from "../../domain/merchants/rows.ts";
import { callMessageId } from "../../domain/messages/rules.ts";
import { EVERY_TENANT, insertTenant } from "../../domain/tenancy/rows.ts";
import { openLedgerDatabase } from "../../engines.ts";
import { beginSuspicion } from "../../store/restorations.ts";
import { textOf } from "../../store/statement.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { alterTransaction } from "../../testing/altered-transaction.ts";
import { onlyEngine, testSettings, testTerms } from "../../testing/calls.ts";
import { runDueJobs } from "../../testing/due-jobs.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { createDispatcher } from "../messages/dispatcher.ts";
import { ReportedTooEarly, recordEvent, refuseBeforeCall } from "../messages/events.ts";
import { restore } from "../messages/restoration.ts";
import { callJobs } from "./call-jobs.ts";
import { createSynthesizer } from "./synthesizer.ts";

/** Marks messages in the database as in doubt. */
type Doubting = (tx: Transaction) => Promise<unknown>;

const night = Date.UTC(2026, 0, 16, 5);
const morning = Date.UTC(2026, 0, 16, 13);
/** Two minutes before calls must stop ringing. */
const evening = Date.UTC(2026, 0, 17, 1, 58);
const nextMorning = Date.UTC(2026, 0, 17, 13);

let clock: VirtualClock;
let store: Store;
let provider: SimulatedProvider;
/** Numbers of calls and batches that each job's transaction changed. */
let changed: { calls: number; batches: number }[];
/** Ids of the batches whose calls began, in order. */
let begun: number[];

beforeEach(async () => {
  clock = createVirtualClock(night);
  store = await openTestStore({ now: clock.now });
  provider = await openSimulatedProvider({ clock, database: await openLedgerDatabase({ file: ":memory:" }) });
  [changed, begun] = [[], []];
  await store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: "Test", timezone: "UTC", now: night });
    const key = { tenantId, merchantId: "shop" };
    await upsertMerchant(tx, { ...key, displayName: "Shop", active: true, now: night });
    await upsertQuota(tx, { ...key, channel: "VOICE", limit: 1_000, credits: 0 });
  });
});
afterEach(() => store.close());

/** Accepts calls to this many numbers, at the current time. */
async function accept(
  count: number,
  messageType: "MARKETING" | "OTP" = "MARKETING",
  change: Parameters<typeof testTerms>[0] = {},
): Promise<number> {
  const settings = testSettings({ consentPolicy: "opt_out_only" });
  const terms = testTerms({ useCase: messageType, messageType, ...change });
  const caller = { apiKey: "k", tenantId: 1, timezone: "UTC", merchantId: null };
  const numbers = Array.from({ length: count }, (_, index) => `+1212${2_000_000 + index}`);
  return store.write(async (tx) => {
    const context = { tx, caller, now: clock.now(), settings };
    return (await acceptCalls(context, await planCalls(context, { terms, numbers }))).batchId;
  });
}

/** Runs all jobs that are due. */
async function runJobs(): Promise<void> {
  const watched: Store = {
    ...store,
    write: (work) =>
      store.write(async (tx) => {
        const counts = { calls: 0, batches: 0 };
        const result = await work(watch(tx, counts));
        if (counts.calls > 0) changed.push(counts);
        return result;
      }),
  };
  const handlers = callJobs({
    carriers: carryForAll({ VOICE: provider }),
    engines: onlyEngine(provider.speech),
    consentPolicy: "opt_out_only",
    digestRecipient: createRecipientDigest("pepper"),
    prices: defaultPrices,
  });
  await runDueJobs({ store: watched, clock, handlers });
}

function watch(tx: Transaction, counts: { calls: number; batches: number }): Transaction {
  return alterTransaction(tx, {
    get(ask, ...values) {
      if (textOf(ask, "sqlite").includes("UPDATE tts_batches")) {
        counts.batches += 1;
        begun.push(Number(values[0]));
      }
      return tx.get(ask, ...values);
    },
    run(ask, ...values) {
      if (textOf(ask, "sqlite").includes("UPDATE tts_calls")) counts.calls += 1;
      return tx.run(ask, ...values);
    },
  });
}

describe("a morning", () => {
  it("begins a few calls per transaction, and updates their batch once", async () => {
    const batchId = await accept(100);
    await clock.advanceTo(morning);
    await runJobs();
    expect(changed.map(({ calls }) => calls)).toEqual([16, 16, 16, 16, 16, 16, 4]);
    expect(changed.every(({ batches }) => batches === 1)).toBe(true);
    expect(await store.read((tx) => findBatch(tx, batchId))).toMatchObject({ begun: 100, scheduled: 0, pending: 100 });
  });

  it("alternates between batches", async () => {
    const [large, small] = [await accept(160), await accept(20)];
    await clock.advanceTo(morning);
    await runJobs();
    // transactions of both batches may be in flight
    expect(begun.lastIndexOf(small)).toBeLessThan(6);
    expect(begun.filter((batchId) => batchId === large)).toHaveLength(10);
  });

  it("lets immediate calls go first", async () => {
    for (let calls = 0; calls < 40; calls += 1) await accept(1);
    await clock.advanceTo(morning);
    const urgent = await accept(1, "OTP");
    await runJobs();
    expect(begun[0]).toBe(urgent);
    expect(begun).toHaveLength(41);
  });
});

describe("calls of a merchant that was deactivated overnight", () => {
  const stop = (tx: Transaction) =>
    upsertMerchant(tx, { tenantId: 1, merchantId: "shop", displayName: "Shop", active: false, now: clock.now() });
  const listCalls = () => store.read((tx) => tx.all("SELECT status FROM tts_calls"));
  const suspect = (carrier: string) => (tx: Transaction) =>
    beginSuspicion(tx, carrier, { now: clock.now(), patienceMs: 1_000 });

  it("fail without being dialled, although another carrier did not list its messages", async () => {
    await accept(1);
    await store.write(suspect("other"));
    await store.write(stop);
    await clock.advanceTo(morning);
    await runJobs();
    expect(await listCalls()).toMatchObject([{ status: "FAILED" }]);
  });

  it("are first looked up at their own carrier if it did not list its messages", async () => {
    await accept(1);
    await store.write(suspect(provider.name));
    await store.write(stop);
    await clock.advanceTo(morning);
    await runJobs();
    expect(await listCalls()).toMatchObject([{ status: "SYNTHESIZING" }]);
    await speak();
    const carrier = new ScriptedProvider(provider.name);
    carrier.onFind = async () => ({ outcome: "absent" });
    await (await dialBy(carrier)).stop();
    expect([carrier.lookups.length, carrier.submissions]).toEqual([1, []]);
    expect(await listCalls()).toMatchObject([{ status: "FAILED" }]);
  });
});

describe("a call dialled after the backup that was restored", () => {
  it("is reported as ended only after it began again and was looked up", async () => {
    const batchId = await accept(1);
    const call = await store.read((tx) => findFirstCall(tx, batchId));
    const clientReference = callMessageId(call ?? expect.fail("there is no call"));
    await store.write((tx) => restore(tx, clock.now()));
    const report = { stage: "ENDED", outcome: "HEARD", durationSeconds: 20 } as const;
    const ended = { kind: "call", eventId: "end", clientReference, providerMessageId: "p", report } as const;
    const carrier = new ScriptedProvider(provider.name);
    const reported = { prices: defaultPrices, provider: carrier.name, digestRecipient: () => "", isOwn: () => true };
    const tell = () => store.write((tx) => recordEvent({ ...reported, tx, now: clock.now() }, ended));
    await expect(tell()).rejects.toThrow(ReportedTooEarly);
    await clock.advanceTo(morning);
    await speak();
    await expect(tell()).rejects.toThrow(ReportedTooEarly);
    carrier.onFind = async () => ({ outcome: "taken", providerMessageId: "p" });
    await (await dialBy(carrier)).stop();
    expect(await tell()).toBe("recorded");
    const calls = await store.read((tx) => tx.all("SELECT status, duration_seconds AS seconds FROM tts_calls"));
    expect([calls, carrier.submissions]).toEqual([[{ status: "COMPLETED", seconds: 20 }], []]);
  });

  describe("and not recorded as submitted to the reporting carrier", () => {
    const putBack = (tx: Transaction) => restore(tx, clock.now());
    const suspectOwn = (tx: Transaction) => beginSuspicion(tx, "own", { now: clock.now(), patienceMs: 1_000 });

    beforeEach(() =>
      store.write(async (tx) => {
        const place = { channel: "VOICE", isSecond: 0, kind: "freeswitch", sealedSettings: "", setAt: night } as const;
        await insertCarrier(tx, { ...place, name: "own", tenantId: 1 });
        await insertCarrier(tx, { ...place, name: "common", tenantId: EVERY_TENANT });
        await insertCarrier(tx, { ...place, name: "foreign", tenantId: 2 });
      }),
    );

    /** Lets the carrier, if any, dial the call or look it up. Then the carrier `teller` reports the call's end. */
    async function tellEnd(
      teller: string,
      { carrier, begin }: { carrier?: ScriptedProvider; begin: Doubting | undefined },
    ) {
      const batchId = await accept(1);
      await clock.advanceTo(morning);
      await speak();
      if (begin !== undefined) await store.write(begin);
      await (await dialBy(carrier)).stop();
      const call = await store.read((tx) => findFirstCall(tx, batchId));
      const clientReference = callMessageId(call ?? expect.fail("there is no call"));
      const report = { stage: "ENDED", outcome: "HEARD", durationSeconds: 20 } as const;
      const ended = { kind: "call", eventId: "end", clientReference, providerMessageId: "p", report } as const;
      const reported = { prices: defaultPrices, provider: teller, digestRecipient: () => "", now: clock.now() };
      const isOwn = (name: string) => name === teller;
      const recorded = await store.write((tx) => recordEvent({ ...reported, tx, isOwn }, ended));
      const row = await store.read((tx) => tx.get<object>("SELECT status, provider FROM messages"));
      return { recorded, ...row };
    }

    /** Creates a carrier that loses its answers and cannot list its messages. */
    function createOther(): ScriptedProvider {
      const other = new ScriptedProvider("other");
      other.onSubmit = () => Promise.reject(new Error("connection reset"));
      return other;
    }

    it.each(["own", "common"])(
      "ends when the %s carrier reports its end, if the tenant has had no carrier since",
      async (name) => {
        const told = await tellEnd(name, { begin: putBack });
        expect(told).toEqual({ recorded: "recorded", status: "DELIVERED", provider: name });
      },
    );

    it("ends even if it was looked up at another carrier", async () => {
      const told = await tellEnd("own", { begin: putBack, carrier: createOther() });
      expect(told).toEqual({ recorded: "recorded", status: "DELIVERED", provider: "own" });
    });

    it("ends if its carrier did not list its messages, even if another carrier got the call", async () => {
      const told = await tellEnd("own", { begin: suspectOwn, carrier: createOther() });
      expect(told).toEqual({ recorded: "recorded", status: "DELIVERED", provider: "own" });
    });

    it.each<[string, string, Doubting | undefined]>([
      ["the carrier is another tenant's", "foreign", putBack],
      ["only another carrier did not list its messages", "common", suspectOwn],
      ["the database was not restored", "own", undefined],
    ])("does not end by the report if %s", async (_where, name, begin) => {
      const told = await tellEnd(name, { begin, carrier: createOther() });
      expect(told).toEqual({ recorded: "unheard-of", status: "SENDING", provider: "other" });
    });

    it("does not end by the report if another carrier is recorded as having accepted it", async () => {
      const carrier = createOther();
      carrier.onFind = async () => ({ outcome: "taken", providerMessageId: "p" });
      const told = await tellEnd("own", { begin: putBack, carrier });
      expect(told).toEqual({ recorded: "unheard-of", status: "SENT", provider: "other" });
    });
  });

  it.each([
    ["of a later call", 1, 0],
    ["of another time", 0, 1],
  ])("does not delay reports for an id %s", async (_whose, laterBy, laterMs) => {
    await accept(1);
    await store.write((tx) => restore(tx, clock.now()));
    const messageId = callMessageId({ requestId: 1 + laterBy, createdAt: night + laterMs });
    await expect(store.read((tx) => refuseBeforeCall(tx, messageId))).resolves.toBeUndefined();
  });
});

const logger = { warn: () => undefined, error: (details: object) => expect(details).toBeUndefined() };

/** Makes the speech of all calls, and queues the calls. */
async function speak(): Promise<void> {
  await runJobs();
  const synthesizer = createSynthesizer({
    store,
    clock,
    logger,
    engines: onlyEngine(provider.speech),
    notifyJobs: () => undefined,
  });
  clock.watch(() => synthesizer.isBusy());
  await synthesizer.start();
  await clock.advanceBy(1_000);
  await synthesizer.stop();
  await runJobs();
}

/** Submits calls to a carrier, if there is one, until the dispatcher is stopped. */
async function dialBy(carrier?: ScriptedProvider): Promise<ReturnType<typeof createDispatcher>> {
  const dispatcher = createDispatcher({
    store,
    clock,
    logger,
    carriers: carryForAll(carrier === undefined ? {} : { VOICE: carrier }),
    consentPolicy: "opt_out_only",
    digestRecipient: createRecipientDigest("pepper"),
  });
  clock.watch(() => dispatcher.isBusy());
  await dispatcher.start();
  await clock.settle();
  return dispatcher;
}

describe("calls that wait together", () => {
  it("are dialled by priority, and then in order of acceptance", async () => {
    const batches: number[] = [];
    for (const priority of ["LOW", "NORMAL", "HIGH", "NORMAL", "LOW", "HIGH", "NORMAL"] as const) {
      batches.push(await accept(1, "OTP", { priority }));
      await clock.advanceBy(1);
    }
    await speak();
    const carrier = new ScriptedProvider();
    await (await dialBy(carrier)).stop();
    const rows = await store.read((tx) =>
      tx.all<{ batchId: number; messageId: string }>(
        `SELECT batch_id AS "batchId", message_id AS "messageId" FROM tts_calls`,
      ),
    );
    const batchOf = new Map(rows.map(({ batchId, messageId }) => [messageId, batchId]));
    const dialled = carrier.submissions.map(({ clientReference }) => batchOf.get(clientReference) ?? 0);
    expect(dialled.map((batchId) => batches.indexOf(batchId) + 1)).toEqual([3, 6, 2, 4, 7, 1, 5]);
  });
});

describe("calls whose carrier has no capacity until night", () => {
  it("wait for the morning, unless the recipient requested them", async () => {
    await clock.advanceTo(evening);
    await accept(3);
    await accept(1, "OTP");
    await speak();
    const carrier = new ScriptedProvider();
    let room = 0;
    carrier.capacity = () => room;
    const dispatcher = await dialBy(carrier);
    await clock.advanceBy(5 * 60_000);
    expect(carrier.submissions).toEqual([]);
    room = 10;
    carrier.noteReach();
    await clock.advanceBy(60_000);
    expect(carrier.submissions.map(({ type }) => type)).toEqual(["OTP"]);
    await clock.advanceTo(nextMorning - 1_000);
    expect(carrier.submissions).toHaveLength(1);
    await clock.advanceTo(nextMorning + 60_000);
    expect(carrier.submissions).toHaveLength(4);
    await dispatcher.stop();
  });

  it("expire if they speak a one-time password", async () => {
    const batchId = await accept(1, "OTP");
    await speak();
    const carrier = new ScriptedProvider();
    carrier.capacity = () => 0;
    const dispatcher = await dialBy(carrier);
    await clock.advanceBy(10 * 60_000);
    carrier.capacity = () => 10;
    carrier.noteReach();
    await clock.advanceBy(60_000);
    await runJobs();
    expect(carrier.submissions).toEqual([]);
    expect(await store.read((tx) => findBatch(tx, batchId))).toMatchObject({ failed: 1, finalized: 1 });
    await dispatcher.stop();
  });
});
