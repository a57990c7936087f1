import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listTenants } from "../domain/tenancy/rows.ts";
import { databases, openStore } from "../engines.ts";
import { systemClock } from "../platform/clock.ts";
import { lockDataFolder, openDataFolder } from "../platform/data-folder.ts";
import type { DatabaseLocation } from "../platform/database-url.ts";
import { SUBMIT_PAYMENT } from "../store/jobs.ts";
import { findLastBackup } from "../store/lineage.ts";
import { migrations, newestVersion } from "../store/migrate.ts";
import { inspectDatabase } from "../store/sqlite/database-file.ts";
import { migrateDatabase } from "../store/sqlite/sqlite-store.ts";
import { makeCommandEnvironment, type Printed } from "../testing/command-environment.ts";
import { runBackup, runRestore, runRestoreMark, runVerify } from "./backup.ts";
import { runMigrate } from "./database.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runTenantsCreate } from "./tenants.ts";

let folder: string;
let data: string;
let backup: string;
let printed: Printed;
let environment: CommandEnvironment;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-database-"));
  data = join(folder, "data");
  backup = join(folder, "backup.db");
  ({ environment, printed } = makeCommandEnvironment(data));
  await createTenant("Acme");
});
afterEach(() => rmSync(folder, { recursive: true }));

const database = () => join(data, "msgd.db");
/** The environment of a build with one more migration. */
function nextBuild(): CommandEnvironment {
  const statements = () => ["ALTER TABLE tenants ADD COLUMN later INTEGER NOT NULL DEFAULT 7"];
  const steps = [...migrations, { version: newestVersion + 1, name: "later", statements }];
  const fileOf = (location: DatabaseLocation) => ("file" in location ? location.file : "");
  return {
    ...environment,
    databases: {
      ...databases,
      inspect: (location, now) => inspectDatabase(fileOf(location), now, steps),
      migrate: (location, now) => migrateDatabase(fileOf(location), now, steps),
    },
  };
}
const createTenant = (name: string) => runTenantsCreate(name, { output: "text", timezone: "UTC" }, environment);
const openNow = () => openStore({ database: { file: database() }, clock: systemClock });
const tenantsNow = async () => {
  const store = await openNow();
  const tenants = await store.read(listTenants);
  await store.close();
  return tenants.map(({ name }) => name);
};
const change = (sql: string) => {
  const connection = new BetterSqlite3(database());
  connection.exec(sql);
  connection.close();
};
/** Inserts a row. Columns that are not given and must not be null get 0. */
const insert = (table: string, values: Record<string, string | number>) => {
  const connection = new BetterSqlite3(database());
  connection.pragma("foreign_keys = OFF");
  const columns = connection.pragma(`table_info(${table})`) as { name: string; notnull: 0 | 1; dflt_value: unknown }[];
  const needed = columns.filter(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null);
  const row = { ...Object.fromEntries(needed.map(({ name }) => [name, 0])), ...values };
  const names = Object.keys(row);
  connection.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`).run(Object.values(row));
  connection.close();
};
const elsewhere = () => ({ data: join(folder, "elsewhere") });

/** Reads the time of the last backup from the database. */
async function readLastBackup(): Promise<number | undefined> {
  const store = await openStore({ database: { file: database() }, clock: systemClock });
  const found = await store.read(findLastBackup);
  await store.close();
  return found;
}

describe("backup", () => {
  it("is recorded in the database; a restored database has no record of later backups", async () => {
    let now = Date.UTC(2026, 2, 1);
    environment = { ...environment, clock: { ...systemClock, now: () => now } };
    expect(await readLastBackup()).toBeUndefined();
    const [first, second] = [join(folder, "first.db"), join(folder, "second.db")];
    const firstAt = now;
    await runBackup(first, {}, environment);
    now += 86_400_000;
    await runBackup(second, {}, environment);
    expect(await readLastBackup()).toBe(now);
    await runRestore(second, {}, environment);
    expect(await readLastBackup()).toBe(firstAt);
    await runRestore(first, {}, environment);
    expect(await readLastBackup()).toBeUndefined();
  });

  it("is complete even if the database cannot record it, and the command says so", async () => {
    change("INSERT INTO migrations SELECT MAX(version) + 1, 'later', 0 FROM migrations");
    await runBackup(backup, {}, environment);
    expect(printed.out).toContain(`${backup}  `);
    expect(printed.err).toContain("could not be recorded in the database");
    expect(printed.err).toContain("another version of msgd");
    const copy = new BetterSqlite3(backup, { readonly: true });
    expect(copy.pragma("integrity_check", { simple: true })).toBe("ok");
    copy.close();
  });

  it("is not recorded if it fails", async () => {
    writeFileSync(backup, "precious");
    await expect(runBackup(backup, {}, environment)).rejects.toThrow("is not overwritten");
    expect(await readLastBackup()).toBeUndefined();
  });

  it("copies all committed data to one private file, even while a server runs", async () => {
    const server = await openNow();
    await createTenant("Bolt");
    await runBackup(backup, {}, environment);
    await createTenant("Cask");
    await server.close();
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(["backup.db", "data"]);
    expect(printed.err).toContain("pepper");
    expect(printed.err).toContain("MSGD_SECRET_KEY");
    await runRestore(backup, {}, environment);
    expect(await tenantsNow()).toEqual(["Acme", "Bolt"]);
  });

  it("ends even though the server keeps writing", async () => {
    const server = await openNow();
    change(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO tenants (name, timezone, created_at) SELECT hex(randomblob(200)), 'UTC', 0 FROM n`);
    let isDone = false;
    const done = runBackup(backup, {}, environment).finally(() => {
      isDone = true;
    });
    let writes = 0;
    while (!isDone) {
      await server.write((tx) => tx.run("INSERT INTO tenants (name, timezone, created_at) VALUES ('x', 'UTC', 0)"));
      writes += 1;
    }
    await done;
    await server.close();
    expect(writes).toBeGreaterThan(1);
    const copy = new BetterSqlite3(backup, { readonly: true });
    expect(copy.prepare("SELECT COUNT(*) FROM tenants WHERE name <> 'x'").pluck().get()).toBe(20_001);
    copy.close();
  });

  it("overwrites nothing", async () => {
    writeFileSync(backup, "precious");
    await expect(runBackup(backup, {}, environment)).rejects.toThrow("exists and is not overwritten");
    expect(readFileSync(backup, "utf8")).toBe("precious");
    expect(readdirSync(folder).sort()).toEqual(["backup.db", "data"]);
  });

  it("explains what is wrong with the path", async () => {
    const nowhere = join(folder, "nowhere", "backup.db");
    await expect(runBackup(nowhere, {}, environment)).rejects.toThrow("its folder does not exist");
    await expect(runBackup(backup, elsewhere(), environment)).rejects.toThrow("there is no data of msgd");
  });
});

