// This build opens the recorded installation of each released version: nothing is lost or sent twice, and everything goes on.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { LEDGER_SCHEMA } from "./carriers/simulated/ledger.ts";
import { databases, openLedgerDatabase } from "./engines.ts";
import type { DatabaseLocation } from "./platform/database-url.ts";
import { checkInvariants } from "./store/invariants.ts";
import { migrations, newestVersion } from "./store/migrate.ts";
import { migrateDatabase } from "./store/sqlite/sqlite-store.ts";
import type { Migration } from "./store/statement.ts";
import { takeUnusedDatabase } from "./testing/engine.ts";
import { type PlacedData, placeRecorded, recordedVersions, withPostgres } from "./testing/recorded-data.ts";
import { createReceivers, idsOf, type OpenedWorld, openWorld, type Receivers } from "./testing/recorded-world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Rows = Record<string, string[]>;

/** Returns the rows of every table, as text. */
async function readRows(location: DatabaseLocation): Promise<Rows> {
  if ("url" in location) {
    return withPostgres(location, async (client) => {
      const rows: Rows = {};
      for (const name of await listPostgresTables(client)) {
        const found = await client.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
        rows[name] = found.rows.map(({ row }) => row).sort();
      }
      return rows;
    });
  }
  return withSqlite(location.file, (database) => {
    const tables = database.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const read = (name: string) =>
      database
        .prepare(`SELECT * FROM ${name}`)
        .all()
        .map((row) => JSON.stringify(row));
    return Object.fromEntries(tables.map(({ name }) => [name, read(name).sort()]));
  });
}

