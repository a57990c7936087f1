import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { findNextCallback, listCallbacks } from "../callbacks.ts";
import { checkInvariants } from "../invariants.ts";
import { SqliteConnection, sqliteDialect } from "../sqlite/connection.ts";
import { firstTables } from "./0001-first-tables.ts";
import { jobs } from "./0002-jobs.ts";
import { calls } from "./0003-calls.ts";
import { callbacks } from "./0004-callbacks.ts";
import { registration } from "./0005-registration.ts";
import { provisioning } from "./0006-provisioning.ts";
import { billing } from "./0007-billing.ts";
import { keys } from "./0008-keys.ts";
import { writeChecks } from "./0009-write-checks.ts";
import { pruning } from "./0010-pruning.ts";
import { callbackOrder } from "./0011-callback-order.ts";
import { writeCheckSize } from "./0012-write-check-size.ts";
import { grantedCredits } from "./0013-granted-credits.ts";
import { migrate } from "./migrate.ts";

const before = [
  ...[firstTables, jobs, calls, callbacks, registration, provisioning, billing, keys, writeChecks, pruning],
  ...[callbackOrder, writeCheckSize, grantedCredits],
];

const now = Date.UTC(2026, 0, 15, 12);
const later = now + 60_000;

interface Old {
  readonly tenantId: number;
  readonly host: string;
  readonly requestId: number | null;
  readonly status?: string;
  readonly attempts?: number;
  readonly next?: number | null;
  readonly token?: string;
}

/** A database as the version before wrote it. */
async function openOld(rows: readonly Old[]): Promise<SqliteConnection> {
  const database = new BetterSqlite3(":memory:");
  const tx = new SqliteConnection(database);
  database.exec(
    "CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL)",
  );
  for (const { version, name, statements } of before) {
    for (const statement of statements(sqliteDialect)) database.exec(statement);
    await tx.run("INSERT INTO migrations (version, name, applied_at) VALUES ($1, $2, 0)", version, name);
  }
  const insert = database.prepare(
    `INSERT INTO callbacks (webhook_id, tenant_id, url, host, type, body, status, attempts, next_attempt_at, lease_token,
       updated_at, request_id) VALUES (?, ?, ?, ?, 'voice.tts_call.updated', '{}', ?, ?, ?, ?, 0, ?)`,
  );
  for (const [
    index,
    { tenantId, host, requestId, status = "PENDING", attempts = 0, next = now, token },
  ] of rows.entries()) {
    const given = [status, attempts, next, token ?? null, requestId];
    insert.run(`evt_${index + 1}`, tenantId, `https://${host}/`, host, ...given);
    if (status === "PENDING") database.prepare("INSERT OR IGNORE INTO callback_hosts VALUES (?, 0)").run(host);
  }
  return tx;
}

it("puts what waited into lines by tenant and receiver", async () => {
  const tx = await openOld([
    { tenantId: 1, host: "hooks.example.com:8443", requestId: 1, next: later, attempts: 2 },
    { tenantId: 1, host: "hooks.example.com", requestId: 1 },
    { tenantId: 2, host: "hooks.example.com:81", requestId: 2 },
    { tenantId: 1, host: "127.0.0.1:3000", requestId: 3, attempts: 1, next: later, token: "dead" },
    { tenantId: 1, host: "[::1]:3000", requestId: null },
    { tenantId: 1, host: "[2001:db8::53]", requestId: null, attempts: 3, next: later },
    { tenantId: 1, host: "127.0.0.1", requestId: 4, status: "DELIVERED", attempts: 1, next: null },
  ]);
  await migrate(tx, now);

  const lines = await tx.all<{ line: string; dueAt: number }>(
    `SELECT tenant_id || ' ' || receiver AS line, due_at AS "dueAt" FROM callback_lines ORDER BY 1`,
  );
  expect(lines).toEqual([
    { line: "1 127.0.0.1", dueAt: later },
    { line: "1 [2001:db8::53]", dueAt: later },
    { line: "1 [::1]", dueAt: now },
    { line: "1 hooks.example.com", dueAt: now },
    { line: "2 hooks.example.com", dueAt: now },
  ]);
  expect(await tx.all(`SELECT tenant_id AS id, due_at AS "dueAt" FROM callback_turns ORDER BY 1`)).toEqual([
    { id: 1, dueAt: now },
    { id: 2, dueAt: now },
  ]);
  expect((await checkInvariants(tx)).filter(({ faults }) => faults.length > 0)).toEqual([]);
  const next = await Promise.all([1, 2, 3, -5, -6].map((requestId) => findNextCallback(tx, requestId, now)));
  expect(next.map((callback) => callback?.webhookId)).toEqual(["evt_2", "evt_3", "evt_4", "evt_5", undefined]);
  expect((await findNextCallback(tx, 1, later))?.webhookId).toBe("evt_1");
  expect(await listCallbacks(tx, { limit: 10 })).toHaveLength(7);
});
