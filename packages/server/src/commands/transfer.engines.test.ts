// Tests `msgd transfer`, which moves an installation from a data folder to PostgreSQL.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../development/clocks.ts";
import { readSharedPepper } from "../domain/tenancy/secrets.ts";
import { databases, openStore } from "../engines.ts";
import { systemClock } from "../platform/clock.ts";
import { locateDataFolder, lockDataFolder, readFolderSecretKey } from "../platform/data-folder.ts";
import { SECRET_KEY_BYTES } from "../platform/secret-box.ts";
import { openService, type PostResult, type Service } from "../service.ts";
import { ConfigError } from "../settings/config.ts";
import { migrations, newestVersion } from "../store/migrate.ts";
import { openPostgresStore } from "../store/postgres/postgres-store.ts";
import { inspectDatabase } from "../store/sqlite/database-file.ts";
import type { Store, Work } from "../store/store.ts";
import { type TestDatabase, takeDatabase } from "../testing/engine.ts";
import { exampleProvisioning } from "../testing/provisioning-example.ts";
import { goodCampaign } from "../testing/registration.ts";
import { runVerify } from "./backup.ts";
import { findInstallation } from "./database.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runProvisioningImport } from "./provisioning.ts";
import { runCallbacksSecret } from "./secrets.ts";
import { runKeysCreate, runTenantsCreate, runTenantsList } from "./tenants.ts";
import { runTransfer } from "./transfer.ts";

const json = { output: "json" } as const;
const hourMs = 3_600_000;
/** Midnight in New York: too early for a call in quiet hours. */
const startMs = Date.parse("2026-01-15T05:00:00Z");
const key = Buffer.alloc(SECRET_KEY_BYTES, 7).toString("base64");
const plain = `"quoted" 'text'  back\\slash {a,b} NULL 😀 é`;
const strange = `${plain}
	${plain}`;
const largest = Number.MAX_SAFE_INTEGER;

let folder: string;
let data: string;
let database: TestDatabase;
let url: string;
let printed: { out: string; err: string };
/** Called with each line of progress. */
let onProgress: (line: string) => void;
let credential: { apiKey: string; apiSecret: string };
const services: Service[] = [];
const stores: Store[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-transfer-"));
  data = join(folder, "data");
  database = await takeDatabase();
  url = "url" in database.location ? database.location.url : "";
  printed = { out: "", err: "" };
  onProgress = () => {};
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  for (const store of stores.splice(0)) await store.close();
  await database.release();
  rmSync(folder, { recursive: true });
});

/** Returns an environment for a command on a folder or, if none is given, on the server. */
function environmentOf(dataFolder: string | undefined, variables: NodeJS.ProcessEnv = {}): CommandEnvironment {
  const env = dataFolder === undefined ? { DATABASE_URL: url, MSGD_SECRET_KEY: key } : { MSGD_DATA: dataFolder };
  return {
    env: { ...env, ...variables },
    output: {
      out(text) {
        printed.out += text;
      },
      err(text) {
        printed.err += text;
        onProgress(text);
      },
    },
    clock: systemClock,
    openStore: (location) => openStore({ database: location, clock: systemClock }),
    databases,
    fetch,
  };
}
const transferEnvironment = (variables: NodeJS.ProcessEnv = {}) =>
  environmentOf(undefined, { MSGD_DATA: join(folder, "unused"), ...variables });
const transfer = (from: string, to: string, variables?: NodeJS.ProcessEnv) =>
  runTransfer({ from, to }, transferEnvironment(variables));
const there = (variables?: NodeJS.ProcessEnv) => transfer(data, "postgres", variables);

async function resultOf<T>(command: Promise<void>): Promise<T> {
  printed.out = "";
  await command;
  return JSON.parse(printed.out) as T;
}
async function write<T>(work: Work<T>): Promise<T> {
  const store = await openPostgresStore({ url, now: Date.now });
  try {
    return await store.write(work);
  } finally {
    await store.close();
  }
}
async function createTenant(): Promise<void> {
  await runTenantsCreate("Acme", { ...json, timezone: "UTC", test: true }, environmentOf(data));
  credential = await resultOf(runKeysCreate({ ...json, tenant: "1" }, environmentOf(data)));
}

