// Tries the packages as a stranger does: installs each alone from a registry, and runs its programs. Every program answers
// `--version` and `--help`; a package may have a further trial in `trials`.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findSqliteFor } from "../packages/native-sqlite.ts";
import type { Manifest } from "../packages/packed.ts";
import type { Runtime } from "../packages/runtimes.ts";
import type { Registry } from "./registry.ts";

const run = promisify(execFile);

const INSTALL_MS = 600_000;
const RUN_MS = 120_000;
const STOP_MS = 30_000;
const POLL_MS = 200;

type Environment = Readonly<Record<string, string>>;

/** A folder in which one package is installed. */
interface Installation {
  readonly folder: string;
  readonly env: Environment;
}

/** Variables of a server and a credential, as msgctl and the SDK read them. */
type Service = Environment & { readonly MSGCTL_BASE_URL: string };

/** The first things that a stranger does with a package, beside asking for its help. Each throws if the output is another. */
const trials: Readonly<Record<string, (installation: Installation, service: Service) => Promise<void>>> = {
  async msgctl(installation, service) {
    const listed = await npx(installation, ["msgctl", "merchants", "list", "-o", "json"], service);
    expectText(listed, /"first-merchant"/);
  },
  async "@msgctl/sdk"({ folder, env }, service) {
    const program = `
      import { MessagingClient } from "@msgctl/sdk";
      const body = { merchantId: "first-merchant", to: "+12025550100", message: "Hello", type: "OTP" };
      console.log((await new MessagingClient().send.sms(body)).status);`;
    writeFileSync(join(folder, "send.mjs"), program);
    const { stdout } = await run("node", ["send.mjs"], { cwd: folder, env: { ...env, ...service }, timeout: RUN_MS });
    expectText(stdout, /^QUEUED$/m);
  },
  async "@msgctl/mocks"(installation) {
    const mock = await serve(installation, ["@msgctl/mocks", "stateful", "--port", "0"]);
    await mock.stop();
  },
  async "@msgctl/mcp"({ folder, env }, service) {
    const params = { name: "merchants_get", arguments: { merchantId: "first-merchant" } };
    const asked = run("npx", ["@msgctl/mcp"], { cwd: folder, env: { ...env, ...service }, timeout: RUN_MS });
    asked.child.stdin?.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
    expectText((await asked).stdout, '"displayName":"First Merchant"');
  },
  async "@msgctl/conformance"(installation, service) {
    const words = ["@msgctl/conformance", "--base-url", service.MSGCTL_BASE_URL, "--only", "Alerts"];
    expectText(await npx(installation, words, service), /^no violations; /m);
  },
};

/**
 * Tries packages on one version of Node.js, with a server of the package that has the program `msgd`. Calls `tried` after
 * each.
 *
 * @throws {Error} If a package cannot be installed, or one of its programs does something else than expected.
 */
