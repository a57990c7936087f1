import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { insertIdempotency } from "../store/idempotency.ts";
import { insertProviderEvent } from "../store/provider-events.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { createVirtualClock, type VirtualClock } from "../virtual-clock.ts";
import { createJobRunner, type JobRunner } from "./jobs.ts";
import { beginPruning, pruningJobs } from "./pruning.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const startMs = Date.UTC(2026, 0, 15, 12);
let clock: VirtualClock;
let store: Store;
let runner: JobRunner;
let failures: object[];

beforeEach(async () => {
  clock = createVirtualClock(startMs);
  store = await openSqliteStore({ path: ":memory:", now: clock.now });
  failures = [];
  const note = (details: object) => failures.push(details);
  const ignore = () => {};
  runner = createJobRunner({
    store,
    clock,
    logger: { warn: note, error: note },
    handlers: pruningJobs,
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

async function start(): Promise<void> {
  await beginPruning(store, clock.now());
  runner.start();
}

/** Keys `from` to `to` of several tenants and operations, which expire after so long. */
function addKeys(from: number, to: number, expiresAfterMs: number): Promise<void> {
  return store.write(async (tx) => {
    const now = clock.now();
    for (let index = from; index < to; index += 1) {
      const key = { tenantId: (index % 3) + 1, operation: index % 2 === 0 ? "sendSms" : "sendEmail", key: `k${index}` };
      const row = { fingerprint: "f", reference: "{}", expiresAt: now + expiresAfterMs, now };
      expect(await insertIdempotency(tx, key, row)).toBe(true);
    }
  });
}

async function count(table: string): Promise<number | undefined> {
  return (await store.read((tx) => tx.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`)))?.count;
}

describe("pruning", () => {
  it("removes keys that have expired, and no other", async () => {
    await addKeys(0, 40, dayMs);
    await addKeys(40, 100, 3 * dayMs);
    await start();
    await clock.advanceBy(dayMs - minuteMs);
    expect(await count("idempotency")).toBe(100);
    await clock.advanceBy(2 * minuteMs);
    expect(await count("idempotency")).toBe(60);
    await clock.advanceBy(3 * dayMs);
    expect(await count("idempotency")).toBe(0);
  });

  it("removes events a week after they were told", async () => {
    const tell = (eventId: string) =>
      store.write((tx) => insertProviderEvent(tx, { provider: "p", eventId, now: clock.now() }));
    await tell("old");
    await start();
    await clock.advanceBy(dayMs);
    await tell("new");
    await clock.advanceBy(6 * dayMs + minuteMs);
    expect(await store.read((tx) => tx.all("SELECT event_id AS id FROM provider_events"))).toEqual([{ id: "new" }]);
  });

  it("walks a large table in bites, and gets through what piled up in it", async () => {
    await addKeys(0, 2_000, 30 * dayMs);
    await addKeys(2_000, 6_000, 1);
    await start();
    let before = (await count("idempotency")) ?? 0;
    expect(before).toBe(6_000);
    for (let minutes = 0; minutes < 21; minutes += 1) {
      for (let parts = 0; parts < 60; parts += 1) {
        await clock.advanceBy(1_000);
        const now = (await count("idempotency")) ?? 0;
        expect(before - now).toBeLessThanOrEqual(300);
        before = now;
      }
    }
    expect(before).toBe(2_000);
  });

  it("goes on after a restart where it stood, and is begun once only", async () => {
    await addKeys(0, 900, 30 * dayMs);
    await start();
    await clock.advanceBy(minuteMs);
    const place = () => store.read((tx) => tx.all(`SELECT pruned_table AS name, position FROM pruning ORDER BY 1`));
    const stood = await place();
    expect(stood).toEqual([
      { name: "idempotency", position: expect.stringMatching(/^\[1,"sendSms",/) },
      { name: "provider_events", position: null },
    ]);
    await beginPruning(store, clock.now());
    expect([await place(), await count("jobs")]).toEqual([stood, 2]);
  });

  it("hardly ever looks where there is nothing to do", async () => {
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
    await clock.advanceBy(dayMs);
    expect(looks).toBeLessThanOrEqual(2 * 24);
  });
});