/** Opens the same parts as `serve`, and by default starts to dispatch. */
async function serve(
  dataFolder: string | undefined,
  { clock, isStarted = true, env = {} }: { clock: VirtualClock; isStarted?: boolean; env?: NodeJS.ProcessEnv },
) {
  const installation = findInstallation({}, environmentOf(dataFolder, env).env);
  const { database, folder, requireUntransferred, readPepper, openSecretBox } = installation;
  requireUntransferred();
  const posted: string[] = [];
  const service = await openService({
    database,
    simulator: "url" in database ? database : { file: folder.simulatorFile },
    pepper: readPepper,
    secrets: openSecretBox,
    consentPolicy: "strict",
    idempotencyDays: 7,
    clock,
    isAlone: dataFolder !== undefined,
    poster: {
      async post({ headers }): Promise<PostResult> {
        posted.push(headers["webhook-id"] ?? "");
        const status = dataFolder === data ? 503 : 200;
        return { status, outcome: String(status) };
      },
      close() {},
    },
  });
  services.push(service);
  clock.watch(() => service.isBusy());
  if (isStarted) await service.start();
  const { apiKey, apiSecret } = credential;
  const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
  const request = (method: "GET" | "POST", path: string, payload?: object, idempotencyKey?: string) =>
    service.app.inject({
      method,
      url: `/api/v1/${path}`,
      headers: { ...headers, ...(idempotencyKey && { "idempotency-key": idempotencyKey }) },
      ...(payload && { payload }),
    });
  return {
    posted,
    service,
    get: async (path: string) => (await request("GET", path)).json(),
    request,
    async post(path: string, body: object, idempotencyKey?: string) {
      const reply = await request("POST", path, body, idempotencyKey);
      expect(reply.statusCode, reply.body).toBe(200);
      return reply.json();
    },
    async close() {
      services.splice(services.indexOf(service), 1);
      await service.close();
    },
  };
}

const sms = (to: string, message = "Hello") => ({ merchantId: "m1", to, message, type: "OTP" });

/** Creates an installation with rows of all kinds, most of them finished, some in progress. */
async function makeInstallation(): Promise<void> {
  await createTenant();
  const provisioning = join(folder, "provisioning.json");
  writeFileSync(provisioning, JSON.stringify(exampleProvisioning(1)), { mode: 0o600 });
  await runProvisioningImport(provisioning, { ...json, tenant: "1" }, environmentOf(data));
  await runCallbacksSecret({ ...json, tenant: "1", overlap: "0" }, environmentOf(data));
  const clock = createVirtualClock(startMs);
  const { post, close } = await serve(data, { clock });
  const quota = { smsLimit: 20, voiceMinutesLimit: 1_000, emailLimit: 1_000 };
  await post("merchants", { merchantId: "m1", displayName: plain, ...quota });
  for (const contact of ["+12125550100", "+12125550132", "+12125550137"]) {
    await post("consents", { merchantId: "m1", channel: "VOICE", contact, status: "OPT_IN", source: plain });
  }
  await post("merchants/m1/messaging/brand", {
    legalBusinessName: plain,
  });
  await clock.advanceTo(clock.now() + 48 * hourMs);
  const campaign = await post("merchants/m1/messaging/campaign", goodCampaign);
  const number = await post("merchants/m1/messaging/numbers", { phoneNumber: "+12025550142" });
  await clock.advanceTo(clock.now() + 48 * hourMs);
  await post(`merchants/m1/messaging/numbers/${number.id}/assign`, { campaignId: campaign.id });
  await post("billing/upgrade", { merchantId: "m1", channel: "SMS", units: 10 }, "paid");
  for (const last of ["00", "02", "03", "10", "17", "18", "50"])
    await post("messages/sms", sms(`+120255501${last}`), last);
  for (let count = 0; count < 6; count += 1) await post("messages/sms", sms("+12025550120"));
  const body = `<p>${strange}${"x".repeat(1_040_000)}</p>`;
  await post("messages/email", {
    merchantId: "m1",
    to: "delivered@simulator.example",
    subject: plain,
    body,
    type: "OTP",
  });
  const call = {
    merchantId: "m1",
    messageText: 'Hello 😀 "you"',
    useCase: "otp",
    callbackUrl: "https://hooks.example/a",
  };
  await post("voice/tts-calls", { ...call, toNumbers: ["+12125550100", "+12125550132", "+12125550137"] }, "calls");
  await clock.advanceTo(clock.now() + hourMs);
  // its receipt is outstanding
  await post("messages/sms", sms("+12025550101"));
  await clock.advanceTo(clock.now() + 5_000);
  await close();
  // messages accepted by a server that has stopped dispatching
  const stopped = await serve(data, { clock, isStarted: false });
  await stopped.post("messages/sms", sms("+12025550100", strange), "waiting");
  await stopped.post("messages/sms", sms("+12025550101"));
  await stopped.post("voice/tts-calls", { ...call, useCase: "promotion", toNumber: "+12125550100" });
  await stopped.post("billing/upgrade", { merchantId: "m1", channel: "EMAIL", units: 10 }, "unpaid");
  await stopped.service.store.write(async (tx) => {
    await tx.run(
      "INSERT INTO callback_gone_urls (tenant_id, url, through_request_id, gone_at) VALUES (1, $1, $2, $3)",
      strange,
      -largest,
      largest,
    );
    // a job is finished, and its id must not be used again
    await tx.run("INSERT INTO jobs (job_id, tenant_id, kind, subject, due_at) VALUES (7000, 0, 'none', '', 0)");
    await tx.run("DELETE FROM jobs WHERE job_id = 7000");
  });
  await stopped.close();
}

