// Checks that a batch too large for one transaction is accepted completely or not at all, whatever happens between its slices:
// another request, a quota that other requests use up, or the end of the process.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "./development/clocks.ts";
import { endOpenAcceptances, removalJobs } from "./dispatch/calls/removal.ts";
import { findBatch } from "./domain/calls/batch-rows.ts";
import { BEGIN_CALLS } from "./domain/calls/progress.ts";
import { batchCallsQuery, type CallRow, findCall, newestCallsQuery } from "./domain/calls/rows.ts";
import type { AnyWrite } from "./domain/handler.ts";
import { upsertMerchant, upsertQuota } from "./domain/merchants/rows.ts";
import { findHandler } from "./domain/operations.ts";
import { insertTenant } from "./domain/tenancy/rows.ts";
import { type Execute, executeWrite, type RequireClient } from "./http/execution/execution.ts";
import { openService } from "./service.ts";
import { readRows, type Store, StoreUnavailable } from "./store/store.ts";
import { testSettings } from "./testing/calls.ts";
import { expectInvariants, runDueJobs } from "./testing/due-jobs.ts";
import { type TestDatabase, takeLastingDatabase } from "./testing/engine.ts";
import { pepper } from "./testing/in-memory-service.ts";
import { openTestStore } from "./testing/test-store.ts";

const startMs = Date.UTC(2026, 0, 15, 18);
const key = { tenantId: 1, merchantId: "shop", channel: "VOICE", period: "2026-01-01" } as const;
const quota = { limit: 400, credits: 120 };

let clock: VirtualClock;
let store: Store;
/** Called before each write of the acceptance, with the number of earlier writes. */
let beforeWrite: (writes: number) => Promise<void> | void;
let writes: number;

beforeEach(async () => {
  clock = createVirtualClock(startMs);
  store = await openTestStore({ now: clock.now });
  [beforeWrite, writes] = [() => undefined, 0];
  await addMerchant();
});
afterEach(() => store.close());

/** Adds a tenant with the merchant. Returns the tenant's id. */
function addMerchant(ownStore = store, { limit, credits } = quota): Promise<number> {
  return ownStore.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: "Test", timezone: "UTC", now: startMs });
    await upsertMerchant(tx, { ...key, tenantId, displayName: "Shop", active: true, now: startMs });
    await upsertQuota(tx, { ...key, tenantId, limit, credits });
    return tenantId;
  });
}

const numbersFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `+1202${2_000_000 + first + index}`);

/** Runs the operation on any store, and checks the invariants after each write. */
function createProcess(ownStore: Store = store): Ask {
  return createAsk({
    ...ownStore,
    async write(work, priority) {
      await beforeWrite(writes);
      writes += 1;
      const result = await ownStore.write(work, priority);
      await expectInvariants(ownStore);
      return result;
    },
  });
}

type Ask = (
  toNumbers: readonly string[],
  key?: string,
  tenantId?: number,
  requireClient?: RequireClient,
) => ReturnType<Execute>;

function createAsk(ownStore: Store): Ask {
  const operation = findHandler("createTtsCalls") as AnyWrite;
  const execute = executeWrite(operation, "createTtsCalls", {
    store: ownStore,
    clock,
    settings: testSettings(),
    idempotencyMs: 7 * 24 * 3_600_000,
    notifyJobs: () => undefined,
  });
  return (toNumbers, idempotencyKey, tenantId = 1, requireClient = () => undefined) => {
    const caller = { apiKey: "k", tenantId, timezone: "UTC", merchantId: null };
    const body = { merchantId: "shop", messageText: "Your code is 1234.", useCase: "OTP", toNumbers };
    const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
    return execute(caller, { path: {}, query: {}, body }, { headers, project: null }, requireClient);
  };
}

/** Returns the store of a process that dies after `count` writes: before the next commit, or before its answer arrives. */
function createMortal(
  count: number,
  { isCommitted, ownStore = store }: { isCommitted: boolean; ownStore?: Store },
): { mortal: Store; death: Promise<"dead"> } {
  let lived = 0;
  let die = (_end: "dead") => {};
  const death = new Promise<"dead">((resolve) => {
    die = resolve;
  });
  const mortal: Store = {
    ...ownStore,
    async write(work) {
      lived += 1;
      if (lived <= count) return ownStore.write(work);
      if (lived === count + 1 && isCommitted) await ownStore.write(work);
      die("dead");
      return new Promise<never>(() => undefined);
    },
  };
  return { mortal, death };
}

/** Runs the due jobs that remove batches. Jobs that begin calls do nothing here. */
const runJobs = () => runDueJobs({ store, clock, handlers: { ...removalJobs, [BEGIN_CALLS]: async () => undefined } });

