// While a transaction keeps an old snapshot open, dead rows cannot be removed. These tests measure the cost of skipping them.

import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addToDay, releaseUnpaid, reserveUsage, settleUsage } from "../../domain/billing/rows.ts";
import {
  endLease,
  enqueueCall,
  findDueCall,
  findDueLane,
  findNextTenantDue,
  leaseLane,
  leaseTenant,
  listDueTenants,
  refreshCall,
  refreshLane,
  restLane,
  wakeLane,
} from "../../domain/callbacks/queue-rows.ts";
import { upsertMerchant, upsertQuota } from "../../domain/merchants/rows.ts";
import { endDispatchStatement, findNextLookupDue, listDueLookups } from "../../domain/messages/outbox-rows.ts";
import { insertTenant } from "../../domain/tenancy/rows.ts";
import { type TestDatabase, takeUnusedDatabase } from "../../testing/engine.ts";
import { openStoreAt } from "../../testing/test-store.ts";
import { QueueFloors } from "../queue/engine.ts";
import { leaseEntryStatement, postgresQueue, takeEntryStatement } from "../queue/postgres.ts";
import { DueFloor, type QueueScan } from "../queue/queue.ts";
import { textOf, valuesOf } from "../statement.ts";
import type { Ask, SqlValue, Store, Transaction } from "../store.ts";

const DEAD = 20_000;
const ROUNDS = 100;

let database: TestDatabase;
let store: Store;
let other: Client;
let realMs = 0;

beforeEach(async () => {
  realMs = 0;
  database = await takeUnusedDatabase();
  store = await openStoreAt(database.location, { now: () => 0 });
  other = await connect();
  // statistics are collected only when a test does so
  await other.query(`DO $$ DECLARE of regclass; BEGIN
    FOR of IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', of);
    END LOOP;
  END $$`);
  await other.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM outbox");
});
afterEach(async () => {
  await other.end();
  await store.close();
  await database.release();
});

async function connect(): Promise<Client> {
  if (!("url" in database.location)) throw new Error("this suite runs only on PostgreSQL");
  const client = new Client({ connectionString: database.location.url });
  await client.connect();
  return client;
}

