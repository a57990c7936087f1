import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCallbackSecrets } from "../domain/callbacks/secrets.ts";
import { bindCallbackSecret, bindPassword, bindSecondFactor } from "../domain/tenancy/credentials.ts";
import { deleteSecondFactor, findSecondFactor } from "../domain/users/second-factor-rows.ts";
import { startSecondFactor } from "../domain/users/second-factors.ts";
import { openStore } from "../engines.ts";
import { systemClock } from "../platform/clock.ts";
import { createSecretBox, parseSecretKeys, SECRET_KEY_BYTES } from "../platform/secret-box.ts";
import { type SealedRow, sealedColumns } from "../store/sealed-secrets.ts";
import type { Work } from "../store/store.ts";
import { makeCommandEnvironment, type Printed, writeBeside } from "../testing/command-environment.ts";
import { type TestDatabase, takeLastingDatabase } from "../testing/engine.ts";
import { exampleProvisioning } from "../testing/provisioning-example.ts";
import { runVerify } from "./backup.ts";
import { runCarriersRemove, runCarriersSet } from "./carriers.ts";
import { findInstallation } from "./database.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runProvisioningImport } from "./provisioning.ts";
import { runCallbacksSecret, runSecretsReseal } from "./secrets.ts";
import { runKeysCreate, runTenantsCreate } from "./tenants.ts";
import { runUsersCreate } from "./users.ts";

const json = { output: "json" } as const;
const [older, newer, unknown] = [1, 2, 3].map((byte) => Buffer.alloc(SECRET_KEY_BYTES, byte)) as [
  Buffer,
  Buffer,
  Buffer,
];
const texts = (...keys: Buffer[]) => keys.map((key) => key.toString("base64")).join(",");

let folder: string;
let database: TestDatabase;
let printed: Printed;
let environment: CommandEnvironment;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-secrets-"));
  database = await takeLastingDatabase();
  ({ environment, printed } = makeCommandEnvironment(join(folder, "data"), systemClock));
  if ("url" in database.location) environment.env.DATABASE_URL = database.location.url;
  environment.env.MSGD_SECRET_KEY = texts(older);
  await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
});
afterEach(async () => {
  await database.release();
  rmSync(folder, { recursive: true });
});

/** Returns an environment for commands with these keys. */
const having = (...keys: Buffer[]): CommandEnvironment => ({
  ...environment,
  env: { ...environment.env, MSGD_SECRET_KEY: texts(...keys) },
});
const write = <T>(work: Work<T>): Promise<T> => writeBeside(environment, work);

/** Stores a secret in each sealed column, and more passwords than one page. */
async function sealSome(beside: CommandEnvironment): Promise<void> {
  const file = join(folder, "provisioning.json");
  const view = exampleProvisioning(1);
  const [user] = view.sipUsers;
  if (user === undefined) throw new Error("the example has a user");
  const more = Array.from({ length: 250 }, (_, index) => ({
    ...user,
    ...{
      userId: 5_000 + index,
      extension: String(5_000 + index),
      sipUsername: `u${index}`,
      email: `u${index}@acme.example`,
    },
  }));
  writeFileSync(file, JSON.stringify({ ...view, sipUsers: [...view.sipUsers, ...more] }), { mode: 0o600 });
  await runProvisioningImport(file, { ...json, tenant: "1" }, beside);
  await runCallbacksSecret({ ...json, tenant: "1", overlap: "0" }, beside);
  const carrier = join(folder, "carrier.json");
  writeFileSync(carrier, JSON.stringify({ kind: "smtp", host: "127.0.0.1", from: "no-reply@acme.example" }), {
    mode: 0o600,
  });
  await runCarriersSet({ ...json, tenant: "1", channel: "EMAIL", file: carrier }, beside);
  await runUsersCreate({ ...json, tenant: "1", email: "ann@example.com", role: "admin" }, beside);
  const box = createSecretBox(() => parseSecretKeys(beside.env.MSGD_SECRET_KEY ?? "") ?? []);
  await write((tx) => startSecondFactor(tx, { userId: 1, secret: "MZXW6YTBOI", box, now: Date.now() }));
}

