import type { Duplex } from "node:stream";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addToDay, releaseUnpaid, reserveUsage } from "../../domain/billing/rows.ts";
import { findProviderHealth } from "../../domain/carriers/rows.ts";
import { upsertMerchant, upsertQuota } from "../../domain/merchants/rows.ts";
import { endDispatch, saveDispatchStatement } from "../../domain/messages/outbox-rows.ts";
import { insertLongContentStatement } from "../../domain/messages/rows.ts";
import { insertTenant } from "../../domain/tenancy/rows.ts";
import { openSession, type Session } from "../../platform/postgres/sessions.ts";
import { alterTransaction } from "../../testing/altered-transaction.ts";
import { listBatchStatements } from "../../testing/batch-statements.ts";
import { type TestDatabase, takeDatabase } from "../../testing/engine.ts";
import { openStoreAt } from "../../testing/test-store.ts";
import { batchStatement, rowOf, textOf } from "../statement.ts";
import { CommitInDoubt, RunAgain, type Store, type Transaction, type Work } from "../store.ts";
import { commit } from "./connection.ts";
import { SharedTransaction, SpoiledGroup } from "./shared-transaction.ts";

let database: TestDatabase;
let store: Store;
let client: pg.Client;
let session: Session;
beforeEach(async () => {
  database = await takeDatabase();
  store = await openStoreAt(database.location, { now: Date.now });
  client = new pg.Client({ connectionString: "url" in database.location ? database.location.url : "" });
  client.on("error", () => {});
  await client.connect();
  ({ session } = await openSession(client, { answerMs: 5_000, plansByIndex: false }));
});
afterEach(async () => {
  await client.end();
  await store.close();
  await database.release();
});

const count: Work<void> = (tx) =>
  addToDay(
    tx,
    { tenantId: 1, channel: "SMS", day: "2026-11-23" },
    { units: 1, providerCostMicros: 1, markupMicros: 1 },
  );
const cut = () => (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();

it("a shared transaction is in doubt if the connection is lost during its writes and its commit", async () => {
  const shared = new SharedTransaction(session, () => {
    const committed = commit(session);
    process.nextTick(cut);
    return committed;
  });
  await expect(shared.run([count, count])).rejects.toThrow(CommitInDoubt);
});

it("a shared transaction is spoiled if a write fails that was sent with the commit", async () => {
  const keep: Work<number> = (tx) => tx.run(insertLongContentStatement({ messageId: "msg_1", content: "a long text" }));
  const shared = new SharedTransaction(session, () => commit(session));
  const failed = await shared.run([keep, keep]).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(SpoiledGroup);
  expect(failed).toMatchObject({ cause: { code: "23505" } });
  await session.ask("ROLLBACK");
});

it("a shared transaction is spoiled if a query fails, because other queries sent with it fail, too", async () => {
  const shared = new SharedTransaction(session, () => commit(session));
  const failed = await shared
    .run([(tx) => tx.get("SELECT 1 / 0 AS none"), (tx) => tx.get("SELECT 1 AS one")])
    .catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: "SpoiledGroup", cause: { code: "22012" } });
});

it("a write that throws RunAgain before any of its statements was sent can be run alone", async () => {
  const shared = new SharedTransaction(session, () => commit(session));
  const giveUp: Work<void> = async (tx) => {
    await count(tx);
    await findProviderHealth(tx, { tenantId: 1, merchantId: "shop", channel: "SMS", provider: "simulated" });
    throw new RunAgain("for a test");
  };
  const [kept, given] = await shared.run([count, giveUp]);
  expect(kept).toEqual({ value: undefined });
  expect(given).toMatchObject({ error: { name: "RunAgain" } });
  expect(await store.read((tx) => tx.all("SELECT units FROM daily_totals"))).toEqual([{ units: 1 }]);
});

it.each([
  ["if it begins and ends a dispatch", [["begin 2", "end 2"]], []],
  ["beside another write that only ends dispatches", [["end 1"], ["begin 2", "end 2"]], []],
  ["beside another write that only begins dispatches", [["begin 1"], ["end 2", "begin 2"]], ["1", "2"]],
  ["if it ends and begins several dispatches", [["end 1", "begin 2", "end 2", "begin 3"]], ["3"]],
])("a write's batches keep their order %s", async (_words, writes, left) => {
  const shared = new SharedTransaction(session, () => commit(session));
  const toWork =
    (asked: readonly string[]): Work<void> =>
    async (tx) => {
      for (const [kind, messageId = ""] of asked.map((one) => one.split(" "))) {
        const rest = { asks: 0, tenantId: 1, acceptedAt: 1 };
        const dispatch = { messageId, state: "awaiting", token: null, dueAt: 1, giveUpAt: 1, ...rest };
        if (kind === "begin") await tx.run(saveDispatchStatement(dispatch));
        else await endDispatch(tx, messageId);
      }
    };
  await shared.run(writes.map(toWork));
  const rows = await store.read((tx) => tx.all<{ id: string }>("SELECT message_id AS id FROM dispatches ORDER BY 1"));
  expect(rows.map(({ id }) => id)).toEqual(left);
});