export async function tryPackages(
  packages: readonly Manifest[],
  { runtime, program, registry }: { runtime: Runtime; program: string; registry: Registry },
  tried: (name: string) => void,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "release-tried-")));
  const installations = new Map<string, Installation>();
  let server: { baseUrl: string; stop(): Promise<void> } | undefined;
  try {
    for (const { name, version, bin } of packages) {
      const installation = await install(`${name}@${version}`, { folder, runtime, program, registry });
      installations.set(name, installation);
      for (const command of Object.keys((bin ?? {}) as object)) {
        expectText(await npx(installation, [command, "--version"]), version);
        expectText(await npx(installation, [command, "--help"]), command);
      }
    }
    const host = installations.get("@msgctl/server");
    if (host === undefined) throw new Error("there is no @msgctl/server among the published packages");
    server = await serve(host, ["-p", "@msgctl/server", "msgd", "serve", "--port", "0"]);
    const service = await sendFirst(host, server.baseUrl);
    for (const [name, installation] of installations) {
      await trials[name]?.(installation, service);
      tried(name);
    }
    await server.stop();
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs one package alone, without any of this machine's settings. */
async function install(
  spec: string,
  { folder, runtime, program, registry }: { folder: string; runtime: Runtime; program: string; registry: Registry },
): Promise<Installation> {
  const own = mkdtempSync(join(folder, "user-"));
  const env = registry.environment(program, own);
  writeFileSync(join(own, "package.json"), JSON.stringify({ name: "stranger", private: true }));
  // the one script, of better-sqlite3, has a step of its own
  const words = ["install", "--engine-strict", "--ignore-scripts", "--loglevel=error", spec];
  await run("npm", words, { cwd: own, env, timeout: INSTALL_MS });
  const sqlite = join(own, "node_modules/better-sqlite3");
  if (existsSync(sqlite)) await prepareSqlite(sqlite, { runtime, env });
  return { folder: own, env };
}

/** Gives an installation the binding for its Node.js: the one in .cache, or else the one that better-sqlite3's script gets. */
async function prepareSqlite(sqlite: string, { runtime, env }: { runtime: Runtime; env: Environment }): Promise<void> {
  const found = await findSqliteFor(runtime);
  if ("folder" in found) return cpSync(join(found.folder, "build"), join(sqlite, "build"), { recursive: true });
  const words = ["rebuild", "better-sqlite3", "--ignore-scripts=false", "--loglevel=error"];
  await run("npm", words, { cwd: join(sqlite, "../.."), env, timeout: INSTALL_MS });
}

/** Sends a first message, as `msgd keys create` says. Returns the server and the key. */
async function sendFirst(host: Installation, baseUrl: string): Promise<Service> {
  expectText(await npx(host, ["msgd", "tenants", "create", "Trial", "--test", "-o", "json"]), '"tenantId":"1"');
  const { apiKey, apiSecret } = JSON.parse(await npx(host, ["msgd", "keys", "create", "--tenant", "1", "-o", "json"]));
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret };
    const reply = await fetch(baseUrl + path, {
      ...{ method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(RUN_MS) },
      headers: { ...headers, "idempotency-key": `first ${path}` },
    });
    return `${reply.status} ${await reply.text()}`;
  };
  const merchant = { merchantId: "first-merchant", displayName: "First Merchant", active: true, smsLimit: 100 };
  expectText(await post("/api/v1/merchants", merchant), /^20[01] /);
  const message = { merchantId: "first-merchant", to: "+12025550100", message: "Hello", type: "OTP" };
  expectText(await post("/api/v1/messages/sms", message), '"status":"QUEUED"');
  return { MSGCTL_BASE_URL: baseUrl, MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret };
}

/** Runs a program of the installed package through npx, and returns its output. */
async function npx({ folder, env }: Installation, words: readonly string[], more: Environment = {}): Promise<string> {
  const { stdout } = await run("npx", words, {
    ...{ cwd: folder, env: { ...env, ...more }, timeout: RUN_MS, maxBuffer: 16 * 1_024 * 1_024 },
  });
  return stdout;
}

/** Starts a server through npx, and waits until it is ready. `stop` ends it as Ctrl-C in its terminal does. */
async function serve({ folder, env }: Installation, words: readonly string[]) {
  const child = spawn("npx", words, {
    ...{ cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] as const, detached: true },
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (written += text));
  const ended = once(child, "close");
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, name);
  };
  const stop = async () => {
    signal("SIGINT");
    const timer = setTimeout(() => signal("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(timer);
    if (child.signalCode === "SIGKILL")
      throw new Error(`${words.join(" ")} did not stop within ${STOP_MS} ms: ${written}`);
  };
  for (const start = Date.now(); ; await sleep(POLL_MS)) {
    const [, baseUrl] = /listening on (http:\S+:\d+)$/m.exec(written) ?? [];
    const isReady = () =>
      fetch(`${baseUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    if (baseUrl !== undefined && (await isReady())) return { baseUrl, stop };
    if (child.exitCode === null && Date.now() - start < RUN_MS) continue;
    signal("SIGKILL");
    throw new Error(`${words.join(" ")} did not become ready: ${written}`);
  }
}

function expectText(text: string, expected: string | RegExp): void {
  if (typeof expected === "string" ? text.includes(expected) : expected.test(text)) return;
  throw new Error(`expected ${expected}, received ${text.slice(0, 2_000)}`);
}