/** Lists every column of every table, except numeric ones. */
function listTextColumns(): Promise<{ table: string; column: string }[]> {
  const sql =
    "url" in database.location
      ? `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
          WHERE table_schema = current_schema() AND data_type = 'text'`
      : `SELECT m.name AS "table", p.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) p
          WHERE m.type = 'table' AND p.type = 'TEXT'`;
  return write((tx) => tx.all(sql));
}

/** Lists the columns that contain a value sealed with the key. */
async function findSealedWith(key: Buffer): Promise<string[]> {
  const prefix = createSecretBox(() => [key]).findPrefix();
  const columns = await listTextColumns();
  return write(async (tx) => {
    const found: string[] = [];
    for (const { table, column } of columns) {
      const row = await tx.get(`SELECT 1 FROM ${table} WHERE ${column} LIKE $1 LIMIT 1`, `${prefix}%`);
      if (row !== undefined) found.push(`${table}.${column}`);
    }
    return found.sort();
  });
}

/** Opens the secrets that programs and phones need with the keys. */
async function readSecrets(...keys: Buffer[]) {
  const { readPepper, openSecretBox, database: location } = findInstallation({}, having(...keys).env);
  const store = await openStore({ database: location, clock: systemClock });
  try {
    const box = await openSecretBox(store);
    const sealed = await store.read((tx) =>
      tx.all<{ userId: number; sealed: string }>(
        `SELECT user_id AS "userId", sealed_password AS sealed FROM sip_users ORDER BY user_id`,
      ),
    );
    const factor = await store.read((tx) => findSecondFactor(tx, 1));
    return {
      secondFactor: box.open(factor?.sealedSecret ?? "", bindSecondFactor(1)),
      pepper: await readPepper(store),
      passwords: sealed.map((row) => box.open(row.sealed, bindPassword(1, row.userId))),
      signing: await store.write((tx) => readCallbackSecrets(tx, box, { tenantId: 1, now: Date.now() })),
    };
  } finally {
    await store.close();
  }
}

const allSealed = [
  ...["callback_secrets.sealed_secret", "carriers.sealed_settings"],
  ...["second_factors.sealed_secret", "sip_users.sealed_password"],
];

