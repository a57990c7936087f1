// The built msgd on DATABASE_URL, started as by an operator: its requirements, and its state after a restart.

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DatabaseLink } from "../../packages/server/src/testing/database-link.ts";
import { type TestDatabase, takeDatabase } from "../../packages/server/src/testing/engine.ts";
import { type Credential, MsgdProcess, msgdProgram } from "./msgd-process.ts";

let database: TestDatabase;
let cwd: string;
/** Folder of the search indexes. */
let indexes: string;
let env: NodeJS.ProcessEnv;
const running: MsgdProcess[] = [];
beforeEach(async () => {
  database = await takeDatabase();
  if (!("url" in database.location)) throw new Error("these tests need PostgreSQL");
  cwd = mkdtempSync(join(tmpdir(), "msgd-e2e-"));
  indexes = mkdtempSync(join(tmpdir(), "msgd-e2e-indexes-"));
  const { MSGD_DATA: _data, ...own } = process.env;
  const MSGD_SECRET_KEY = randomBytes(32).toString("base64");
  env = { ...own, DATABASE_URL: database.location.url, MSGD_SECRET_KEY, MSGD_SEARCH_FOLDER: indexes };
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.end("SIGKILL");
  for (const folder of [cwd, indexes]) rmSync(folder, { recursive: true });
  await database.release();
});

interface Ended {
  readonly exitCode: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function runMsgd(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [msgdProgram, ...args], { cwd, env, timeout: 100_000 }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

async function command<Result>(...args: string[]): Promise<Result> {
  const { exitCode, stdout, stderr } = await runMsgd(...args, "-o", "json");
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout) as Result;
}

async function serve(): Promise<MsgdProcess> {
  const server = await MsgdProcess.start(["serve", "--port", "0", "--consent-policy", "opt_out_only"], { cwd, env });
  running.push(server);
  return server;
}

it("msgd sends, stops on SIGTERM, keeps its data across a restart, and creates no file in its working directory", async () => {
  const { tenantId } = await command<{ tenantId: string }>("tenants", "create", "Acme", "--test");
  const { apiKey, apiSecret } = await command<Credential>("keys", "create", "--tenant", tenantId);
  const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret };
  const ask = async (server: MsgdProcess, path: string, body?: object) => {
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const key = { "idempotency-key": "once" };
    const reply = await fetch(server.baseUrl + path, { headers: { ...headers, ...key }, ...sent });
    expect([path, reply.status]).toEqual([path, 200]);
    return reply.json();
  };
  const send = (server: MsgdProcess) => {
    const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };
    return ask(server, "/api/v1/messages/sms", sms);
  };

  const first = await serve();
  await ask(first, "/api/v1/merchants", { merchantId: "m1", displayName: "One", smsLimit: 10 });
  const { messageId } = await send(first);
  // a repeated request with the same key returns the message's current state
  await expect.poll(async () => (await send(first)).status).toBe("DELIVERED");
  expect(await first.end("SIGTERM")).toBe(0);

  const second = await serve();
  expect(await send(second)).toMatchObject({ messageId, status: "DELIVERED" });
  expect(await ask(second, "/api/v1/merchants/m1")).toMatchObject({ usage: { smsUsed: 1 } });
  expect(await second.end("SIGTERM")).toBe(0);
  expect((await runMsgd("verify")).exitCode).toBe(0);
  expect(readdirSync(cwd)).toEqual([]);
});

it("msgd can be searched without a data folder, and keeps the index for its next start", async () => {
  const { tenantId } = await command<{ tenantId: string }>("tenants", "create", "Acme", "--test");
  const flags = ["--tenant", tenantId, "--email", "ann@example.com", "--role", "admin"];
  const { link } = await command<{ link: string }>("users", "create", ...flags);
  const server = await serve();
  const ask = async (path: string, { token = "", body }: { token?: string; body?: object }) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const reply = await fetch(`${server.baseUrl}/dashboard/api${path}`, { headers, ...sent });
    expect([path, reply.status]).toEqual([path, 200]);
    return reply.json();
  };
  const password = "correct horse battery staple";
  const [, secret] = link.split("#");
  const { email } = await ask("/password", { body: { link: secret, password } });
  const { token } = await ask("/session", { body: { email, password } });
  expect(await ask("/messages?q=hello", { token })).toMatchObject({ messages: [] });
  expect(await server.end("SIGTERM")).toBe(0);
  expect([readdirSync(indexes).length, readdirSync(cwd)]).toEqual([1, []]);
});

it("msgd does not start without the secret key, and says how to create one", async () => {
  const { password } = new URL(env.DATABASE_URL ?? "");
  delete env.MSGD_SECRET_KEY;
  const { exitCode, stdout, stderr } = await runMsgd("serve", "--port", "0");
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^msgd: MSGD_SECRET_KEY: needed with DATABASE_URL/);
  expect(stderr).toContain("openssl rand -base64 32");
  expect(stderr).not.toContain(password);
  expect(readdirSync(cwd)).toEqual([]);
});

it("msgd exits with 0 on SIGTERM although its database silently stopped answering", async () => {
  const link = await DatabaseLink.open(env.DATABASE_URL ?? "");
  env = { ...env, DATABASE_URL: link.url };
  try {
    const server = await serve();
    const look = async () => (await fetch(`${server.baseUrl}/readyz`)).status;
    await expect.poll(look).toBe(200);
    link.cut("silent");
    await expect.poll(look).toBe(503);
    expect([await server.end("SIGTERM"), server.written]).toEqual([0, expect.not.stringContaining("was cut short")]);
  } finally {
    link.close();
  }
});