type Row = Record<string, unknown>;

/** Tables that PostgreSQL stores in another form, or with more rows. */
const unlike = new Set(["usage", "daily_totals", "callback_lanes", "callback_tenants"]);

/** Converts a row to text, without resealed secrets. */
function describeRow(row: Row, columns = Object.keys(row)): string {
  return JSON.stringify(
    columns.map((name) => [name, name.startsWith("sealed_") && row[name] !== null ? "sealed" : row[name]]),
  );
}

/** Reads every row of a folder's databases. */
function readFolder(dataFolder: string): Record<string, Row[]> {
  const { databaseFile, simulatorFile } = locateDataFolder(dataFolder);
  const found: Record<string, Row[]> = {};
  for (const file of [databaseFile, simulatorFile]) {
    const opened = new BetterSqlite3(file, { readonly: true });
    const tables = opened.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      if (name === "migrations" || name.startsWith("sqlite_")) continue;
      const named = file === simulatorFile ? `simulated_carrier.${name}` : name;
      found[named] = opened.prepare<[], Row>(`SELECT * FROM ${name}`).all();
    }
    opened.close();
  }
  return found;
}

/** Returns the rows of both ends, with their common columns, in the same order. */
async function readBoth(table: string, rows: readonly Row[]): Promise<{ here: string[]; there: string[] }> {
  const there = await write((tx) => tx.all<Row>(`SELECT * FROM ${table}`));
  const columns = Object.keys(rows[0] ?? {}).filter((name) => there[0] === undefined || name in there[0]);
  const list = (some: readonly Row[]) => some.map((row) => describeRow(row, columns)).sort();
  return { here: list(rows), there: list(there) };
}

describe("an installation", () => {
  it("is copied row by row, and the folder stays unchanged", async () => {
    await makeInstallation();
    const before = readFolder(data);
    for (const table of [
      "messages",
      "long_contents",
      "tts_calls",
      "callbacks",
      "callback_calls",
      "payments",
      "alerts",
      "numbers",
      "sip_users",
      "ring_group_members",
      "callback_secrets",
      "idempotency_keys",
      "jobs",
      "usage",
      "simulated_carrier.submissions",
      "simulated_carrier.events",
      "simulated_carrier.speeches",
      "dispatches",
      "daily_totals",
      "consent_history",
      "provider_events",
      "provider_health",
    ]) {
      expect(before[table]?.length, table).toBeGreaterThan(0);
    }
    await there();
    expect(printed.out).toMatch(/^messages +\d+$/m);
    expect(printed.out).toMatch(/was transferred to postgres:\/\/.*: \d+ rows, each the same at both ends\n$/);
    expect(printed.err).toMatch(/resealed with MSGD_SECRET_KEY: \d+ secrets/);
    await runVerify({}, environmentOf(undefined));
    for (const [table, rows] of Object.entries(before)) {
      if (unlike.has(table)) continue;
      const { here, there: arrived } = await readBoth(table, rows);
      expect(arrived, table).toEqual(here);
    }
    expect(readFolder(data)).toEqual(before);
  });
});

