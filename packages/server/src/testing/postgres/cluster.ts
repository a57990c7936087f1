// One PostgreSQL server with everything that it needs in one folder: programs, password, data, log.

import { type SpawnOptions, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../free-port.ts";
import { type Account, findUnprivilegedAccount } from "./account.ts";
import { copyBinaries, findBinaries } from "./binaries.ts";

const TRIES = 5;

/** Settings as in postgresql.conf. */
export type Settings = Readonly<Record<string, string>>;

/** Settings that give up durability for speed, because no data has to survive a crash of the machine. */
const defaultSettings: Settings = {
  listen_addresses: "'127.0.0.1'",
  unix_socket_directories: "''",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "32MB",
  max_wal_size: "256MB",
  max_connections: "300",
  // shared memory is in the folder, so that nothing is left behind elsewhere
  ...(process.platform === "win32" ? {} : { dynamic_shared_memory_type: "mmap" }),
};

/** `fast` ends connections and writes a checkpoint; `immediate` is like a crash; `killed` kills the process. */
export type ShutdownMode = "fast" | "immediate" | "killed";

export interface Cluster {
  /** The superuser's URL at the first primary, with the password. */
  readonly url: string;
  /** Stops the primary and keeps its data. */
  shutDown(mode: ShutdownMode): Promise<void>;
  /** Starts the primary again after `shutDown`, on the same port. */
  startAgain(): Promise<void>;
  /**
   * Starts a standby of the primary on another port. It replaces an earlier standby or a former primary. Returns its URL.
   */
  addStandby(): Promise<string>;
  /** Makes the standby the primary. Call after the previous primary was shut down. */
  promote(): Promise<void>;
  /** Stops the servers immediately and removes their folder. */
  remove(): Promise<void>;
}

/** Starts a new cluster on a free port of the loopback interface, with `settings` over the defaults. */
export async function startCluster(settings: Settings): Promise<Cluster> {
  const binaries = findBinaries();
  const account = findUnprivilegedAccount();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "msgctl-postgres-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    if (account !== undefined) chownSync(folder, account.uid, account.gid);
    copyBinaries(binaries, join(folder, "native"));
    const run = (program: string, ...args: string[]) => runProgram(folder, program, args, account);
    const password = randomBytes(16).toString("hex");
    await initialize(folder, password, { run, account });
    const lines = Object.entries({ ...defaultSettings, ...settings }).map(([name, value]) => `${name} = ${value}\n`);
    appendFileSync(join(folder, "data/postgresql.conf"), lines.join(""));
    let primary: Server = { data: join(folder, "data"), log: join(folder, "log"), run };
    let standby: Server = { data: join(folder, "standby"), log: join(folder, "standby-log"), run };
    let port = await start(primary);
    let standbyPort = port;
    const urlOf = (at: number) => `postgres://postgres:${password}@127.0.0.1:${at}/postgres`;
    return {
      url: urlOf(port),
      shutDown: (mode) => shutDown(primary, mode),
      startAgain: () => startOn(port, primary),
      async addStandby() {
        await shutDown(primary, "fast");
        rmSync(standby.data, { recursive: true, force: true, maxRetries: 5 });
        cpSync(primary.data, standby.data, { recursive: true });
        if (account !== undefined) chownAll(standby.data, account);
        await startOn(port, primary);
        writeFileSync(join(standby.data, "standby.signal"), "");
        const followed = `host=127.0.0.1 port=${port} user=postgres password=${password}`;
        // the last line of a setting applies, and this file overrides postgresql.conf
        appendFileSync(join(standby.data, "postgresql.auto.conf"), `primary_conninfo = '${followed}'\n`);
        standbyPort = await start(standby);
        return urlOf(standbyPort);
      },
      async promote() {
        await run("pg_ctl", "promote", "-s", "-w", "-D", standby.data);
        [primary, standby] = [standby, primary];
        port = standbyPort;
      },
      async remove() {
        // a server that cannot be stopped here stops within a minute after its data is removed
        for (const each of [primary, standby]) await shutDown(each, "immediate").catch(() => undefined);
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

type Run = (program: string, ...args: string[]) => Promise<string>;

async function initialize(
  folder: string,
  password: string,
  { run, account }: { run: Run; account: Account | undefined },
): Promise<void> {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  await run(
    "initdb",
    ...["-D", join(folder, "data"), "-U", "postgres", "-E", "UTF8", `--locale=${await findLocale()}`, "--no-sync"],
    ...["-A", "scram-sha-256", `--pwfile=${passwordFile}`],
  );
  rmSync(passwordFile);
}

/** Finds a locale that does not sort by bytes, if there is one. It exposes columns that lack COLLATE "C". */
async function findLocale(): Promise<string> {
  const listed = await listLocales();
  const inUtf8 = listed.filter((name) => /\.utf-?8$/i.test(name));
  return (
    inUtf8.find((name) => name.startsWith("en_US")) ??
    inUtf8.find((name) => !/^(C|POSIX)\./.test(name)) ??
    inUtf8[0] ??
    "C"
  );
}

async function listLocales(): Promise<string[]> {
  if (process.platform === "win32") return [];
  return runToEnd("locale", ["-a"]).then(
    (text) => text.split("\n"),
    () => [],
  );
}

/** The paths of a server's data. */
interface Server {
  readonly data: string;
  readonly log: string;
  readonly run: Run;
}

/** Starts the server on a free port and returns the port. Tries again if another process takes the port first. */
async function start(server: Server): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = await findFreePort();
    try {
      await startOn(port, server);
      return port;
    } catch (error) {
      if (tries === TRIES || !/could not bind/.test(String(error))) throw error;
      rmSync(server.log);
    }
  }
}

async function startOn(port: number, { data, log, run }: Server): Promise<void> {
  try {
    await run("pg_ctl", "start", "-s", "-w", "-D", data, "-l", log, "-o", `-p ${port}`);
  } catch (error) {
    const end = readFileSync(log, "utf8").slice(-2_000);
    throw new Error(`PostgreSQL did not start. The end of its log:\n${end}`, { cause: error });
  }
}

async function shutDown({ data, run }: Server, mode: ShutdownMode): Promise<void> {
  if (mode !== "killed") return void (await run("pg_ctl", "stop", "-s", "-w", "-m", mode, "-D", data));
  const [pid] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGKILL");
}

function chownAll(folder: string, { uid, gid }: Account): void {
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    chownSync(join(folder, name), uid, gid);
}

function runProgram(folder: string, program: string, args: readonly string[], account: Account | undefined) {
  // without this filter, a client's variables would affect the server
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name)));
  return runToEnd(join(folder, "native/bin", program), args, { cwd: folder, env, ...account });
}

/** Runs a program and returns its output. Throws if it fails. */
async function runToEnd(file: string, args: readonly string[], options: SpawnOptions = {}): Promise<string> {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => printed.push(text));
  const [code, signal] = await once(child, "close");
  if (code === 0) return printed.join("");
  throw new Error(`${file} ended with ${signal ?? code}:\n${printed.join("")}`);
}