it("the list of sealed columns is complete", async () => {
  const named = (await listTextColumns()).filter(({ column }) => column.startsWith("sealed"));
  const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  if ("url" in database.location) known.push("installation.sealed_pepper");
  expect(named.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(known.sort());
});

describe("secrets reseal", () => {
  const reseal = (...keys: Buffer[]) => {
    Object.assign(printed, { out: "", err: "" });
    return runSecretsReseal(json, having(...keys));
  };

  it("makes the new key sufficient to open everything, and leaves nothing sealed with the old one", async () => {
    await sealSome(having(older));
    await runKeysCreate({ ...json, tenant: "1" }, having(older));
    expect(await findSealedWith(older)).toEqual(allSealed);
    const before = await readSecrets(older);
    expect(before.passwords).toHaveLength(251);
    expect(await readSecrets(newer, older)).toEqual(before);

    await reseal(newer, older);
    const hasPepper = "url" in database.location;
    expect(JSON.parse(printed.out)).toEqual({ resealed: 254 + (hasPepper ? 1 : 0), unopened: 0 });
    expect(printed.err).toContain("remove the others");
    expect(await findSealedWith(older)).toEqual([]);
    expect(await findSealedWith(newer)).toEqual(
      [...allSealed, ...(hasPepper ? ["installation.sealed_pepper"] : [])].sort(),
    );
    expect(await readSecrets(newer)).toEqual(before);
    await expect(readSecrets(older)).rejects.toThrow("MSGD_SECRET_KEY");

    await reseal(newer, older);
    expect(JSON.parse(printed.out)).toEqual({ resealed: 0, unopened: 0 });
    // then with a third key
    await reseal(unknown, newer);
    expect(await readSecrets(unknown)).toEqual(before);
  });

  it("reseals the secrets that it can open, and reports the others", async () => {
    await sealSome(having(older));
    const box = createSecretBox(() => [unknown]);
    await write((tx) => tx.run("UPDATE callback_secrets SET sealed_secret = $1", box.seal("s", bindCallbackSecret(1))));
    await expect(reseal(newer, older)).rejects.toThrow(
      /a callback secret of tenant 1: a secret was sealed with key \w+/,
    );
    expect(JSON.parse(printed.out)).toMatchObject({ unopened: 1 });
    expect(await findSealedWith(older)).toEqual([]);
  });

  it("skips secrets that are no longer used", async () => {
    await sealSome(having(unknown));
    await write((tx) => tx.run("UPDATE sip_users SET sealed_password = NULL"));
    await write((tx) => deleteSecondFactor(tx, 1));
    await runCarriersRemove({ ...json, tenant: "1", channel: "EMAIL" }, having(unknown));
    await runCallbacksSecret({ ...json, tenant: "1", rotate: true, overlap: "0" }, having(newer, unknown));
    await reseal(newer, unknown);
    expect(JSON.parse(printed.out)).toEqual({ resealed: "url" in database.location ? 1 : 0, unopened: 0 });
    expect(await findSealedWith(unknown)).toEqual(["callback_secrets.sealed_secret", "carriers.sealed_settings"]);
  });

  it("reseals removed carriers that have events, unless their key is lost", async () => {
    await sealSome(having(older));
    await write((tx) => tx.run("UPDATE carriers SET events_id = 'secret', removed_at = 1"));
    await reseal(newer, older);
    expect(await findSealedWith(older)).toEqual([]);
    const lost = createSecretBox(() => [unknown]).seal("{}", "");
    await write((tx) => tx.run("UPDATE carriers SET sealed_settings = $1", lost));
    await reseal(newer, older);
    expect(JSON.parse(printed.out)).toEqual({ resealed: 0, unopened: 0 });
  });

  it("skips secrets that another process has resealed meanwhile", async () => {
    await sealSome(having(older));
    const [column] = sealedColumns.filter(({ table }) => table === "callback_secrets");
    if (column === undefined) throw new Error("callback secrets are sealed");
    const [row] = await write<SealedRow[]>((tx) =>
      column.list(tx, { prefix: "another", now: Date.now(), after: undefined, limit: 1 }),
    );
    if (row === undefined) throw new Error("there is a callback secret");
    await write((tx) => tx.run("UPDATE callback_secrets SET sealed_secret = 'rotated'"));
    expect(await write((tx) => column.replace(tx, row, "late"))).toBe(false);
    expect(await write((tx) => column.replace(tx, { ...row, sealed: "rotated" }, "new"))).toBe(true);
  });

  it("is recommended by verify and by a server as long as a secret is sealed with an older key", async () => {
    await sealSome(having(older));
    const countOlder = async () => {
      const { database: location, countOlderSeals } = findInstallation({}, having(newer, older).env);
      const store = await openStore({ database: location, clock: systemClock });
      return countOlderSeals(store, Date.now()).finally(() => store.close());
    };
    printed.err = "";
    await runVerify({}, having(newer, older));
    expect(printed.err).toContain("254 secrets are sealed with a key that is not the first of MSGD_SECRET_KEY");
    const hasPepper = "url" in database.location;
    expect(await countOlder()).toBe(hasPepper ? 255 : 254);
    await reseal(newer, older);
    printed.err = "";
    await runVerify({}, having(newer, older));
    expect(printed.err).not.toContain("sealed");
    expect(await countOlder()).toBe(0);
  });
});
