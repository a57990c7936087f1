// The commands on a database that several instances share.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareDemo } from "../development/demo.ts";
import { hashSecret } from "../domain/tenancy/credentials.ts";
import { findCredential } from "../domain/tenancy/rows.ts";
import { bringPepper, readSharedPepper } from "../domain/tenancy/secrets.ts";
import { databases } from "../engines.ts";
import { systemClock } from "../platform/clock.ts";
import { locateDataFolder, openDataFolder, readFolderSecretKey } from "../platform/data-folder.ts";
import { createSecretBox, SECRET_KEY_BYTES } from "../platform/secret-box.ts";
import { derivePepper } from "../platform/shared-key.ts";
import { openService } from "../service.ts";
import { ConfigError } from "../settings/config.ts";
import { findInstallation as findRow } from "../store/installation.ts";
import { SUBMIT_PAYMENT, scheduleJob } from "../store/jobs.ts";
import { openPostgresStore } from "../store/postgres/postgres-store.ts";
import { emptyTables } from "../store/reset.ts";
import type { Store, Work } from "../store/store.ts";
import { makeCommandEnvironment, type Printed } from "../testing/command-environment.ts";
import { type TestDatabase, takeDatabase } from "../testing/engine.ts";
import { runBackup, runRestore, runRestoreMark, runVerify } from "./backup.ts";
import { findInstallation, runMigrate } from "./database.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runKeysList } from "./keys.ts";
import { runMessagesList } from "./messages.ts";
import { runCallbacksSecret } from "./secrets.ts";
import { runKeysCreate, runTenantsCreate, runTenantsList } from "./tenants.ts";
import { runUsersCreate } from "./users.ts";

const json = { output: "json" } as const;
const key = Buffer.alloc(SECRET_KEY_BYTES, 7);
const otherKey = Buffer.alloc(SECRET_KEY_BYTES, 8);

let folder: string;
let database: TestDatabase;
let url: string;
let printed: Printed;
let environment: CommandEnvironment;
const open: Store[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-postgres-"));
  database = await takeDatabase();
  url = "url" in database.location ? database.location.url : "";
  const made = makeCommandEnvironment(join(folder, "data"));
  printed = made.printed;
  const variables = { DATABASE_URL: url, MSGD_SECRET_KEY: key.toString("base64") };
  environment = { ...made.environment, env: { ...made.environment.env, ...variables } };
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  await database.release();
  rmSync(folder, { recursive: true });
});

/** Returns the environment with changed variables; undefined unsets a variable. */
const withVariables = (variables: NodeJS.ProcessEnv): CommandEnvironment => ({
  ...environment,
  env: { ...environment.env, ...variables },
});
const createTenant = () => runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
const createKey = (beside = environment) => runKeysCreate({ ...json, tenant: "1" }, beside);
/** Opens a store of the database, like an instance. */
async function openBeside(options: { isServing?: boolean } = {}): Promise<Store> {
  const store = await openPostgresStore({ url, now: Date.now, ...options });
  open.push(store);
  return store;
}
async function write<T>(work: Work<T>): Promise<T> {
  return (await openBeside()).write(work);
}
/** Runs a command and returns the JSON that it prints. */
async function resultOf<T>(command: Promise<void>): Promise<T> {
  Object.assign(printed, { out: "", err: "" });
  await command;
  return JSON.parse(printed.out) as T;
}

