// PgBouncer in front of PostgreSQL, if this machine has it installed. No npm package contains it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chownSync, constants, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { findFreePort } from "../free-port.ts";
import { findUnprivilegedAccount } from "./account.ts";

/** The reason why a test is skipped without PgBouncer. */
export const NO_POOLER = "no pgbouncer on this machine: apt-get install pgbouncer";

export interface Pooler {
  /** Returns the URL of the same database through the pooler. */
  urlOf(databaseUrl: string): string;
  /** Stops the pooler and cuts its connections. */
  stop(): Promise<void>;
}

/** Returns the program's path; undefined if it is not installed. */
export function findPooler(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts the pooler in transaction mode in front of the URL's server, with `most` connections to each database. */
export async function startPooler(program: string, serverUrl: string, { most }: { most: number }): Promise<Pooler> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const account = findUnprivilegedAccount();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "msgctl-pooler-"));
  const port = await findFreePort();
  const file = join(folder, "pgbouncer.ini");
  const role = `user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort || 5432} ${role}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${most}
`,
    { mode: 0o600 },
  );
  if (account !== undefined) {
    chownSync(folder, account.uid, account.gid);
    chownSync(file, account.uid, account.gid);
  }
  const child = spawn(program, [file], { ...account, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const remove = async () => {
    await end(child);
    rmSync(folder, { recursive: true });
  };
  try {
    await untilUp(child);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      [url.hostname, url.port] = ["127.0.0.1", String(port)];
      return url.href;
    },
    stop: remove,
  };
}

async function untilUp(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    said.push(line);
    // later lines are read and ignored
    if (line.includes("process up:")) return void child.stderr?.resume();
  }
  throw new Error(`pgbouncer did not start:\n${said.join("\n")}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