describe("work in progress", () => {
  const jsonOf = (reply: { json(): { messageId: string } }) => reply.json();

  it("is found with the same credential and Idempotency-Key, and completes", async () => {
    await makeInstallation();
    const clock = createVirtualClock(startMs + 100 * hourMs);
    const before = await serve(data, { clock, isStarted: false });
    const known = jsonOf(await before.request("POST", "messages/sms", sms("+12025550100", strange), "waiting"));
    const merchant = await before.get("merchants/m1");
    await before.close();
    await there();
    const server = await serve(undefined, { clock });
    const replayed = await server.request("POST", "messages/sms", sms("+12025550100", strange), "waiting");
    expect(replayed.headers["idempotent-replayed"]).toBe("true");
    expect(jsonOf(replayed).messageId).toBe(known.messageId);
    expect(await server.get("merchants/m1")).toMatchObject({ displayName: merchant.displayName });
    await clock.advanceTo(clock.now() + 80 * hourMs);
    const counts = await write((tx) =>
      tx.all("SELECT status FROM messages WHERE status IN ('QUEUED', 'SENDING', 'SENT') AND channel <> 'VOICE'"),
    );
    expect(counts).toEqual([]);
    expect(await write((tx) => tx.all("SELECT reference FROM simulated_carrier.submissions WHERE sends > 1"))).toEqual(
      [],
    );
    expect(await write((tx) => tx.all("SELECT DISTINCT status FROM payments"))).toEqual([{ status: "SUCCEEDED" }]);
    expect(server.posted.length).toBeGreaterThan(0);
    expect((await server.get("voice/provisioning")).sipUsers[0].password).toEqual(expect.any(String));
    await server.post("messages/sms", sms("+12025550100"));
    await clock.advanceTo(clock.now() + hourMs);
    await server.close();
    await runVerify({}, environmentOf(undefined));
  });

  it("gets ids after those already used", async () => {
    await makeInstallation();
    await there();
    const next = await write((tx) =>
      tx.get<{ job: number; tenant: number }>(
        `SELECT nextval(pg_get_serial_sequence('jobs', 'job_id')) AS job,
                nextval(pg_get_serial_sequence('tenants', 'tenant_id')) AS tenant`,
      ),
    );
    expect(next?.job).toBeGreaterThan(7_000);
    expect(next?.tenant).toBe(2);
  });
});

describe("the source folder of a transfer", () => {
  it("is refused by a server until its mark is deleted", async () => {
    await createTenant();
    await there();
    const list = () => runTenantsList(json, environmentOf(data));
    const { transferredFile } = locateDataFolder(data);
    await expect(list()).rejects.toThrow(`the data in ${data} was transferred to postgres://`);
    await expect(list()).rejects.toThrow(`delete ${transferredFile}`);
    await expect(serve(data, { clock: createVirtualClock(startMs) })).rejects.toThrow("was transferred to");
    await expect(there()).rejects.toThrow("was transferred to");
    await runVerify({}, environmentOf(data));
    rmSync(transferredFile);
    await list();
  });
});

/** Ends the transfer's connection at this point, as if its process was killed. */
function endConnection(): void {
  const script = `
    import pg from "pg";
    const client = new pg.Client(process.env.URL);
    await client.connect();
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE mode = 'ShareRowExclusiveLock'" +
      " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())");
    await client.end();`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script], { env: { ...process.env, URL: url } });
}

describe("a transfer that fails", () => {
  const isEmpty = () => write(async (tx) => (await tx.all("SELECT * FROM tenants")).length === 0);

  it("leaves the database empty and the folder usable", async () => {
    await makeInstallation();
    const before = readFolder(data);
    onProgress = (line) => {
      if (line.startsWith("comparing")) endConnection();
    };
    await expect(there()).rejects.toThrow("was cut");
    expect(await isEmpty()).toBe(true);
    expect(existsSync(locateDataFolder(data).transferredFile)).toBe(false);
    expect(readFolder(data)).toEqual(before);
    onProgress = () => {};
    await there();
  });

  it("names the row that differs", async () => {
    await createTenant();
    const opened = new BetterSqlite3(join(data, "msgd.db"));
    opened.prepare("UPDATE merchants SET display_name = 'a' || CHAR(0)").run();
    opened.close();
    await expect(there()).rejects.toThrow(
      "merchants (tenant_id 1, merchant_id default) has a text with U+0000 as its display_name",
    );
    expect(await isEmpty()).toBe(true);
  });

  it("names the owner of a secret that cannot be opened", async () => {
    await makeInstallation();
    rmSync(join(data, "secret-key"));
    readFolderSecretKey(locateDataFolder(data), { make: true });
    await expect(there()).rejects.toThrow(/^the password of SIP user \d+ of tenant 1: a secret was sealed with key/);
    expect(await isEmpty()).toBe(true);
  });
});