describe("restore", () => {
  it("keeps the previous data, with the last commits", async () => {
    await runBackup(backup, {}, environment);
    const crashed = await openNow();
    await createTenant("Bolt");
    await runRestore(backup, {}, environment);
    await crashed.close();
    expect(await tenantsNow()).toEqual(["Acme"]);
    const [kept = ""] = readdirSync(data).filter((name) => /^msgd\.db\.before-\d{8}T\d{6}Z$/.test(name));
    const old = new BetterSqlite3(join(data, kept));
    expect(old.prepare("SELECT name FROM tenants ORDER BY tenant_id").pluck().all()).toEqual(["Acme", "Bolt"]);
    old.close();
    expect(statSync(database()).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["restore", () => runRestore(backup, {}, environment)],
    ["restore --mark", () => runRestoreMark({}, environment)],
  ])(
    "ends sessions and links (%s), because since the backup, links may have been used and users disabled",
    async (_name, run) => {
      change(`INSERT INTO users (tenant_id, email, role, password_hash, link_hash, link_expires_at, created_at)
            VALUES (1, 'ann@example.com', 'admin', 'scrypt$', 'hash', 9e15, 0)`);
      change(
        "INSERT INTO sessions (session_id, user_id, refresh_hash, created_at, refreshed_at) VALUES ('s1', 1, 'x', 0, 0)",
      );
      await runBackup(backup, {}, environment);
      await run();
      const restored = new BetterSqlite3(database(), { readonly: true });
      const user = restored.prepare("SELECT password_hash, link_hash, link_expires_at FROM users").get();
      expect(user).toEqual({ password_hash: "scrypt$", link_hash: null, link_expires_at: null });
      expect(restored.prepare("SELECT COUNT(*) FROM sessions").pluck().get()).toBe(0);
      restored.close();
      expect(printed.err.replaceAll("\n", " ")).toContain(
        "Passwords, roles, disabled users and revoked keys are as of the backup",
      );
    },
  );

  it("is recorded in the audit of operators, in the restored database", async () => {
    await runBackup(backup, {}, environment);
    await runRestore(backup, {}, environment);
    const restored = new BetterSqlite3(database(), { readonly: true });
    const entries = restored.prepare("SELECT operation, target FROM audit_entries WHERE tenant_id = 0").all();
    expect(entries).toEqual([{ operation: "restore", target: `backup ${backup}` }]);
    restored.close();
  });

  it("restores into a new folder, and reports which files are missing there", async () => {
    await runBackup(backup, {}, environment);
    chmodSync(backup, 0o644);
    await runRestore(backup, elsewhere(), environment);
    expect(printed.err).toContain("pepper is missing: restore it");
    expect(statSync(join(folder, "elsewhere", "msgd.db")).mode & 0o777).toBe(0o600);
    data = join(folder, "elsewhere");
    expect(await tenantsNow()).toEqual(["Acme"]);
  });

  it("refuses to replace a database with itself, by any name", async () => {
    symlinkSync(data, join(folder, "link"));
    for (const file of [database(), join(folder, "link", "msgd.db")]) {
      await expect(runRestore(file, {}, environment)).rejects.toThrow(`${file} is the database of ${data} itself`);
    }
    expect(readdirSync(data).filter((name) => name.includes("before"))).toEqual([]);
  });

  it("refuses while a server runs", async () => {
    await runBackup(backup, {}, environment);
    const lock = lockDataFolder(openDataFolder(data));
    await expect(runRestore(backup, {}, environment)).rejects.toThrow("another msgd serves");
    lock.release();
  });

  it.each<[string, () => void, string]>([
    ["no database", () => writeFileSync(backup, "hello there"), "is damaged, or is not a database"],
    ["nothing", () => writeFileSync(backup, ""), "is not a backup of msgd"],
    [
      "another program's database",
      () => new BetterSqlite3(backup).exec("CREATE TABLE a (b)").close(),
      "is not a backup of msgd",
    ],
    ["no file", () => {}, "there is no file"],
  ])("refuses and changes nothing for %s", async (_what, make, reason) => {
    make();
    await expect(runRestore(backup, {}, environment)).rejects.toThrow(reason);
    expect(await tenantsNow()).toEqual(["Acme"]);
    expect(readdirSync(data).filter((name) => name.includes("restor") || name.includes("before"))).toEqual([]);
  });

  it("refuses and changes nothing for a backup with a damaged page", async () => {
    change(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO tenants (name, timezone, created_at) SELECT hex(randomblob(50)), 'UTC', 0 FROM n`);
    await runBackup(backup, {}, environment);
    const bytes = readFileSync(backup);
    bytes.fill(0x5a, bytes.length - 40_000, bytes.length - 20_000);
    writeFileSync(backup, bytes);
    await expect(runRestore(backup, {}, environment)).rejects.toThrow(/damaged one|fails the checks/);
    expect(await tenantsNow()).toHaveLength(2_001);
  });

  it("refuses a backup whose data violates an invariant", async () => {
    insert("dispatches", { message_id: "msg_x", state: "ready" });
    await runBackup(backup, {}, environment);
    await expect(runRestore(backup, {}, environment)).rejects.toThrow("fails the checks");
    expect(printed.out).toContain("WRONG  every dispatch has its message");
  });

  it("migrates an older backup, and then checks its data", async () => {
    await runBackup(backup, {}, environment);
    await runRestore(backup, {}, nextBuild());
    expect(printed.out).toContain("ok     credits left are those granted");
    expect(printed.out).toContain("ok     usage is the sum over messages and calls");
    const restored = new BetterSqlite3(database());
    expect(restored.prepare("SELECT name, later FROM tenants").all()).toEqual([{ name: "Acme", later: 7 }]);
    restored.close();
  });

  it("refuses a backup of a newer version", async () => {
    await runBackup(backup, {}, environment);
    const old = new BetterSqlite3(backup);
    old.exec("INSERT INTO migrations SELECT MAX(version) + 1, 'later', 0 FROM migrations");
    old.close();
    await expect(runRestore(backup, elsewhere(), environment)).rejects.toThrow("was made by a newer version of msgd");
    expect(existsSync(join(folder, "elsewhere", "msgd.db"))).toBe(false);
  });
});

describe("restore --mark", () => {
  it("marks everything that waits in a database restored by other means", async () => {
    await runRestoreMark({}, environment);
    expect(printed.out).toContain(`${data} is marked as restored\n`);
    expect(printed.err).toContain("0 messages and 0 payments wait in this backup");
    await runVerify({}, environment);
    expect(printed.err).toContain("it may have been older than its carriers");
  });

  it("marks nothing while a server runs, or if there is no database", async () => {
    const lock = lockDataFolder(openDataFolder(data));
    await expect(runRestoreMark({}, environment)).rejects.toThrow("another msgd serves");
    lock.release();
    await expect(runRestoreMark(elsewhere(), environment)).rejects.toThrow("there is no data of msgd");
    printed.err = "";
    await runVerify({}, environment);
    expect(printed.err).not.toContain("older than its carriers");
  });
});

describe("verify", () => {
  const merchantKey = { tenant_id: 1, merchant_id: "default", channel: "SMS" };
  const quotaKey = { ...merchantKey, period: "2026-01-01" };
  const message = (status: string, charge: string, units = 0) =>
    insert("messages", { ...quotaKey, message_id: "msg_1", status, charge, units });
  const dispatch = (state: string) => insert("dispatches", { message_id: "msg_1", state });
  const batch = (counters: Record<string, number>) =>
    insert("tts_batches", { batch_id: 1, tenant_id: 1, merchant_id: "default", total_calls: 1, ...counters });
  const call = (state: Record<string, number | string>) => insert("tts_calls", { batch_id: 1, ...state });

  it("prints each check, even while a server runs", async () => {
    const server = await openNow();
    await runVerify({}, environment);
    await server.close();
    const lines = printed.out.trimEnd().split("\n").slice(3);
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.every((line) => line.startsWith("ok    "))).toBe(true);
  });

  it("reports the messages, calls and payments that a restoration left in doubt, but no later ones", async () => {
    const payment = (values: Record<string, string | number>) =>
      insert("payments", { ...merchantKey, units: 1, amount_cents: 1, status: "PENDING", ...values });
    const waiting = (message_id: string, status: string, values: Record<string, string | number> = {}) =>
      insert("messages", { ...quotaKey, message_id, status, charge: "RESERVED", ...values });
    waiting("msg_1", "QUEUED", { queue_order: 1 });
    waiting("msg_2", "SENDING");
    insert("dispatches", { message_id: "msg_2", state: "ready" });
    waiting("msg_3", "SENT");
    insert("dispatches", { message_id: "msg_3", state: "awaiting" });
    payment({ payment_id: "pay_1" });
    insert("jobs", { tenant_id: 1, kind: SUBMIT_PAYMENT, subject: "pay_1" });
    payment({ payment_id: "pay_2", begun_at: 5 });
    // waits for the operator, because no processor has it
    payment({ payment_id: "pay_4" });
    batch({ scheduled: 1 });
    call({ request_id: 1, status: "SCHEDULED", final_status: "SCHEDULED" });
    await runBackup(backup, {}, environment);
    await runRestore(backup, {}, environment);

    waiting("msg_4", "SENDING");
    insert("dispatches", { message_id: "msg_4", state: "reconciling" });
    payment({ payment_id: "pay_3", begun_at: 6 });
    printed.err = "";
    await runVerify({}, environment);
    expect(printed.err).toContain("Still in doubt: 2 messages, 1 call, 1 payment. The carrier is asked about each");
  });

  it("reports only the time of a restoration if nothing is in doubt", async () => {
    await runBackup(backup, {}, environment);
    await runRestore(backup, {}, environment);
    printed.err = "";
    await runVerify({}, environment);
    expect(printed.err).toMatch(/\nAt \d{4}-\d\d-\d\dT[\d:.]+Z it may have been older than its carriers: [^.\n]+\.\n$/);
    expect(printed.err).not.toContain("doubt");
  });

  it.each<[string, string, () => void]>([
    [
      "usage is the sum over messages and calls",
      "tenantId 1, merchantId default, channel SMS, period 2026-01-01, used 2, charged 0, reserved 0, held 0",
      () => insert("usage", { ...quotaKey, used: 2 }),
    ],
    [
      "usage is the sum over messages and calls",
      "tenantId 1, merchantId default, channel VOICE, period 2026-01-01, used 0, charged 0, reserved 0, held 2",
      () => {
        batch({ pending: 1, is_accepted: 0 });
        call({ final_status: "PENDING", period: "2026-01-01", reserved_units: 2 });
        insert("call_acceptances", { batch_id: 1, period: "2026-01-01", units: 2 });
      },
    ],
    [
      "a batch being accepted reserves as much as its calls",
      "batchId 1, period 2026-01-01, units 2, creditUnits 1, callUnits 2, callCredits 0",
      () => {
        insert("usage", { ...quotaKey, channel: "VOICE", reserved: 2 });
        batch({ pending: 1, is_accepted: 0 });
        call({ final_status: "PENDING", period: "2026-01-01", reserved_units: 2 });
        insert("call_acceptances", { batch_id: 1, period: "2026-01-01", units: 2, credit_units: 1 });
      },
    ],
    [
      "daily totals are the sum over messages",
      "tenantId 1, channel SMS, units 2, charged 0, costMicros 7, messageCostMicros 0",
      () => insert("daily_totals", { tenant_id: 1, channel: "SMS", units: 2, provider_cost_micros: 7 }),
    ],
    [
      "credits pay for no more than is used and reserved",
      "creditUnits 3",
      () => {
        insert("usage", { ...quotaKey, credit_units: 3 });
        change("UPDATE quotas SET granted_credits = 3 WHERE channel = 'SMS'");
      },
    ],
    [
      "credits left are those granted and paid for, less those used",
      "merchantId default, channel SMS, credits 4, granted 0, paid 5, used 0",
      () => {
        insert("payments", { ...merchantKey, payment_id: "pay_1", units: 5, amount_cents: 5, status: "SUCCEEDED" });
        insert("payments", { ...merchantKey, payment_id: "pay_2", units: 7, amount_cents: 7, status: "PENDING" });
        change("UPDATE quotas SET credits = 4 WHERE channel = 'SMS'");
      },
    ],
    [
      "usage belongs to a merchant's quota",
      "merchantId nobody",
      () => insert("usage", { ...quotaKey, merchant_id: "nobody" }),
    ],
    [
      "a message is QUEUED or dispatched, never both",
      "messageId msg_1, state submitting",
      () => {
        message("QUEUED", "RESERVED");
        dispatch("submitting");
      },
    ],
    [
      "a dispatched message has left the queue",
      "messageId msg_1, state ready",
      () => {
        message("QUEUED", "RESERVED");
        dispatch("ready");
        change("UPDATE messages SET queue_order = 1");
      },
    ],
    ["every dispatch has its message", "messageId msg_1, state ready", () => dispatch("ready")],
    [
      "no message with a final status is dispatched",
      "messageId msg_1, status FAILED, state awaiting",
      () => {
        message("FAILED", "RELEASED");
        dispatch("awaiting");
      },
    ],
    ["a message at a provider has a dispatch", "messageId msg_1, status SENDING", () => message("SENDING", "RESERVED")],
    [
      "what a restoration left in doubt is QUEUED",
      "messageId msg_1, status SENT",
      () => {
        message("SENT", "RESERVED");
        dispatch("awaiting");
        insert("doubts", { message_id: "msg_1" });
      },
    ],
    [
      "a batch's five counters sum to its calls",
      "totalCalls 1, success 0",
      () => {
        batch({});
        call({});
      },
    ],
    ["a batch's counters are those of its calls", "batchId 1, totalCalls 1, calls -", () => batch({ success: 1 })],
    [
      "a batch's counters are those of its calls",
      "failed 1, failing 0, partial 0, partly 1",
      () => {
        batch({ failed: 1 });
        call({ final_status: "PARTIAL" });
      },
    ],
    [
      "a batch's counters are those of its calls",
      "pending 1, waiting 0, scheduled 0, planned 1",
      () => {
        batch({ pending: 1 });
        call({ final_status: "SCHEDULED" });
      },
    ],
    ...(["begun", "finalized", "hits", "misses"] as const).map((counter): [string, string, () => void] => [
      "a batch's counters are those of its calls",
      `, ${counter} 1, `,
      () => {
        batch({ success: 1, [counter]: 1 });
        call({ final_status: "SUCCESS" });
      },
    ]),
    [
      "a batch's costs are those of its calls",
      "speechMicros 5, callsSpeechMicros 12, callMicros 7, callsCallMicros 7, finalizedMicros 0, callsFinalizedMicros 0",
      () => {
        batch({ total_calls: 2, pending: 2, estimated_speech_micros: 5, speech_micros: 5, call_micros: 7 });
        call({ final_status: "PENDING", call_base_micros: 6, call_markup_micros: 1 });
        call({ final_status: "PENDING", request_id: 2, speech_base_micros: 6, speech_markup_micros: 1 });
      },
    ],
    [
      "a batch's costs are those of its calls",
      "finalizedMicros 11, callsFinalizedMicros 12",
      () => {
        const costs = { speech_micros: 5, call_micros: 7, finalized_micros: 11 };
        batch({ success: 1, finalized: 1, ...costs });
        call({
          final_status: "SUCCESS",
          billing_state: "FINALIZED",
          speech_base_micros: 4,
          speech_markup_micros: 1,
          call_base_micros: 6,
          call_markup_micros: 1,
        });
      },
    ],
    [
      "every reference leads somewhere",
      "table credential_secrets",
      () => insert("credential_secrets", { api_key: "mkt_test_x", secret_hash: "h" }),
    ],
  ])("reports the failed check: %s", async (name, fault, make) => {
    make();
    await expect(runVerify({}, environment)).rejects.toThrow("1 check does not hold");
    expect(printed.out).toContain(`WRONG  ${name}\n`);
    expect(printed.out).toContain(fault);
  });

  it("creates nothing if there is no data", async () => {
    await expect(runVerify(elsewhere(), environment)).rejects.toThrow("there is no data of msgd");
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });
});

describe("migrate", () => {
  it("prints its migrations, and then that the database is up to date", async () => {
    rmSync(database());
    writeFileSync(database(), "");
    await runMigrate({}, environment);
    expect(printed.out).toMatch(/\n1 {2}tables\n$/);
    Object.assign(printed, { out: "", err: "" });
    await runMigrate({}, environment);
    expect(printed).toEqual({ out: "", err: "The database was already up to date.\n" });
  });

  it("runs the migrations of a newer build, as verify requests", async () => {
    await runVerify({}, nextBuild());
    expect(printed.err).toContain(
      "The tables belong to an older version of msgd: run msgd migrate, then verify the data.\n",
    );
    Object.assign(printed, { out: "", err: "" });
    await runMigrate({}, nextBuild());
    expect(printed.out).toBe(`${newestVersion + 1}  later\n`);
    await runVerify({}, nextBuild());
    expect(printed.out).toContain("ok     usage is the sum over messages and calls");
  });
});

describe("tables that no release made", () => {
  const unreleased = /made by a development build of msgd, before its first release/;
  beforeEach(() => change("UPDATE migrations SET version = 26; INSERT INTO migrations VALUES (1, 'first-tables', 0)"));

  it.each<[string, () => Promise<unknown>]>([
    ["serve", openNow],
    ["tenants create", () => createTenant("Other")],
    ["migrate", () => runMigrate({}, environment)],
    ["verify", () => runVerify({}, environment)],
    ["backup", () => runBackup(backup, {}, environment)],
    ["restore --mark", () => runRestoreMark({}, environment)],
    ["restore", () => runRestore(database(), elsewhere(), environment)],
  ])("are refused by name and left unchanged: %s", async (_command, run) => {
    const before = readFileSync(database());
    await expect(run()).rejects.toThrow(unreleased);
    expect(readFileSync(database()).equals(before)).toBe(true);
    expect(existsSync(backup)).toBe(false);
    expect(existsSync(join(folder, "elsewhere", "msgd.db"))).toBe(false);
  });
});