/** Counts the blocks that a transaction's statements read. */
async function countBlocks(ask: (tx: Transaction) => Promise<unknown>): Promise<number> {
  let blocks = 0;
  await store.write(async (tx) => {
    const explain = async (ask: Ask, ...values: SqlValue[]) => {
      const [row] = await tx.all<{ "QUERY PLAN": unknown }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${textOf(ask, "postgres")}`,
        ...valuesOf(ask, values),
      );
      const told = row?.["QUERY PLAN"];
      const [{ Plan }] = typeof told === "string" ? JSON.parse(told) : told;
      blocks += Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
      return [];
    };
    const counted = {
      dialect: tx.dialect,
      all: explain,
      run: (...of: Parameters<typeof explain>) => explain(...of).then(() => 1),
      get: async (...of: Parameters<typeof explain>) => {
        await explain(...of);
        return textOf(of[0], "postgres").includes("INSERT") ? undefined : tx.get(...of);
      },
      lock() {},
      lockAlone() {},
    };
    await ask(counted as unknown as Transaction);
  });
  return blocks;
}

const accept = (tx: Pick<Transaction, "run">, messageId: string, queueOrder = 1) =>
  tx
    .run(
      `INSERT INTO messages (message_id, tenant_id, merchant_id, channel, type, purpose, recipient, status, units,
         credit_units, period, charge, attempts, created_at, updated_at, content, queue_order)
       VALUES ($1, 1, 'shop', 'SMS', 'OTP', 'SEND', '+12025550100', 'QUEUED', 0, 0, '2025-06-01', 'RESERVED', 0, 0, 0,
         'Hello', $2)`,
      messageId,
      queueOrder,
    )
    .then(() =>
      tx.run(
        "INSERT INTO outbox (queue_order, message_id, tenant_id, accepted_at) VALUES ($2, $1, 1, 0)",
        messageId,
        queueOrder,
      ),
    );

describe("the queue of accepted messages", () => {
  const floors = () => new QueueFloors(() => realMs);
  const list = (scan: QueueScan, limit = 10) =>
    store.write(async (tx) =>
      (await postgresQueue.list(tx, { now: 1, limit, scan })).map(({ messageId }) => messageId),
    );
  /** A claim that finds nothing. */
  const pollOnce = async (of: QueueFloors) => {
    realMs += 250;
    const scan = of.beginScan();
    await store.write((tx) => scan.raise(tx));
    return list(scan);
  };
  const leaveDead = () =>
    store
      .write(async (tx) => {
        await tx.run(
          `INSERT INTO outbox (queue_order, message_id, tenant_id, accepted_at)
         SELECT 1, 'msg_0' || n, 1, 0 FROM generate_series(1, ${DEAD}) AS n`,
        );
      })
      .then(() => store.write((tx) => tx.run("DELETE FROM outbox")));

  it.each([
    ["before its statistics are collected", false],
    ["or after, when they show an almost empty table", true],
  ])("is read without reading dead rows, %s", async (_when, isAnalyzed) => {
    await leaveDead();
    const of = floors();
    await store.write((tx) => accept(tx, "msg_1"));
    if (isAnalyzed) await store.write((tx) => tx.run("ANALYZE outbox"));
    const scan = of.beginScan();
    const fromTheBeginning = await countBlocks((tx) => postgresQueue.list(tx, { now: 1, limit: 10, scan }));
    expect(fromTheBeginning).toBeGreaterThan(DEAD / 200);
    const asks = (tx: Transaction, next = of.beginScan()) =>
      Promise.all([
        postgresQueue.list(tx, { now: 1, limit: 10, scan: next }),
        postgresQueue.findNext(tx, { now: 1, scan: next }),
        postgresQueue.count(tx, { now: 1, most: 10_000, scan: next }),
      ]);
    // a transaction of another test may have begun earlier
    await expect.poll(() => pollOnce(of).then(() => countBlocks(asks))).toBeLessThan(60);
    expect(await pollOnce(of)).toEqual(["msg_1"]);
  });

  it.each([
    [
      "leased",
      (messageId: string) =>
        leaseEntryStatement({ messageId, token: "token", expiresAt: 1, giveUpAt: 1, provider: "simulated" }),
    ],
    ["taken", (messageId: string) => takeEntryStatement({ messageId, token: "token" })],
    ["ended", (messageId: string) => endDispatchStatement({ messageId })],
  ])("lets many entries be %s at once without reading dead rows", async (_what, callOf) => {
    await leaveDead();
    await store.write(async (tx) => {
      const into = "INSERT INTO dispatches (message_id, state, due_at, give_up_at, asks, tenant_id, accepted_at)";
      await tx.run(`${into} SELECT 'msg_0' || n, 'awaiting', 0, 0, 0, 1, 0 FROM generate_series(1, ${DEAD}) AS n`);
    });
    await store.write((tx) => tx.run("DELETE FROM dispatches"));
    const ids = Array.from({ length: 16 }, (_, index) => `msg_${index}`);
    await store.write(async (tx) => {
      for (const id of ids) await accept(tx, id);
      await tx.run("UPDATE outbox SET lease_token = 'token'");
    });
    for (const table of ["outbox", "dispatches"]) await store.write((tx) => tx.run(`ANALYZE ${table}`));
    const calls = ids.map(callOf);
    const values = calls[0]?.values.map((_, column) => calls.map((call) => call.values[column] ?? null));
    const sql = calls[0]?.statement.batch.sql ?? "";
    expect(await countBlocks((tx) => tx.all(sql, ...(values as unknown as string[])))).toBeLessThan(200);
  });

  it("returns an entry queued late by a transaction that began long before", async () => {
    const of = floors();
    const slow = await connect();
    try {
      await slow.query("BEGIN; INSERT INTO doubts (message_id) VALUES ('msg_0')");
      await leaveDead();
      expect(await pollOnce(of)).toEqual([]);
      const run = async (sql: string, ...values: unknown[]) => (await slow.query(sql, values)).rowCount ?? 0;
      await accept({ run }, "msg_late");
      await store.write((tx) => accept(tx, "msg_next"));
      expect(await pollOnce(of)).toEqual(["msg_next"]);
      await slow.query("COMMIT");
      expect(await pollOnce(of)).toEqual(["msg_late", "msg_next"]);
    } finally {
      await slow.end();
    }
  });

  it("returns the lowest order first, then the oldest, from any server", async () => {
    const of = floors();
    await pollOnce(of);
    for (const [messageId, order] of [
      ["msg_1", 2],
      ["msg_2", 1],
      ["msg_3", 0],
      ["msg_4", 0],
      ["msg_5", 1],
    ] as const) {
      await store.write((tx) => accept(tx, messageId, order));
    }
    const inOrder = ["msg_3", "msg_4", "msg_2", "msg_5", "msg_1"];
    expect(await pollOnce(of)).toEqual(inOrder);
    expect(await pollOnce(floors())).toEqual(inOrder);
    expect(await list(of.beginScan(), 3)).toEqual(inOrder.slice(0, 3));
  });

  it("returns entries whose numbers a server reused after it lost its last transactions", async () => {
    const of = floors();
    await store.write((tx) => accept(tx, "msg_1"));
    await store.write((tx) => tx.run("DELETE FROM outbox"));
    await pollOnce(of);
    await store.write((tx) => accept(tx, "msg_2"));
    await store.write((tx) => tx.run("UPDATE outbox SET queued_by = 5"));
    expect(await pollOnce(of)).toEqual([]);
    realMs += 1_000;
    expect(await pollOnce(of)).toEqual(["msg_2"]);
    expect(await pollOnce(of)).toEqual(["msg_2"]);
    for (let looks = 0; looks < 30; looks += 1) {
      realMs += 1_000;
      await pollOnce(of);
    }
    await store.write((tx) => tx.run("UPDATE outbox SET queued_by = 1"));
    expect(await pollOnce(of)).toEqual([]);
    realMs += 120_000;
    expect(await pollOnce(of)).toEqual(["msg_2"]);
  });
});

describe("a row that falls due", () => {
  const now = 100_000;
  const ask = (tx: Transaction, messageId: string, dueAt: number) =>
    tx.run(
      `INSERT INTO dispatches (message_id, state, due_at, give_up_at, asks, tenant_id, accepted_at)
       VALUES ($1, 'reconciling', $2, 0, 0, 1, 0)`,
      messageId,
      dueAt,
    );
  const lookAt = (of: QueueFloors, at = now) =>
    store.write(async (tx) => {
      const rows = await listDueLookups(tx, { now: at, limit: 10, scan: of.beginScan() });
      return rows.map(({ messageId }) => messageId);
    });
  beforeEach(async () => {
    for (const messageId of ["msg_1", "msg_2"]) await store.write((tx) => accept(tx, messageId));
  });

  it("is found without reading dead rows", async () => {
    await store.write(async (tx) => {
      const into = "INSERT INTO dispatches (message_id, state, due_at, give_up_at, asks, tenant_id, accepted_at)";
      await tx.run(`${into} SELECT 'msg_0' || n, 'reconciling', n, 0, 0, 1, 0 FROM generate_series(1, ${DEAD}) AS n`);
    });
    await store.write((tx) => tx.run("DELETE FROM dispatches"));
    await store.write((tx) => ask(tx, "msg_1", now - 1));
    const of = new QueueFloors(() => realMs);
    const asks = async (tx: Transaction) => {
      const scan = of.beginScan();
      await listDueLookups(tx, { now, limit: 10, scan });
      await findNextLookupDue(tx, { now, until: now + 1_000, scan });
    };
    expect(await countBlocks(asks)).toBeGreaterThan(DEAD / 200);
    expect(await lookAt(of)).toEqual(["msg_1"]);
    expect(await countBlocks(asks)).toBeLessThan(60);
    await store.write((tx) => tx.run("DELETE FROM dispatches"));
    expect(await lookAt(of)).toEqual([]);
    expect(await countBlocks(asks)).toBeLessThan(60);
  });

  it("is found after another transaction had locked it, or if it falls due before dead rows", async () => {
    const of = new QueueFloors(() => realMs);
    const later = now + 20_000;
    await store.write((tx) => ask(tx, "msg_1", now));
    expect(await lookAt(of, later)).toEqual(["msg_1"]);
    await store.write((tx) => ask(tx, "msg_2", now - 1));
    expect(await lookAt(of, later)).toEqual(["msg_1"]);
    realMs += 30_000;
    expect(await lookAt(of, later)).toEqual(["msg_2", "msg_1"]);
    await store.write((tx) => tx.run("DELETE FROM dispatches"));
    expect(await lookAt(of, later)).toEqual([]);
    // the row is written a little late
    await store.write((tx) => ask(tx, "msg_1", later - 900));
    expect(await lookAt(of, later)).toEqual(["msg_1"]);
    await store.write((tx) => tx.run("DELETE FROM dispatches"));
    expect(await lookAt(of, later)).toEqual([]);
    // the row is written under a clock that differs
    await store.write((tx) => ask(tx, "msg_1", later - 9_000));
    expect(await lookAt(of, later)).toEqual([]);
    realMs += 1_000;
    // the query after a look does not count as a look
    await store.write((tx) => findNextLookupDue(tx, { now: later, until: later + 1_000, scan: of.beginScan() }));
    expect(await lookAt(of, later)).toEqual(["msg_1"]);
    // the row is written under a clock that was set back
    await store.write((tx) => tx.run("UPDATE dispatches SET due_at = 5"));
    expect(await lookAt(of, later)).toEqual([]);
    expect(await lookAt(of, now)).toEqual(["msg_1"]);
  });
});

describe("a callback's lane and tenant", () => {
  const lane = { tenantId: 1, receiver: "a.example" };
  const now = 2 * DEAD;

  it.each([
    ["before their statistics are collected", []],
    ["after their rows are counted", ["VACUUM"]],
    ["after their statistics are collected", ["ANALYZE"]],
  ])("are found without reading their dead versions, %s", async (_when, commands) => {
    await store.write(async (tx) => {
      const many = `FROM generate_series(1, ${DEAD}) AS n`;
      await tx.run(`INSERT INTO callback_calls (request_id, tenant_id, receiver, url, due_at)
                    SELECT n, 1, 'a.example', 'https://a.example/', n ${many}`);
      await tx.run(`INSERT INTO callback_lanes (tenant_id, receiver, due_at, leased_until, rests, version)
                    SELECT 1, 'a.example', n, 0, 0, n - ${DEAD} ${many}`);
      await tx.run(
        `INSERT INTO callback_tenants (tenant_id, due_at, leased_until, version) SELECT 1, n, 0, n - ${DEAD} ${many}`,
      );
    });
    await store.write(async (tx) => {
      await tx.run(`DELETE FROM callback_calls WHERE request_id < ${DEAD}`);
      for (const table of ["callback_lanes", "callback_tenants"]) {
        await tx.run(`DELETE FROM ${table} WHERE version < 0`);
      }
    });
    expect(await countBlocks((tx) => tx.all("SELECT * FROM callback_tenants"))).toBeGreaterThan(DEAD / 200);
    // the first look finds the time from which anything is due
    await store.write((tx) => refreshLane(tx, lane, now));
    const beside = await connect();
    for (const command of commands) await beside.query(`${command} callback_calls, callback_lanes, callback_tenants`);
    await beside.end();
    const floor = new DueFloor(() => 0);
    const list = (tx: Transaction) => listDueTenants(tx, { now, limit: 10, floor });
    expect(await store.write(list)).toEqual([1]);
    const asks: readonly ((tx: Transaction) => Promise<unknown>)[] = [
      list,
      (tx) => findNextTenantDue(tx, { now, until: now + 1_000 }),
      (tx) => findDueLane(tx, 1, now),
      (tx) => findDueCall(tx, lane, now),
      (tx) => refreshCall(tx, { ...lane, requestId: DEAD }),
      (tx) => leaseLane(tx, lane, { until: now, isWaiting: true, now }),
      (tx) => wakeLane(tx, lane, now),
      (tx) => endLease(tx, lane, { isAnswered: true }),
      (tx) => restLane(tx, { ...lane, rests: 0 }, now),
      (tx) => enqueueCall(tx, { ...lane, requestId: DEAD + 1, url: "https://a.example/", dueAt: now }),
      (tx) => refreshLane(tx, lane, now),
      (tx) => leaseTenant(tx, 1, now),
    ];
    for (const ask of asks) expect(await countBlocks(ask), ask.toString()).toBeLessThan(60);
    expect(await store.read((tx) => tx.all("SELECT receiver FROM callback_lanes"))).toHaveLength(1);
    expect(await store.read((tx) => tx.all("SELECT tenant_id FROM callback_tenants"))).toHaveLength(1);
  });
});

describe("counters", () => {
  const channel = "SMS";
  const period = "2025-06-01";
  let key: { tenantId: number; merchantId: string; channel: "SMS"; period: string };
  beforeEach(async () => {
    key = await store.write(async (tx) => {
      const { tenantId } = await insertTenant(tx, { name: "Test", timezone: "UTC", now: 0 });
      const merchant = { tenantId, merchantId: "shop" };
      await upsertMerchant(tx, { ...merchant, displayName: "Shop", active: true, now: 0 });
      await upsertQuota(tx, { ...merchant, channel, limit: 1_000_000, credits: 0 });
      return { ...merchant, channel, period };
    });
  });
  const readUsage = () => store.read((tx) => tx.all("SELECT used, reserved, generation FROM usage"));

  it("are found without reading earlier generations", async () => {
    await store.write(async (tx) => {
      await tx.run(
        `INSERT INTO usage (tenant_id, merchant_id, channel, period, used, reserved, generation)
         SELECT $1, 'shop', 'SMS', $2, 0, 5, generation FROM generate_series(1, ${DEAD}) AS generation`,
        key.tenantId,
        period,
      );
      await tx.run(
        `INSERT INTO daily_totals (tenant_id, day, channel, units, provider_cost_micros, markup_micros, generation)
         SELECT $1, '2025-06-02', 'SMS', 5, 0, 0, generation FROM generate_series(1, ${DEAD}) AS generation`,
        key.tenantId,
      );
    });
    await store.write(async (tx) => {
      for (const table of ["usage", "daily_totals"]) await tx.run(`DELETE FROM ${table} WHERE generation < ${DEAD}`);
    });
    expect(await countBlocks((tx) => tx.all("SELECT used FROM usage"))).toBeGreaterThan(DEAD / 200);
    const reserve = (tx: Transaction) => reserveUsage(tx, { ...key, channel, period }, { units: 1, creditUnits: 0 });
    const add = (tx: Transaction) =>
      addToDay(
        tx,
        { tenantId: key.tenantId, channel, day: "2025-06-02" },
        { units: 1, providerCostMicros: 2, markupMicros: 3 },
      );
    expect(await countBlocks(reserve)).toBeLessThan(40);
    expect(await countBlocks(add)).toBeLessThan(40);
    expect(await readUsage()).toEqual([{ used: 0, reserved: 6, generation: DEAD }]);
  });

  it("lose no count between instances, whichever begins a generation", async () => {
    const second = await openStoreAt(database.location, { now: () => 0 });
    try {
      const day = { tenantId: key.tenantId, channel: "SMS", day: "2025-06-02" } as const;
      const send = (to: Store) =>
        to.write(async (tx) => {
          await reserveUsage(tx, key, { units: 3, creditUnits: 0 });
        }, "together");
      const end = (to: Store, index: number) =>
        to.write(async (tx) => {
          if (index % 10 === 0) {
            await releaseUnpaid(tx, key, 3);
            return;
          }
          await settleUsage(tx, key, { units: 3, findThreshold: () => undefined });
          await addToDay(tx, day, { units: 3, providerCostMicros: 1, markupMicros: 1 });
        }, "background together");
      for (let round = 0; round < ROUNDS; round += 1) {
        await Promise.all([store, second].flatMap((to) => [send(to), send(to)]));
        await Promise.all([store, second].flatMap((to) => [send(to), end(to, round), end(to, round + 1)]));
      }
      const used = 4 * 90 * 3;
      expect(await readUsage()).toEqual([
        {
          used,
          reserved: 6 * ROUNDS * 3 - 4 * ROUNDS * 3,
          generation: expect.toSatisfy((generation) => generation > 0),
        },
      ]);
      const days = await store.read((tx) => tx.all("SELECT units, generation FROM daily_totals"));
      expect(days).toEqual([{ units: used, generation: expect.toSatisfy((generation) => generation > 0) }]);
    } finally {
      await second.close();
    }
  });
});