describe("a transfer is refused", () => {
  const to = (from: string, dataFolder: string, variables?: NodeJS.ProcessEnv) => () =>
    transfer(from, dataFolder, variables);

  it.each([
    ["two folders", to("a", "b"), "--to: expected postgres, or a URL, received a data folder"],
    ["the opposite direction", to("postgres", "a"), "--from: expected a data folder, received a database on a server"],
    ["a URL as the source", to("postgres://msgd:hunter2@db/name", "postgres"), "--from: expected a data folder"],
    ["a password", to("a", "postgres://msgd:hunter2@db/name"), "--to: received a URL with a password"],
    ["a password in a parameter", to("a", "postgres://db/name?password=hunter2"), "and use --to postgres"],
    ["a mistyped URL", to("a", "mysql://db/name"), "--to: expected postgres, or postgres://"],
    ["no DATABASE_URL", to("a", "postgres", { DATABASE_URL: undefined }), "--to postgres: uses the database that"],
    ["no key", to("a", "postgres", { MSGD_SECRET_KEY: undefined }), "MSGD_SECRET_KEY: needed with DATABASE_URL"],
  ])("for %s", async (_what, run, words) => {
    await expect(run()).rejects.toThrow(words);
    await expect(run()).rejects.toThrow(ConfigError);
    await expect(run()).rejects.not.toThrow("hunter2");
  });

  it("if there is no data", async () => {
    await expect(there()).rejects.toThrow(`there is no data of msgd in ${data}: correct --from`);
    expect(existsSync(data)).toBe(false);
  });

  it("while a server runs on the folder", async () => {
    await createTenant();
    const lock = lockDataFolder(locateDataFolder(data));
    try {
      await expect(there()).rejects.toThrow("another msgd serves");
    } finally {
      lock.release();
    }
  });

  it("while instances serve the database", async () => {
    await createTenant();
    stores.push(await openPostgresStore({ url, now: Date.now, isServing: true }));
    await expect(there()).rejects.toThrow("instances serve the database");
    expect(existsSync(locateDataFolder(data).transferredFile)).toBe(false);
  });

  it("into a database in use", async () => {
    await createTenant();
    await there();
    rmSync(locateDataFolder(data).transferredFile);
    await expect(there()).rejects.toThrow(
      /is in use, its table tenants has rows: create an empty database \(createdb\)/,
    );
    await runTenantsList(json, environmentOf(data));
    await runTenantsList(json, environmentOf(undefined));
  });

  it("for tables of another version, and data that violates an invariant", async () => {
    await createTenant();
    const change = (sql: string) => {
      const opened = new BetterSqlite3(join(data, "msgd.db"));
      opened.exec(sql);
      opened.close();
    };
    change("UPDATE quotas SET credits = 4 WHERE channel = 'SMS'");
    await expect(there()).rejects.toThrow("fails the checks above");
    expect(printed.out).toContain("merchantId default, channel SMS, credits 4");
    change("UPDATE quotas SET credits = 0; INSERT INTO migrations SELECT MAX(version) + 1, 'later', 0 FROM migrations");
    await expect(there()).rejects.toThrow("belong to a newer version of msgd");
    change(`DELETE FROM migrations WHERE version > ${newestVersion}`);
    const steps = [...migrations, { version: newestVersion + 1, name: "later", statements: () => [] }];
    const inspect: typeof databases.inspect = (_, now) => inspectDatabase(join(data, "msgd.db"), now, steps);
    const environment = { ...transferEnvironment(), databases: { ...databases, inspect } };
    await expect(runTransfer({ from: data, to: "postgres" }, environment)).rejects.toThrow("run msgd migrate first");
    change("UPDATE migrations SET name = 'first-tables'");
    await expect(there()).rejects.toThrow("made by a development build of msgd, before its first release");
  });

  it("for a database without rows that was already used with a key", async () => {
    await createTenant();
    const other = Buffer.alloc(SECRET_KEY_BYTES, 8);
    await write((tx) => readSharedPepper(tx, [other]));
    await expect(there()).rejects.toThrow("the database already has a pepper: use an empty database");
  });
});
