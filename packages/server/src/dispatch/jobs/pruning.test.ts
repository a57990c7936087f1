import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { enqueueCallback, findNextCallback, markGone, recordCallbackAttempt } from "../../domain/callbacks/rows.ts";
import { insertProviderEvent } from "../../domain/carriers/rows.ts";
import { keepIdempotency } from "../../store/idempotency.ts";
import type { Store } from "../../store/store.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { beginPruning, prunedTables, pruningJobs } from "./handlers.ts";
import { createJobRunner, type JobHandler, type JobRunner } from "./runner.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const startMs = Date.UTC(2026, 0, 15, 12);
let clock: VirtualClock;
let store: Store;
let runner: JobRunner;
let failures: object[];
/** The batches that were deleted: table, and number of rows. */
let bites: { table: string; removed: number }[];

beforeEach(async () => {
  clock = createVirtualClock(startMs);
  store = await openTestStore({ now: clock.now });
  failures = [];
  bites = [];
  const note = (details: object) => failures.push(details);
  const ignore = () => {};
  runner = createJobRunner({
    store,
    clock,
    logger: { warn: note, error: note },
    handlers: countBites(pruningJobs),
    notifyDispatcher: ignore,
    notifySynthesizer: ignore,
    notifyCallbacks: ignore,
  });
  clock.watch(() => runner.isBusy());
});
afterEach(async () => {
  await runner.stop();
  await store.close();
  expect(failures).toEqual([]);
});

function countBites(handlers: Readonly<Record<string, JobHandler>>): Record<string, JobHandler> {
  const counted =
    (handle: JobHandler): JobHandler =>
    async (context, table) => {
      const rows = async () =>
        (await context.tx.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`))?.count ?? 0;
      const before = await rows();
      await handle(context, table);
      bites.push({ table, removed: before - (await rows()) });
    };
  return Object.fromEntries(Object.entries(handlers).map(([kind, handle]) => [kind, counted(handle)]));
}

function bitesOf(table: string): number[] {
  return bites.filter((bite) => bite.table === table).map(({ removed }) => removed);
}

async function start(): Promise<void> {
  await beginPruning(store, clock.now());
  runner.start();
}

/** Adds keys `from` to `to`, of several tenants and operations. They expire after `expiresAfterMs`. */
function addKeys(from: number, to: number, expiresAfterMs: number): Promise<void> {
  return store.write(async (tx) => {
    const now = clock.now();
    for (let index = from; index < to; index += 1) {
      const key = {
        tenantId: (index % 3) + 1,
        merchantId: null,
        operation: index % 2 === 0 ? "sendSms" : "sendEmail",
        key: `k${index}`,
      };
      const row = { fingerprint: "f", reference: "{}", expiresAt: now + expiresAfterMs, now };
      if (!(await keepIdempotency(tx, key, row))) throw new Error("the key is in use");
    }
  });
}

async function count(table: string): Promise<number | undefined> {
  return (await store.read((tx) => tx.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`)))?.count;
}