async function countRows(ownStore = store): Promise<Record<string, number>> {
  const tables = ["tts_batches", "tts_calls", "call_acceptances", "idempotency_keys", "jobs"];
  const counts = await ownStore.read((tx) =>
    Promise.all(tables.map((table) => tx.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`))),
  );
  return Object.fromEntries(tables.map((table, index) => [table, counts[index]?.count ?? 0]));
}

const nothing = { tts_batches: 0, tts_calls: 0, call_acceptances: 0, idempotency_keys: 0, jobs: 0 };

const findUsage = (ownStore = store) =>
  ownStore.read((tx) =>
    tx.get(
      `SELECT CAST(COALESCE(SUM(reserved), 0) AS BIGINT) AS reserved, (SELECT credits FROM quotas WHERE channel = 'VOICE') AS credits
         FROM usage WHERE channel = 'VOICE'`,
    ),
  );

const MOST_CALLS = 10_000;

/** Lists all batches in order, including those that replies do not show yet. */
const listBatchIds = async () => {
  const sql = `SELECT batch_id AS "batchId" FROM tts_batches ORDER BY batch_id`;
  const rows = await store.read((tx) => tx.all<{ batchId: number }>(sql));
  return rows.map(({ batchId }) => batchId);
};

const callsOf = (batchId: number) => batchCallsQuery({ batchId, totalCalls: MOST_CALLS }, undefined);

/** Returns, for each batch, the calls that replies show. */
async function listCalls(): Promise<CallRow[][]> {
  const ids = await listBatchIds();
  return Promise.all(ids.map((batchId) => store.read((tx) => readRows(tx, callsOf(batchId)))));
}

describe("a large batch", () => {
  it("is accepted with its numbers in order, and the first of them get the quota", async () => {
    const numbers = numbersFrom(0, 700);
    const { result, replayed } = await createProcess()(numbers, "k");
    expect({ result, replayed }).toMatchObject({ replayed: false, result: { totalCalls: 700, pendingCount: 520 } });
    expect(result).toMatchObject({ failedCount: 180, policyReason: "QUOTA_EXCEEDED", executionType: "IMMEDIATE" });
    const [calls = []] = await listCalls();
    expect(calls.map(({ toNumber }) => toNumber)).toEqual(numbers);
    expect(calls.map(({ status }) => status)).toEqual([...Array(520).fill("QUEUED"), ...Array(180).fill("REJECTED")]);
    expect(await findUsage()).toEqual({ reserved: 520, credits: 0 });
    expect(await countRows()).toMatchObject({ tts_batches: 1, call_acceptances: 0, idempotency_keys: 1, jobs: 1 });
  });

  it("is not visible before it is accepted", async () => {
    let looks = 0;
    beforeWrite = async () => {
      looks += 1;
      const filter = { merchantId: undefined, tenantLabel: undefined, sourceSystem: undefined, useCaseKey: undefined };
      const [batchId = 0] = await listBatchIds();
      const seen = await store.read(async (tx) => {
        const call = await tx.get<{ id: number }>("SELECT MIN(request_id) AS id FROM tts_calls");
        return [
          await findBatch(tx, batchId),
          await findCall(tx, call?.id ?? 0),
          ...(await readRows(tx, newestCallsQuery(1, filter, 10))),
          ...(await readRows(tx, callsOf(batchId))),
        ];
      });
      expect(seen.filter((row) => row !== undefined)).toEqual([]);
    };
    await createProcess()(numbersFrom(0, 500));
    expect(looks).toBeGreaterThan(4);
    expect((await listCalls())[0]).toHaveLength(500);
  });

  it("writes nothing if all its numbers are refused", async () => {
    await store.write((tx) => upsertQuota(tx, { ...key, limit: 0, credits: 0 }));
    const before = await findUsage();
    await expect(createProcess()(numbersFrom(0, 500), "k")).rejects.toMatchObject({ code: "all_recipients_refused" });
    expect(await countRows()).toEqual(nothing);
    expect(await findUsage()).toEqual(before);
  });

  it("is refused and leaves nothing if other requests use up the quota between the first check and the slices", async () => {
    beforeWrite = async (count) => {
      if (count === 3) await store.write((tx) => upsertQuota(tx, { ...key, limit: 0, credits: 0 }));
    };
    await expect(createProcess()(numbersFrom(0, 500), "k")).rejects.toMatchObject({ code: "all_recipients_refused" });
    expect(await countRows()).toMatchObject({ tts_batches: 1, tts_calls: 500, call_acceptances: 0 });
    await runJobs();
    expect(await countRows()).toEqual(nothing);
  });

  it("is abandoned and leaves nothing if it takes too long", async () => {
    const before = await findUsage();
    beforeWrite = async (count) => {
      if (count !== 5) return;
      await clock.advanceBy(60_000);
      await runJobs();
    };
    await expect(createProcess()(numbersFrom(0, 700), "k")).rejects.toThrow(StoreUnavailable);
    await runJobs();
    expect(await countRows()).toEqual(nothing);
    expect(await findUsage()).toEqual(before);
  });

  it("is not abandoned while it makes progress, however long it takes", async () => {
    beforeWrite = async () => {
      await clock.advanceBy(59_000);
      await runJobs();
    };
    expect(await createProcess()(numbersFrom(0, 700))).toMatchObject({ result: { totalCalls: 700 } });
    await runJobs();
    expect(await countRows()).toMatchObject({ tts_batches: 1, tts_calls: 700, jobs: 0 });
  });

  it("releases its reservations at once if it fails halfway", async () => {
    const before = await findUsage();
    const failing: Store = {
      ...store,
      write: (work) => (writes === 7 ? Promise.reject(new StoreUnavailable("the disk is full")) : store.write(work)),
    };
    await expect(createProcess(failing)(numbersFrom(0, 700), "k")).rejects.toThrow("the disk is full");
    expect(await countRows()).toMatchObject({ tts_batches: 1, call_acceptances: 0, jobs: 1 });
    expect(await findUsage()).toEqual(before);
    await expectInvariants(store);
    await runJobs();
    expect(await countRows()).toEqual(nothing);
    expect(await findUsage()).toEqual(before);
  });

  it("never uses the same quota unit as another batch that is accepted at the same time", async () => {
    const process = createProcess();
    await Promise.all([process(numbersFrom(0, 500)), process(numbersFrom(1_000, 500))]);
    const batches = await listCalls();
    const admitted = batches.map((calls) => calls.map(({ status }) => status).lastIndexOf("QUEUED") + 1);
    expect(admitted.reduce((sum, count) => sum + count)).toBe(520);
    batches.forEach((calls, index) => {
      expect(calls.slice(0, admitted[index]).every(({ status }) => status === "QUEUED")).toBe(true);
    });
    expect(await findUsage()).toEqual({ reserved: 520, credits: 0 });
  });
});

describe("large batches of several tenants", () => {
  const plenty = { limit: 10_000, credits: 0 };

  it("are accepted round-robin by tenant, however many batches one tenant has", async () => {
    const process = createProcess();
    const [acme, globex] = [await addMerchant(store, plenty), await addMerchant(store, plenty)];
    await process(numbersFrom(0, 500), "alone", globex);
    const alone = writes;
    writes = 0;
    const loud = Array.from({ length: 8 }, () => process(numbersFrom(0, 500), undefined, acme));
    await process(numbersFrom(0, 500), "beside", globex);
    expect(writes).toBeLessThanOrEqual(2 * alone + 1);
    await Promise.all(loud);
  });

  it("are refused if the tenant has the maximum number in progress, until one of them has ended", async () => {
    const process = createProcess();
    const [acme, globex] = [await addMerchant(store, plenty), await addMerchant(store, plenty)];
    const ask = (tenantId: number) => process(numbersFrom(0, 250), undefined, tenantId);
    const loud = Array.from({ length: 8 }, () => ask(acme));
    await expect(ask(acme)).rejects.toMatchObject({ code: "rate_limited" });
    await ask(globex);
    await Promise.all(loud);
    await ask(acme);
  });
});

describe("the key of a large batch", () => {
  it("is reported as in progress until the batch is accepted, also by another process, and then replays", async () => {
    const numbers = numbersFrom(0, 500);
    const refusals: unknown[] = [];
    const [process, other] = [createProcess(), createAsk(store)];
    beforeWrite = async (count) => {
      if (count !== 5) return;
      const repeats = [other(numbers, "k"), other(numbersFrom(0, 499), "k"), other(numbersFrom(0, 1), "k")];
      for (const end of await Promise.allSettled(repeats)) {
        refusals.push(end.status === "rejected" ? end.reason.code : "accepted");
      }
    };
    await process(numbers, "k");
    expect(refusals).toEqual(["idempotency_in_progress", "idempotency_key_reused", "idempotency_key_reused"]);
    beforeWrite = () => undefined;
    expect(await other(numbers, "k")).toMatchObject({
      replayed: true,
      result: { batchId: String((await listBatchIds())[0]), totalCalls: 500 },
    });
    expect(await countRows()).toMatchObject({ tts_batches: 1, tts_calls: 500 });
  });

  it("creates one batch, however many requests use it at once", async () => {
    const process = createProcess();
    const asked = Array.from({ length: 5 }, () => process(numbersFrom(0, 500), "k"));
    const ends = await Promise.allSettled(asked);
    const accepted = ends.flatMap((end) => (end.status === "fulfilled" && !end.value.replayed ? [end] : []));
    expect(accepted).toHaveLength(1);
    for (const end of ends) {
      if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "idempotency_in_progress" });
    }
    await runJobs();
    expect(await countRows()).toMatchObject({ tts_batches: 1, tts_calls: 500, call_acceptances: 0 });
  });
});

describe("a client that disconnects while its batch is accepted", () => {
  const gone = new Error("gone");
  /**
   * Index of the first transaction that writes. The earlier ones look up the key, the numbers, and a number that may be called.
   */
  const FIRST_SLICE = 4;

  it.each(Array.from({ length: 9 }, (_, count) => count))(
    "leaves the whole batch or nothing if it disconnects before transaction %i",
    async (count) => {
      const numbers = numbersFrom(0, 700);
      let isThere = true;
      beforeWrite = (reached) => {
        if (reached === count) isThere = false;
      };
      const requireClient = () => {
        if (!isThere) throw gone;
      };
      const asked = createProcess()(numbers, "k", 1, requireClient);
      const hasBegun = count > FIRST_SLICE;
      if (hasBegun) await asked;
      else await expect(asked).rejects.toBe(gone);
      if (!hasBegun) expect(await countRows()).toEqual(nothing);
      expect(await createProcess()(numbers, "k")).toMatchObject({ replayed: hasBegun, result: { totalCalls: 700 } });
      expect(await countRows()).toMatchObject({ tts_batches: 1, tts_calls: 700, idempotency_keys: 1 });
    },
  );
});

describe("a process that dies while it accepts a batch", () => {
  it.each(Array.from({ length: 9 }, (_, count) => count))(
    "leaves the whole batch or nothing after %i writes",
    async (count) => {
      for (const isCommitted of [true, false]) {
        const before = await findUsage();
        const { mortal, death } = createMortal(count, { isCommitted });
        const numbers = numbersFrom(0, 700);
        const answered = createProcess(mortal)(numbers, "k").then(() => "answered");
        expect(await Promise.race([answered, death])).toBe("dead");

        await endOpenAcceptances(store, clock.now());
        await expectInvariants(store);
        const wasAccepted = (await countRows()).idempotency_keys === 1;
        if (!wasAccepted) expect(await findUsage()).toEqual(before);
        // a client that repeats the request need not wait for the removals
        const repeated = await createProcess()(numbers, "k");
        expect(repeated.replayed).toBe(wasAccepted);
        expect(repeated.result).toMatchObject({ totalCalls: 700, pendingCount: 520 });
        await runJobs();
        expect(await countRows()).toEqual({ ...nothing, tts_batches: 1, tts_calls: 700, idempotency_keys: 1 });
        expect(await findUsage()).toEqual({ reserved: 520, credits: 0 });
        // start the next round with empty tables
        await store.write(async (tx) => {
          for (const table of ["tts_calls", "tts_batches", "idempotency_keys", "jobs", "usage"])
            await tx.run(`DELETE FROM ${table}`);
          await tx.run("UPDATE quotas SET credits = 120 WHERE channel = 'VOICE'");
        });
      }
    },
  );
});

describe("a server that starts", () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await takeLastingDatabase();
  });
  afterEach(() => database.release());

  const open = () =>
    openService({
      database: database.location,
      simulator: { file: ":memory:" },
      pepper,
      consentPolicy: "strict",
      idempotencyDays: 7,
      clock,
      isAlone: true,
    });

  it("removes batches that another server left unfinished before it answers any request", async () => {
    const dying = await open();
    await addMerchant(dying.store);
    const before = await findUsage(dying.store);
    const { mortal, death } = createMortal(6, { isCommitted: true, ownStore: dying.store });
    void createAsk(mortal)(numbersFrom(0, 700), "k");
    await death;
    await dying.close();

    const service = await open();
    expect(await countRows(service.store)).toMatchObject({ tts_batches: 1, call_acceptances: 0, jobs: 1 });
    expect(await findUsage(service.store)).toEqual(before);
    await service.close();
  });

  it("does not remove batches that it is accepting itself", async () => {
    const service = await open();
    await addMerchant(service.store);
    beforeWrite = async (count) => {
      if (count === 5) await service.start();
    };
    const { result } = await createProcess(service.store)(numbersFrom(0, 700));
    expect(result).toMatchObject({ totalCalls: 700 });
    await service.close();
  });
});
