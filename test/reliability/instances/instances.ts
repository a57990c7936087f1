// Several servers on one PostgreSQL, each with its own route to the database, and a load that uses them in turn.

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DatabaseLink } from "../../../packages/server/src/testing/database-link.ts";
import { findFreePort } from "../../../packages/server/src/testing/free-port.ts";
import { type PostgresServer, startPostgres } from "../../../packages/server/src/testing/postgres/server.ts";
import { type Credential, MsgdProcess, msgdProgram } from "../../e2e/msgd-process.ts";
import { merchantId, quota } from "../actions.ts";
import { type Data, readShared } from "../data.ts";
import { setDatabaseClock } from "../database-clock.ts";
import { LoadProcess } from "../load-process.ts";

/** Durable settings, as in production: a commit is on the disk before it is acknowledged. */
export const durable = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };
/** Shorter than the time that a disturbed instance takes to answer, so that the load asks another one meanwhile. */
const PATIENCE_MS = 2_000;

const run = promisify(execFile);

/** An instance: its current server process, and the output of earlier ones. */
export class Instance {
  readonly name: string;
  readonly link: DatabaseLink;
  readonly #port: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #processes: MsgdProcess[] = [];

  private constructor(parts: { name: string; link: DatabaseLink; port: string; env: NodeJS.ProcessEnv }) {
    this.name = parts.name;
    this.link = parts.link;
    this.#port = parts.port;
    this.#env = { ...parts.env, DATABASE_URL: parts.link.url };
  }

  /** Creates an instance without starting its server. */
  static async create(name: string, databaseUrl: string, env: NodeJS.ProcessEnv): Promise<Instance> {
    const [link, port] = await Promise.all([DatabaseLink.open(databaseUrl), findFreePort()]);
    return new Instance({ name, link, port: String(port), env });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The output of all its server processes. */
  get written(): string {
    return this.#processes.map(({ written }) => written).join("\n--- started again ---\n");
  }

  /** Starts a server whose clock is `offsetMs` ahead of this machine's. */
  async serve(offsetMs: number, ...flags: string[]): Promise<void> {
    const preload = new URL(`../preload.mjs?offsetMs=${offsetMs}`, import.meta.url);
    const args = ["serve", "--port", this.#port, "--log-level", "warn", "--consent-policy", "opt_out_only", ...flags];
    this.#processes.push(await MsgdProcess.start(args, { env: this.#env, preload }));
  }

  async kill(): Promise<void> {
    await this.#server?.end("SIGKILL");
  }

  /** Stops the server gracefully. Returns its exit code. */
  async end(): Promise<number | null> {
    return (await this.#server?.end("SIGTERM")) ?? null;
  }

  /** Stops the process with SIGSTOP. */
  pause(): void {
    if (this.#server !== undefined) process.kill(this.#server.pid, "SIGSTOP");
  }

  goOn(): void {
    if (this.#server !== undefined) process.kill(this.#server.pid, "SIGCONT");
  }

  async setForward(byMs: number): Promise<void> {
    await this.#server?.tell({ setForwardMs: byMs });
  }

  async remove(): Promise<void> {
    await this.kill();
    this.link.close();
  }

  get #server(): MsgdProcess | undefined {
    return this.#processes.at(-1);
  }
}

export class Instances {
  readonly postgres: PostgresServer;
  readonly data: Data;
  readonly all: readonly Instance[];
  readonly load: LoadProcess;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  /** How far the servers' clocks are ahead of this machine's, in milliseconds. */
  #offsetMs = 0;

  private constructor(parts: {
    postgres: PostgresServer;
    all: readonly Instance[];
    credential: Credential;
    folder: string;
    env: NodeJS.ProcessEnv;
  }) {
    this.postgres = parts.postgres;
    this.data = readShared(parts.postgres.url);
    this.all = parts.all;
    this.#folder = parts.folder;
    this.#env = parts.env;
    const { apiKey, apiSecret } = parts.credential;
    this.load = new LoadProcess({
      baseUrls: parts.all.map(({ baseUrl }) => baseUrl),
      apiKey,
      apiSecret,
      file: join(parts.folder, "acknowledged.ndjson"),
      patienceMs: PATIENCE_MS,
    });
  }

  /** Starts a PostgreSQL, then `count` servers at the same time on its empty database, and the load. */
  static async begin(count: number): Promise<Instances> {
    const postgres = await startPostgres(durable);
    await setDatabaseClock(postgres.url, 0);
    const folder = mkdtempSync(join(tmpdir(), "msgd-instances-"));
    const env = {
      ...process.env,
      DATABASE_URL: postgres.url,
      MSGD_SECRET_KEY: randomBytes(32).toString("base64"),
      MSGD_SEARCH_FOLDER: join(folder, "indexes"),
    };
    const names = Array.from({ length: count }, (_, index) => `instance ${index + 1}`);
    const all = await Promise.all(names.map((name) => Instance.create(name, postgres.url, env)));
    try {
      await Promise.all(all.map((instance) => instance.serve(0)));
      const { tenantId } = await runCommand<{ tenantId: string }>(env, "tenants", "create", "Acme", "--test");
      const credential = await runCommand<Credential>(env, "keys", "create", "--tenant", tenantId);
      await addMerchant(all[0]?.baseUrl, credential);
      return new Instances({ postgres, all, credential, folder, env });
    } catch (error) {
      await Promise.all(all.map((instance) => instance.remove()));
      await postgres.stop();
      throw error;
    }
  }

  /** The time by the servers' clocks, in epoch milliseconds. */
  now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** Starts servers with the current clock offset. */
  async serve(instances: readonly Instance[]): Promise<void> {
    await Promise.all(instances.map((instance) => instance.serve(this.#offsetMs)));
  }

  /** Advances the clocks one after the other. Call it only at rest, because the clocks differ meanwhile. */
  async setForward(byMs: number): Promise<void> {
    this.#offsetMs += byMs;
    await setDatabaseClock(this.postgres.url, this.#offsetMs);
    await Promise.all(this.all.map((instance) => instance.setForward(byMs)));
  }

  /** Runs `msgd verify`, and returns the faults that it found. */
  async verify(): Promise<string[]> {
    try {
      await run(process.execPath, [msgdProgram, "verify"], { env: this.#env });
      return [];
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      const wrong = stdout.split("\n").filter((line) => /^(?:WRONG| {9})/.test(line));
      return wrong.length === 0 ? [`msgd verify failed: ${stderr}`] : wrong;
    }
  }

  async remove(): Promise<void> {
    this.load.kill();
    await Promise.all(this.all.map((instance) => instance.remove()));
    await this.postgres.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function runCommand<Result>(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Result> {
  const { stdout } = await run(process.execPath, [msgdProgram, ...args, "-o", "json"], { env });
  return JSON.parse(stdout) as Result;
}

async function addMerchant(baseUrl: string | undefined, { apiKey, apiSecret }: Credential): Promise<void> {
  const reply = await fetch(`${baseUrl}/api/v1/merchants`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret },
    body: JSON.stringify({ merchantId, displayName: "First", ...quota }),
  });
  if (!reply.ok) throw new Error(`the merchant was not created: ${await reply.text()}`);
}
