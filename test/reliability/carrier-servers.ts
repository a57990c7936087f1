// Servers whose messages a carrier counts: one on a data folder, or several on one PostgreSQL.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { type PostgresServer, startPostgres } from "../../packages/server/src/testing/postgres/server.ts";
import { MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { type Query, readFolder, readShared } from "./data.ts";
import { setDatabaseClock } from "./database-clock.ts";
import { durable, Instance, runCommand } from "./instances/instances.ts";

export interface CarrierServers {
  readonly baseUrls: readonly string[];
  /** Queries the servers' database. */
  readonly own: Query;
  /** Folder for files of the rounds. */
  readonly folder: string;
  /** Flags of each server. */
  flags: readonly string[];
  /** Runs a command of msgd, and returns its JSON output. */
  command<Result>(...args: string[]): Promise<Result>;
  /** Starts all servers, with clocks that are `offsetMs` ahead of this machine's. */
  serve(offsetMs?: number): Promise<void>;
  /** Advances the clocks of the running servers by `byMs`. */
  setForward(byMs: number): Promise<void>;
  /** Ends all servers. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  remove(): Promise<void>;
}

export class FolderServer implements CarrierServers {
  readonly data = new MsgdFolder();
  readonly own = readFolder(this.data.path).own;
  readonly folder = this.data.parent;
  readonly baseUrls: readonly string[];
  flags: readonly string[] = [];
  readonly #port: string;
  #server: MsgdProcess | undefined;

  private constructor(port: string) {
    this.#port = port;
    this.baseUrls = [`http://127.0.0.1:${port}`];
  }

  /** Creates a server without starting it. */
  static async begin(): Promise<FolderServer> {
    return new FolderServer(String(await findFreePort()));
  }

  async command<Result>(...args: string[]): Promise<Result> {
    return this.data.command<Result>(...args);
  }

  async serve(offsetMs = 0): Promise<void> {
    const preload = new URL(`preload.mjs?offsetMs=${offsetMs}`, import.meta.url);
    this.#server = await this.data.serveWith(preload, "--port", this.#port, "--log-level", "silent", ...this.flags);
  }

  async setForward(byMs: number): Promise<void> {
    await this.#server?.tell({ setForwardMs: byMs });
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#server?.end(signal);
  }

  remove(): Promise<void> {
    return this.data.remove();
  }
}

export class SharedServers implements CarrierServers {
  readonly postgres: PostgresServer;
  readonly all: readonly Instance[];
  readonly folder = mkdtempSync(join(tmpdir(), "msgd-shared-"));
  flags: readonly string[] = [];
  /** URL of the current primary. */
  databaseUrl: string;
  /** How far the clocks of the servers and of the database are ahead of this machine's, in milliseconds. */
  #offsetMs = 0;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(postgres: PostgresServer, all: readonly Instance[], env: NodeJS.ProcessEnv) {
    this.postgres = postgres;
    this.databaseUrl = postgres.url;
    this.all = all;
    this.#env = env;
  }

  /** Creates `count` servers on the empty database of a new PostgreSQL, without starting them. */
  static async begin(count: number): Promise<SharedServers> {
    const postgres = await startPostgres(durable);
    await setDatabaseClock(postgres.url, 0);
    const env = { ...process.env, MSGD_SECRET_KEY: randomBytes(32).toString("base64") };
    const names = Array.from({ length: count }, (_, index) => `instance ${index + 1}`);
    const all = await Promise.all(names.map((name) => Instance.create(name, postgres.url, env)));
    return new SharedServers(postgres, all, env);
  }

  get baseUrls(): readonly string[] {
    return this.all.map(({ baseUrl }) => baseUrl);
  }

  get own(): Query {
    return (sql) => readShared(this.databaseUrl).own(sql);
  }

  command<Result>(...args: string[]): Promise<Result> {
    return runCommand({ ...this.#env, DATABASE_URL: this.databaseUrl }, ...args);
  }

  async serve(offsetMs = 0): Promise<void> {
    await this.#setClock(offsetMs);
    await Promise.all(this.all.map((instance) => instance.serve(offsetMs, ...this.flags)));
  }

  async setForward(byMs: number): Promise<void> {
    await this.#setClock(this.#offsetMs + byMs);
    await Promise.all(this.all.map((instance) => instance.setForward(byMs)));
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await Promise.all(this.all.map((instance) => (signal === "SIGTERM" ? instance.end() : instance.kill())));
  }

  async #setClock(offsetMs: number): Promise<void> {
    if (offsetMs === this.#offsetMs) return;
    this.#offsetMs = offsetMs;
    await setDatabaseClock(this.databaseUrl, offsetMs);
  }

  /** Switches the instances and all queries to another PostgreSQL server. */
  lead(databaseUrl: string): void {
    this.databaseUrl = databaseUrl;
    for (const { link } of this.all) link.retarget(databaseUrl);
  }

  async remove(): Promise<void> {
    await Promise.all(this.all.map((instance) => instance.remove()));
    await this.postgres.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