describe("the commands on DATABASE_URL", () => {
  it("need no data folder, and create none", async () => {
    await createTenant();
    await createKey();
    await runKeysList(json, environment);
    await runCallbacksSecret({ ...json, tenant: "1", overlap: "0" }, environment);
    expect(await resultOf(runTenantsList(json, environment))).toMatchObject([
      {
        ...{ tenantId: "1", name: "Acme", timezone: "UTC", mode: "live", waiting: 0, waitingSince: null },
        carriers: { SMS: null, VOICE: null, EMAIL: null },
      },
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keep the search index only in the folder of indexes", async () => {
    await createTenant();
    const flags = { ...json, tenant: "1", limit: "10" };
    const before = readdirSync(".");
    await runMessagesList([], flags, withVariables({ MSGD_DATA: undefined }));
    expect(readdirSync(folder)).toEqual([]);
    await runMessagesList([], flags, withVariables({ MSGD_SEARCH_FOLDER: join(folder, "indexes") }));
    expect(readdirSync(folder)).toEqual(["indexes"]);
    expect(readdirSync(join(folder, "indexes"), { recursive: true })).toContainEqual(
      expect.stringMatching(/^\w{16}.search\.db$/),
    );
    expect(readdirSync(".")).toEqual(before);
  });

  it("know no address of an instance, so a link has a host only if the variables name one", async () => {
    await createTenant();
    const create = (email: string, beside: CommandEnvironment) =>
      resultOf<{ link: string }>(runUsersCreate({ ...json, tenant: "1", email, role: "admin" }, beside));
    expect((await create("ann@example.com", environment)).link).toMatch(/^\/dashboard\/password#/);
    expect(printed.err).toContain("behind the address under which they reach the server");
    const beside = withVariables({ MSGD_PORT: "4900" });
    expect((await create("bob@example.com", beside)).link).toMatch(/^http:\/\/127\.0\.0\.1:4900\/dashboard\/password#/);
  });

  it.each([
    ["id, migration, batch", "(id integer, migration text, batch integer)"],
    ["version, name, run_on", "(version bigint, name text, run_on timestamptz)"],
  ])(
    "recognize a migrations table of another program, with %s, and make no tables beside it",
    async (names, columns) => {
      const beside = await openBeside();
      await beside.write(async (tx) => {
        await tx.run("ALTER TABLE migrations RENAME TO own_migrations");
        await tx.run(`CREATE TABLE migrations ${columns}`);
      });
      const commands = [
        () => runTenantsList(json, environment),
        () => runMigrate({}, environment),
        () => runVerify({}, environment),
      ];
      for (const run of commands) await expect(run()).rejects.toThrow("there is no data of msgd in postgres://");
      // like `serve`, which creates the tables if there are none
      await expect(createTenant()).rejects.toThrow(
        `the database belongs to another program: its table "migrations" has the columns ${names}. Create a database for msgd (createdb)`,
      );
      await beside.write(async (tx) => {
        await tx.run("DROP TABLE migrations");
        await tx.run("ALTER TABLE own_migrations RENAME TO migrations");
      });
      await runTenantsList(json, environment);
    },
  );

  it("refuse tables of a development build with the database's name, and leave them unchanged", async () => {
    await createTenant();
    const beside = await openBeside();
    await beside.write((tx) => tx.run("UPDATE migrations SET version = 26"));
    const look = () =>
      beside.read(async (tx) => [await tx.all("SELECT * FROM migrations"), await tx.all("SELECT * FROM tenants")]);
    const before = await look();
    const commands = [
      () => openBeside(),
      () => createTenant(),
      () => runTenantsList(json, environment),
      () => runMigrate({}, environment),
      () => runVerify({}, environment),
      () => runRestoreMark({}, environment),
    ];
    for (const run of commands) await expect(run()).rejects.toThrow("made by a development build of msgd");
    expect(await look()).toEqual(before);
  });

  it("hash secrets with a pepper derived from the shared key", async () => {
    await createTenant();
    const { apiKey, apiSecret } = await resultOf<{ apiKey: string; apiSecret: string }>(createKey());
    const [row] = await write((tx) => findCredential(tx, apiKey, Date.now()));
    expect(row?.secretHash).toBe(hashSecret(apiSecret, derivePepper(key)));
  });

  it("need a secret key, and say how to create one", async () => {
    await createTenant();
    const keyless = withVariables({ MSGD_SECRET_KEY: undefined });
    await expect(createKey(keyless)).rejects.toThrow(
      /^MSGD_SECRET_KEY: needed with DATABASE_URL.*\n.*openssl rand -base64 32/,
    );
    await expect(createKey(keyless)).rejects.toThrow(ConfigError);
    await expect(runCallbacksSecret({ ...json, tenant: "1", overlap: "0" }, keyless)).rejects.toThrow(ConfigError);
    await runTenantsList(json, keyless);
  });

  it("use the key that serve --dev stores in the folder", async () => {
    await createTenant();
    const keyless = withVariables({ MSGD_SECRET_KEY: undefined });
    const { folder: kept } = findInstallation({}, keyless.env);
    const made = readFolderSecretKey(openDataFolder(kept.path), { make: true }) as Buffer;
    await createKey(keyless);
    await expect(write((tx) => readSharedPepper(tx, [made]))).resolves.toBe(derivePepper(made));
  });

  it("refuse a key other than the first one that was used with the database", async () => {
    await createTenant();
    await createKey();
    const mistaken = withVariables({ MSGD_SECRET_KEY: otherKey.toString("base64") });
    await expect(createKey(mistaken)).rejects.toThrow("MSGD_SECRET_KEY is not the key that this database is used with");
    const signing = runCallbacksSecret({ ...json, tenant: "1", overlap: "0" }, mistaken);
    await expect(signing).rejects.toThrow("is not the key");
    await expect(signing).rejects.not.toThrow(otherKey.toString("base64"));
    await createKey();
  });

  it("refuse a --data folder that contains a database if DATABASE_URL is set", async () => {
    const data = join(folder, "data");
    const { DATABASE_URL: _url, ...alone } = environment.env;
    await runTenantsCreate("Folder", { ...json, timezone: "UTC" }, { ...environment, env: alone });
    await expect(runTenantsList({ ...json, data }, environment)).rejects.toThrow(
      `--data: there is a database in ${data}, and DATABASE_URL names another, postgres://`,
    );
    // MSGD_DATA, which may be set permanently, is ignored here
    await createTenant();
    await runTenantsList(json, environment);
  });
});

describe("an instance", () => {
  /** Opens the same parts as `serve`, and sends a request with the key. */
  async function callAs({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }, env: NodeJS.ProcessEnv) {
    const { database, readPepper, openSecretBox } = findInstallation({}, env);
    const service = await openService({
      database,
      databaseConnections: 3,
      simulator: { file: ":memory:" },
      pepper: readPepper,
      secrets: openSecretBox,
      consentPolicy: "strict",
      idempotencyDays: 7,
      clock: systemClock,
    });
    try {
      const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
      return (await service.app.inject({ url: "/api/v1/merchants/default", headers })).statusCode;
    } finally {
      await service.close();
    }
  }

  it("accepts the credentials that commands create", async () => {
    await createTenant();
    const made = await resultOf<{ apiKey: string; apiSecret: string }>(createKey());
    expect(await callAs(made, environment.env)).toBe(200);
    expect(await callAs({ ...made, apiSecret: "mks_another" }, environment.env)).toBe(401);
  });

  it("does not start with another key", async () => {
    await createTenant();
    const made = await resultOf<{ apiKey: string; apiSecret: string }>(createKey());
    const mistaken = withVariables({ MSGD_SECRET_KEY: otherKey.toString("base64") });
    await expect(callAs(made, mistaken.env)).rejects.toThrow("MSGD_SECRET_KEY is not the key");
  });
});

describe("the demo tenant", () => {
  it("is created once if instances with different folders start at the same time", async () => {
    const pepper = await write((tx) => readSharedPepper(tx, [key]));
    const secrets = createSecretBox(() => [key]);
    const stores = await Promise.all(Array.from({ length: 4 }, () => openBeside()));
    const demos = await Promise.all(
      stores.map((store, index) => {
        const own = locateDataFolder(join(folder, `dev-${index}`));
        return prepareDemo(store, { folder: own, pepper, secrets, now: Date.now() });
      }),
    );
    expect(demos.map(({ tenantId }) => tenantId)).toEqual([1, 1, 1, 1]);
    expect(await resultOf<unknown[]>(runTenantsList(json, environment))).toHaveLength(1);
    expect(new Set(demos.map(({ credential }) => credential.apiKey)).size).toBe(4);
  });
});

describe("the pepper", () => {
  it("is imported together with credentials, and is stored sealed", async () => {
    await createTenant();
    await write((tx) => bringPepper(tx, key, "a pepper from elsewhere"));
    expect(await write((tx) => readSharedPepper(tx, [key]))).toBe("a pepper from elsewhere");
    expect((await write(findRow))?.sealedPepper).not.toContain("elsewhere");
    await expect(write((tx) => readSharedPepper(tx, [otherKey]))).rejects.toThrow("is not the key");
    await expect(write((tx) => bringPepper(tx, key, "another"))).rejects.toThrow("already has a pepper");
  });

  it("survives a reset of the data", async () => {
    await createTenant();
    await write((tx) => bringPepper(tx, key, "a pepper from elsewhere"));
    await write(emptyTables);
    expect(await write((tx) => readSharedPepper(tx, [key]))).toBe("a pepper from elsewhere");
  });

  it("is that of the first instance if two start at the same time", async () => {
    await createTenant();
    const [one, two] = [await openBeside(), await openBeside()];
    const read = (store: Store, own: Buffer) => store.write((tx) => readSharedPepper(tx, [own]));
    const found = await Promise.allSettled([read(one, key), read(two, otherKey)]);
    expect(found.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("migrate", () => {
  it("prints the pending migrations, and then none", async () => {
    await createTenant();
    await runMigrate({}, environment);
    expect(printed.err).toContain("was already up to date");
  });
});

describe("verify", () => {
  it("prints each check, even while an instance runs", async () => {
    await createTenant();
    await openBeside({ isServing: true });
    printed.out = "";
    await runVerify({}, environment);
    const lines = printed.out.trimEnd().split("\n");
    expect(lines).toContain("ok     every index is valid");
    expect(lines).toContain("ok     usage is the sum over messages and calls");
    expect(lines.every((line) => line.startsWith("ok    "))).toBe(true);
  });

  it("finds rows that are missing after a dump was restored with triggers disabled", async () => {
    await createTenant();
    await write(async (tx) => {
      // like pg_restore --disable-triggers, without being a superuser
      await tx.run("ALTER TABLE merchants DROP CONSTRAINT merchants_tenant_id_fkey");
      await tx.run("DELETE FROM tenants");
      await tx.run(
        "ALTER TABLE merchants ADD CONSTRAINT merchants_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants NOT VALID",
      );
    });
    await expect(runVerify({}, environment)).rejects.toThrow("restore a backup, and then run msgd restore --mark");
    expect(printed.out).toContain("WRONG  every reference leads somewhere\n         table merchants, parent tenants");
  });

  it("finds data that violates an invariant", async () => {
    await createTenant();
    await write((tx) => tx.run("UPDATE quotas SET credits = 4 WHERE channel = 'SMS'"));
    await expect(runVerify({}, environment)).rejects.toThrow("1 check does not hold in postgres://");
    expect(printed.out).toContain("merchantId default, channel SMS, credits 4, granted 0, paid 0, used 0");
  });

  it.each([
    [
      "newer",
      "INSERT INTO migrations SELECT MAX(version) + 1, 'later', 0 FROM migrations",
      "belong to a newer version of msgd",
    ],
  ])("says that tables are %s", async (_age, change, words) => {
    await createTenant();
    await write((tx) => tx.run(change));
    await expect(runVerify({}, environment)).rejects.toThrow(words);
  });
});

describe("backup and restore", () => {
  it("name the PostgreSQL tools to use instead", async () => {
    await createTenant();
    await expect(runBackup(join(folder, "backup.db"), {}, environment)).rejects.toThrow("make a dump (pg_dump");
    await expect(runRestore(join(folder, "backup.db"), {}, environment)).rejects.toThrow(
      "then run msgd restore --mark",
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it("mark everything that waits in a restored database", async () => {
    await createTenant();
    await write(async (tx) => {
      await tx.run(
        `INSERT INTO payments (payment_id, tenant_id, merchant_id, channel, units, amount_cents, currency, status, created_at, updated_at)
         VALUES ('pay_1', 1, 'default', 'SMS', 1, 1, 'USD', 'PENDING', 0, 0)`,
      );
      await scheduleJob(tx, { tenantId: 1, kind: SUBMIT_PAYMENT, subject: "pay_1", dueAt: 0 });
      await tx.run(
        `INSERT INTO users (tenant_id, email, role, link_hash, link_expires_at, created_at)
         VALUES (1, 'ann@example.com', 'admin', 'hash', 9000000000000000, 0)`,
      );
    });
    for (const store of open.splice(0)) await store.close();
    await runRestoreMark({}, environment);
    expect(printed.out).toMatch(/^postgres:\/\/.* is marked as restored$/m);
    expect(printed.err).toContain("0 messages and 1 payments wait in this backup");
    const links = await write((tx) => tx.all("SELECT link_hash, link_expires_at FROM users"));
    expect(links).toEqual([{ link_hash: null, link_expires_at: null }]);
    for (const store of open.splice(0)) await store.close();
    printed.err = "";
    await runVerify({}, environment);
    expect(printed.err).toContain("Still in doubt: 1 payment.");
  });

  it("mark nothing while an instance serves the database", async () => {
    await createTenant();
    const serving = await openBeside({ isServing: true });
    await expect(runRestoreMark({}, environment)).rejects.toThrow(
      /instances serve the database, with \d+ connections?: stop/,
    );
    expect((await databases.inspect({ url }, Date.now())).restoration).toBeUndefined();
    await serving.close();
    open.splice(0);
    await expect.poll(() => runRestoreMark({}, environment).then(() => "marked", String)).toBe("marked");
  });
});