it("a write's pending batches are sent before a query that may depend on them", async () => {
  const shared = new SharedTransaction(session, () => commit(session));
  const look: Work<unknown> = async (tx) => {
    await count(tx);
    return tx.get("SELECT units FROM daily_totals");
  };
  expect(await shared.run([look])).toEqual([{ value: { units: 1 } }]);
});

it("batches of kind looks are sent before pending writes", async () => {
  const lookAside = batchStatement({
    params: { day: "text" },
    row: rowOf<{ units: number | null }>(),
    one: "SELECT (SELECT units FROM daily_totals WHERE day = $1) AS units",
    batch: {
      kind: "early-reads",
      sql: (wanted) =>
        `SELECT w.ordinal, (SELECT units FROM daily_totals d WHERE d.day = w.day) AS units FROM ${wanted}`,
    },
  });
  const shared = new SharedTransaction(session, () => commit(session));
  const countAndLook: Work<unknown> = async (tx) => {
    const [found, , counted] = await Promise.all([
      tx.get(lookAside({ day: "2026-11-23" })),
      count(tx),
      count(tx).then(() => tx.get("SELECT units FROM daily_totals")),
    ]);
    return [found?.units, counted];
  };
  expect(await shared.run([countAndLook])).toEqual([{ value: [null, { units: 2 }] }]);
});

describe("units that no credits paid for", () => {
  const key = { tenantId: 0, merchantId: "shop", channel: "SMS", period: "2026-11-01" } as const;
  let tenantId: number;
  beforeEach(async () => {
    await store.write(async (tx) => {
      ({ tenantId } = await insertTenant(tx, { name: "T", timezone: "UTC", now: 0 }));
      const merchant = { tenantId, merchantId: "shop" };
      await upsertMerchant(tx, { ...merchant, displayName: "Shop", active: true, now: 0 });
      await upsertQuota(tx, { ...merchant, channel: "SMS", limit: 2, credits: 5 });
      await reserveUsage(tx, { ...key, tenantId }, { units: 2, creditUnits: 0 });
    });
  });
  const readUsage = () =>
    store.read((tx) => tx.get("SELECT reserved, credit_units AS paid FROM usage WHERE tenant_id = $1", tenantId));

  it("are released by the batch statement", async () => {
    const shared = new SharedTransaction(session, () => commit(session));
    const release: Work<boolean> = (tx) => releaseUnpaid(tx, { ...key, tenantId }, 1);
    expect(await shared.run([release, release])).toEqual([{ value: true }, { value: true }]);
    expect(await readUsage()).toEqual({ reserved: 0, paid: 0 });
  });

  it("are not released if credits pay for some before the quota is locked", async () => {
    const shared = new SharedTransaction(session, () => commit(session));
    const release: Work<boolean> = (tx) => {
      const get: Transaction["get"] = async (ask, ...values) => {
        const row = await tx.get(ask, ...values);
        await store.write((other) => reserveUsage(other, { ...key, tenantId }, { units: 1, creditUnits: 1 }));
        return row as never;
      };
      return releaseUnpaid(alterTransaction(tx, { get }), { ...key, tenantId }, 1);
    };
    const failed = await shared.run([release]).catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: "SpoiledGroup", cause: { code: "22012" } });
    await session.ask("ROLLBACK");
    expect(await readUsage()).toEqual({ reserved: 3, paid: 1 });
  });
});

it("a shared transaction supports SKIP LOCKED if it has only one write, and throws otherwise", async () => {
  await store.write((tx) => insertTenant(tx, { name: "Test", timezone: "UTC", now: 0 }));
  const tryLock: Work<boolean> = (tx) => tx.tryLock("SELECT tenant_id FROM tenants FOR UPDATE SKIP LOCKED");
  const run = (works: readonly Work<unknown>[]) => new SharedTransaction(session, () => commit(session)).run(works);
  expect(await run([tryLock])).toEqual([{ value: true }]);
  await store.write(async (tx) => {
    await tx.get("SELECT tenant_id FROM tenants FOR UPDATE");
    expect(await run([tryLock])).toEqual([{ value: false }]);
  });
  const error = expect.objectContaining({
    message: "a write that shares its transaction cannot use SKIP LOCKED",
  });
  expect(await run([tryLock, tryLock])).toEqual([{ error }, { error }]);
});

it.each(await listBatchStatements())("PostgreSQL accepts %s, alone and as a batch", async (_name, statement) => {
  for (const text of [textOf(statement.one, "postgres"), statement.batch.sql]) {
    await session.ask(`PREPARE taken AS ${text}`);
    await session.ask("DEALLOCATE taken");
  }
});