async function listPostgresTables(client: import("pg").Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace IN (current_schema()::regnamespace, '${LEDGER_SCHEMA}'::regnamespace)`,
  );
  return rows.map(({ name }) => name);
}

function withSqlite<T>(file: string, work: (database: BetterSqlite3.Database) => T): T {
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Describes every table, column, constraint and index, a line each. */
async function describeTables(...locations: readonly DatabaseLocation[]): Promise<string[]> {
  const lines: string[] = [];
  for (const location of locations) {
    if ("url" in location) {
      return withPostgres(location, async (client) =>
        (await client.query<{ line: string }>(POSTGRES_TABLES)).rows.map(({ line }) => line),
      );
    }
    const found = withSqlite(location.file, (database) =>
      database.prepare<[], { sql: string }>("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").all(),
    );
    lines.push(...found.map(({ sql }) => sql.replaceAll(/\s+/g, " ")));
  }
  return lines.sort();
}

const IN_SCHEMAS = `IN (current_schema()::regnamespace, '${LEDGER_SCHEMA}'::regnamespace)`;
const POSTGRES_TABLES = `
  SELECT r.oid::regclass || '.' || a.attname || ' ' || format_type(atttypid, atttypmod) || ' ' || a.attnotnull || ' '
         || a.attidentity || ' ' || a.attcollation::regcollation || ' ' || COALESCE(pg_get_expr(adbin, adrelid), '') AS line
    FROM pg_class r JOIN pg_attribute a ON a.attrelid = r.oid LEFT JOIN pg_attrdef ON adrelid = r.oid AND adnum = attnum
   WHERE r.relkind = 'r' AND r.relnamespace ${IN_SCHEMAS} AND attnum > 0 AND NOT attisdropped
  UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace ${IN_SCHEMAS}
  UNION ALL SELECT pg_get_indexdef(indexrelid) || ' ' || indisvalid
    FROM pg_index JOIN pg_class i ON i.oid = indexrelid WHERE i.relnamespace ${IN_SCHEMAS}
  ORDER BY line`;

/** Migrates the tables as this build does when it starts. */
async function migrateAll(
  { database, simulator }: Pick<PlacedData, "database" | "simulator">,
  steps?: readonly Migration[],
) {
  if (steps === undefined) await databases.migrate(database, 0);
  else if ("file" in database) await migrateDatabase(database.file, 0, steps);
  else await (await import("./store/postgres/postgres-store.ts")).migratePostgres(database.url, 0, steps);
  await (await openLedgerDatabase(simulator)).close();
}

/** A migration like those that later versions will have. */
const later: Migration = {
  version: newestVersion + 1,
  name: "later",
  statements: ({ int64 }) => [
    `ALTER TABLE messages ADD COLUMN later ${int64} NOT NULL DEFAULT 7`,
    "UPDATE merchants SET display_name = display_name || '!'",
  ],
  indexes: [{ name: "messages_later", on: "messages (later)" }],
};
const withLater = [...migrations, later];

it("has a recorded installation", () => {
  expect(recordedVersions).toContain("0.1.0");
});

describe.each(recordedVersions)("the installation of %s", (version) => {
  let placed: PlacedData;
  let opened: OpenedWorld | undefined;
  let receivers: Receivers;
  beforeEach(async () => {
    placed = await placeRecorded(version);
    receivers = createReceivers({ areUp: true });
  });
  afterEach(async () => {
    await opened?.service.close();
    opened = undefined;
    await placed.remove();
  });

  async function open(): Promise<OpenedWorld> {
    const { database, simulator, world } = placed;
    opened = await openWorld({ database, simulator, now: world.stoppedAt, receivers });
    return opened;
  }

  // a released table is never edited: see CONTRIBUTING.md, "Add or change a table". Until 0.1.0 is released, run
  // `npm run record:data` after a change of a table
  it("has the tables of a new one after its migrations", async () => {
    await migrateAll(placed);
    const fresh = await takeFresh();
    try {
      expect(await describeTables(placed.database, placed.simulator)).toEqual(
        await describeTables(fresh.database, fresh.simulator),
      );
    } finally {
      await fresh.remove();
    }
  });

  it("keeps every row", async () => {
    const before = [await readRows(placed.database), await readRows(placed.simulator)];
    expect(Object.values(before[0] ?? {}).flat().length).toBeGreaterThan(300);
    await (await open()).service.close();
    opened = undefined;
    expect([await readRows(placed.database), await readRows(placed.simulator)]).toEqual(before);
  });

  it("answers as before: keys, sessions, reads, and the ids of repeated writes", async () => {
    const { keys, session, writes, replies } = placed.world;
    const { call } = await open();
    const statuses: Record<string, number> = {};
    for (const [name, as] of Object.entries(keys)) {
      statuses[name] = (await call("GET", "/api/v1/merchants", { as })).status;
    }
    expect(statuses).toEqual({ tenant: 200, rotated: 200, merchant: 200, live: 200, revoked: 401 });
    expect(await call("GET", "/dashboard/api/session", { as: session })).toMatchObject({
      ...{ status: 200, body: { email: "ann@acme.example", role: "admin" } },
    });
    for (const [path, reply] of Object.entries(replies)) {
      expect((await call("GET", path, { as: keys.tenant })).body, path).toEqual(reply);
    }
    expect(writes.length).toBeGreaterThan(40);
    for (const { by, url, key, body, ids } of writes) {
      const repeated = await call("POST", url, { as: keys[by], body, key });
      expect(repeated.headers["idempotent-replayed"], `${url} ${key}`).toBe("true");
      expect(idsOf(repeated.body), `${url} ${key}`).toEqual(ids);
    }
    const other = await call("POST", "/api/v1/messages/sms", {
      ...{
        as: keys.tenant,
        key: writes[0]?.key,
        body: { merchantId: "m1", to: "+12025550100", message: "Other", type: "OTP" },
      },
    });
    expect(other.body).toMatchObject({ code: "idempotency_key_reused" });
  });

  it("sends what waits exactly once, and posts each callback that no receiver has taken", async () => {
    const { waiting, untaken, keys, writes } = placed.world;
    const { service, clock, call } = await open();
    await service.start();
    await clock.advanceBy(10 * MINUTE_MS);
    const sent = await readSubmissions();
    expect(waiting.map((id) => sent.get(id))).toEqual(waiting.map(() => 1));
    await clock.advanceBy(100 * HOUR_MS);
    expect([...(await readSubmissions())].filter(([, sends]) => sends > 1)).toEqual([]);
    const unended = await service.store.read((tx) =>
      tx.all("SELECT message_id, status FROM messages WHERE status IN ('QUEUED', 'SENDING')"),
    );
    expect(unended).toEqual([]);
    expect(untaken.length).toBeGreaterThan(10);
    const taken = receivers.posted.filter(({ isTaken }) => isTaken).map(({ id }) => id);
    expect(untaken.filter((id) => !taken.includes(id))).toEqual([]);
    expect(taken.filter((id, index) => taken.indexOf(id) !== index)).toEqual([]);
    // the payments that were open; the keys of the others have expired
    const upgrades = writes.filter(({ url }) => url.endsWith("/billing/upgrade")).slice(-2);
    const ended: string[] = [];
    for (const { by, url, key, body } of upgrades) {
      ended.push((await call("POST", url, { as: keys[by], body, key })).body.paymentStatus);
    }
    expect(ended).toEqual(["SUCCEEDED", "SUCCEEDED"]);
    const reports = await service.store.read(checkInvariants);
    expect(reports.filter(({ faults }) => faults.length > 0)).toEqual([]);
  });

  it("is moved by a later migration, with every row, and this build then refuses to open it", async () => {
    const before = await readRows(placed.database);
    await migrateAll(placed, withLater);
    const after = await readRows(placed.database);
    const count = (rows: Rows) => Object.entries(rows).map(([table, found]) => `${table} ${found.length}`);
    const { migrations: record = [], ...others } = after;
    expect(record).toHaveLength(withLater.length);
    expect(count({ ...others, migrations: before.migrations ?? [] }).sort()).toEqual(count(before).sort());
    expect(after.messages?.every((row) => /"later": ?7/.test(row))).toBe(true);
    expect(after.merchants?.every((row) => /!"/.test(row))).toBe(true);
    expect((await describeTables(placed.database)).filter((line) => line.includes("messages_later"))).toHaveLength(1);
    await migrateAll(placed, withLater);
    expect(await readRows(placed.database)).toEqual(after);
    await expect(open()).rejects.toThrow(
      `the database is at version ${newestVersion + 1}, and this msgd knows versions up to ${newestVersion}: run the newer msgd`,
    );
    expect(await readRows(placed.database)).toEqual(after);
  });

  it("is unchanged by a migration that fails halfway", async () => {
    const before = [await readRows(placed.database), await describeTables(placed.database)];
    const broken: Migration = {
      ...later,
      statements: (dialect) => [...later.statements(dialect), "INSERT INTO missing_table VALUES (1)"],
    };
    await expect(migrateAll(placed, [...migrations, broken])).rejects.toThrow(/missing_table|42P01/);
    expect([await readRows(placed.database), await describeTables(placed.database)]).toEqual(before);
  });

  /** How often the carrier has sent each message. */
  async function readSubmissions(): Promise<Map<string, number>> {
    const { simulator } = placed;
    const sql = "SELECT reference, sends FROM submissions";
    const rows: { reference: string; sends: number }[] =
      "url" in simulator
        ? await withPostgres(
            simulator,
            async (client) => (await client.query(sql.replace("submissions", `${LEDGER_SCHEMA}.submissions`))).rows,
          )
        : withSqlite(simulator.file, (database) => database.prepare(sql).all() as typeof rows);
    return new Map(rows.map(({ reference, sends }) => [reference, sends]));
  }
});

/** Makes a new installation of this build. */
async function takeFresh(): Promise<Pick<PlacedData, "database" | "simulator" | "remove">> {
  if (inject("postgres") !== undefined) {
    const { location, release } = await takeUnusedDatabase();
    return { database: location, simulator: location, remove: release };
  }
  const path = mkdtempSync(join(tmpdir(), "msgd-fresh-"));
  const fresh = { database: { file: join(path, "msgd.db") }, simulator: { file: join(path, "simulator.db") } };
  await migrateAll(fresh);
  return { ...fresh, remove: async () => rmSync(path, { recursive: true }) };
}