describe("pruning", () => {
  it("removes only keys that have expired", async () => {
    await addKeys(0, 40, dayMs);
    await addKeys(40, 100, 3 * dayMs);
    await start();
    await clock.advanceBy(dayMs - minuteMs);
    expect(await count("idempotency_keys")).toBe(100);
    await clock.advanceBy(2 * minuteMs);
    expect(await count("idempotency_keys")).toBe(60);
    await clock.advanceBy(3 * dayMs);
    expect(await count("idempotency_keys")).toBe(0);
  });

  it("removes events a week after they were reported", async () => {
    const tell = (eventId: string) =>
      store.write((tx) => insertProviderEvent(tx, { provider: "p", eventId, now: clock.now() }));
    await tell("old");
    await start();
    await clock.advanceBy(dayMs);
    await tell("new");
    await clock.advanceBy(6 * dayMs + minuteMs);
    expect(await store.read((tx) => tx.all("SELECT event_id AS id FROM provider_events"))).toEqual([{ id: "new" }]);
  });

  /** Adds a callback that either ends now or waits. */
  const addCallback = (requestId: number, isOver: boolean) =>
    store.write(async (tx) => {
      const now = clock.now();
      const of = { tenantId: 1, requestId, url: "https://hooks.example.com/" };
      await enqueueCallback(tx, { ...of, type: "voice.tts_call.updated", data: {}, now });
      const next = await findNextCallback(tx, requestId, now);
      if (next === undefined) throw new Error("the callback is not queued");
      const outcome = { attempts: 1, nextAttemptAt: null, patienceFrom: now, lastOutcome: "200" };
      if (isOver) await recordCallbackAttempt(tx, { ...next, ...outcome, status: "DELIVERED", now });
    });

  it("removes callbacks a week after their end, but none that still wait", async () => {
    await start();
    await addCallback(1, false);
    await addCallback(2, true);
    for (let hour = 0; hour < 7 * 24 - 1; hour += 1) {
      await clock.advanceBy(60 * minuteMs);
      await addCallback(10 + hour, true);
    }
    expect(await count("callbacks")).toBe(2 + 7 * 24 - 1);
    await clock.advanceBy(62 * minuteMs);
    const oldest = await store.read((tx) =>
      tx.all("SELECT request_id AS id FROM callbacks ORDER BY callback_id LIMIT 2"),
    );
    expect(oldest).toEqual([{ id: 1 }, { id: 10 }]);
    await clock.advanceBy(8 * dayMs);
    expect(await count("callbacks")).toBe(1);
  });

  it("removes a gone URL a week after the last 410", async () => {
    const gone = { tenantId: 1, url: "https://hooks.example.com/" };
    await store.write((tx) => markGone(tx, gone, clock.now()));
    await start();
    await clock.advanceBy(6 * dayMs);
    await store.write((tx) => markGone(tx, gone, clock.now()));
    await clock.advanceBy(6 * dayMs);
    expect(await count("callback_gone_urls")).toBe(1);
    await clock.advanceBy(dayMs + 60 * minuteMs);
    expect(await count("callback_gone_urls")).toBe(0);
  });

  it("removes a backlog in consecutive batches, and keeps rows that are still needed", async () => {
    await addKeys(0, 2_000, 30 * dayMs);
    await addKeys(2_000, 8_000, 1);
    await start();
    await clock.advanceBy(minuteMs + 200);
    expect(bitesOf("idempotency_keys")).toEqual([...Array<number>(30).fill(200), 0]);
    expect(await count("idempotency_keys")).toBe(2_000);
    const left = await store.read((tx) => tx.get("SELECT MIN(expires_at) AS earliest FROM idempotency_keys"));
    expect(left).toEqual({ earliest: startMs + 30 * dayMs });
  });

  it("keeps up with keys that are added as fast as they expire", async () => {
    await start();
    for (let minutes = 0; minutes < 20; minutes += 1) {
      await addKeys(minutes * 700, (minutes + 1) * 700, 5 * minuteMs);
      await clock.advanceBy(minuteMs);
      expect(await count("idempotency_keys")).toBeLessThanOrEqual(7 * 700);
    }
    expect(Math.max(...bitesOf("idempotency_keys"))).toBe(200);
    await clock.advanceBy(6 * minuteMs);
    expect(await count("idempotency_keys")).toBe(0);
  });

  it("keeps a key that was used again", async () => {
    await addKeys(0, 1, minuteMs);
    await clock.advanceBy(minuteMs);
    await addKeys(0, 1, dayMs);
    await start();
    await clock.advanceBy(2 * minuteMs);
    expect([await count("idempotency_keys"), bitesOf("idempotency_keys")]).toEqual([1, [0]]);
  });

  it("is scheduled only once", async () => {
    await start();
    await beginPruning(store, clock.now());
    expect([await count("pruning"), await count("jobs")]).toEqual([prunedTables.length, prunedTables.length]);
  });

  it("polls rarely if there is nothing to remove", async () => {
    let looks = 0;
    const counted = {
      ...store,
      write: ((work) => {
        looks += 1;
        return store.write(work);
      }) as Store["write"],
    };
    await runner.stop();
    runner = createJobRunner({
      store: counted,
      clock,
      logger: { warn: () => {}, error: () => {} },
      handlers: pruningJobs,
      notifyDispatcher: () => {},
      notifySynthesizer: () => {},
      notifyCallbacks: () => {},
    });
    clock.watch(() => runner.isBusy());
    await start();
    await clock.advanceBy(7 * dayMs);
    expect(looks).toBeLessThanOrEqual(8 * 11);
  });
});
