// The program `msgd`: runs the commands with this machine's clock, environment and terminal.

import { existsSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommanderError } from "commander";
import { findInstallation, type Installation, withInstallation } from "./commands/database.ts";
import type { CommandEnvironment, Output } from "./commands/environment.ts";
import { noteAddress } from "./commands/first-message.ts";
import { createProgram } from "./commands/program.ts";
import { describeDemo, describeDocs, describeListenFailure, formatUrl } from "./commands/ready.ts";
import { createShiftableClock } from "./development/clocks.ts";
import { type DemoTenant, prepareDemo } from "./development/demo.ts";
import { databases, openStore } from "./engines.ts";
import { builtContract } from "./http/contract-document.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { type DataFolder, lockDataFolder, openDataFolder, readFolderSecretKey } from "./platform/data-folder.ts";
import { type FileLock, fileNumber } from "./platform/file-lock.ts";
import { keepHeapSmall } from "./platform/heap.ts";
import { createLogging, dropWhenFull } from "./platform/logging.ts";
import { explainSqliteBinding } from "./platform/sqlite-binding.ts";
import { nameTemporaryFolder } from "./platform/temporary-folder.ts";
import type { IndexFile } from "./search/followed-index.ts";
import type { Service } from "./service.ts";
import { ConfigError, readServeConfig, type ServeConfig } from "./settings/config.ts";

/** How long requests in flight may take after the signal to stop. */
const STOP_GRACE_MS = 5_000;
/** How long a stop waits for a database server: longer than for requests, so that their results are recorded. */
const DATABASE_GRACE_MS = 10_000;
/** Time after the signal at which the process exits in any case, even if the disk hangs. */
const STOP_LIMIT_MS = 20_000;

/** How long the process waits for its last output to be read from a pipe. */
const PRINT_LIMIT_MS = 1_000;

/** Interval at which a server checks its folder's lock and database. */
const LOCK_LOOK_MS = 250;
/** Time within which another server notices that its lock is gone. */
const LOCK_SEEN_MS = 2_000;

/** Interval at which workers look for work that other instances have left in a shared database. */
const LOOK_MS = 1_000;

/** Interval at which a server checks whether carriers were set or removed. */
const CARRIER_LOOK_MS = 500;

/** Whether this process is a server. A server continues if it cannot print. */
let isServer = false;

const output: Output = { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) };
const environment: CommandEnvironment = {
  env: process.env,
  output,
  clock: systemClock,
  openStore: (database) => openStore({ database, clock: systemClock }),
  databases,
  fetch,
};

/** Runs `msgd` with its arguments. Sets the exit code: 0 after success, 1 after a failure, 2 for wrong usage. */
export async function main(args: readonly string[]): Promise<void> {
  // makes all files that this process creates private to their owner
  process.umask(0o077);
  process.stdout.on("error", reportLostOutput);
  // if the log's disk is full, only log lines are lost
  process.stderr.on("error", () => {});
  const program = createProgram(readVersion(), {
    environment,
    serve: async (flags) => {
      keepHeapSmall();
      const config = readServeConfig(flags, process.env);
      const installation = findInstallation(flags, process.env);
      await withInstallation(installation, () => serve(config, installation));
    },
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = report(explainSqliteBinding(error));
  }
}

function report(error: unknown): number {
  // commander has already reported it
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  output.err(message.replace(/^/gm, "msgd: ").concat("\n"));
  return error instanceof ConfigError ? 2 : 1;
}

async function serve(config: ServeConfig, installation: Installation): Promise<void> {
  isServer = true;
  // registered early, so that a signal during the start takes effect as soon as the server has started
  const stopped = signalToStop();
  const { database, folder, requireUntransferred, readPepper, openSecretBox } = installation;
  const lock = await prepareFolder(config, installation);
  // in development with a database on a server, the index is in memory
  const hasIndex = config.dashboard && ("file" in database || !config.dev);
  const index = hasIndex ? await takeIndex(installation) : undefined;
  let watch: NodeJS.Timeout | undefined;
  try {
    requireUntransferred();
    const { speechCommand, speechFolder } = config;
    const logger = createLogging({ level: config.logLevel, stream: dropWhenFull(process.stderr) });
    let demo: DemoTenant | undefined;
    const tenant = () => {
      if (demo === undefined) throw new Error("a request came before the demo tenant was created");
      return demo;
    };
    const development = config.dev ? { clock: createShiftableClock(systemClock), tenant } : undefined;
    const clock: Clock = development?.clock ?? systemClock;
    // loaded here, so that other commands do not load the server
    const { openService } = await import("./service.ts");
    const service = await openService({
      database,
      databaseConnections: config.databaseConnections,
      simulator: "url" in database ? database : { file: folder.simulatorFile },
      markFile: "url" in database ? undefined : folder.markFile,
      pepper: readPepper,
      consentPolicy: config.consentPolicy,
      stopCovers: config.stopCovers,
      registration: config.registration,
      secrets: openSecretBox,
      countOlderSeals: (store) => installation.countOlderSeals(store, clock.now()),
      directoryCredential: config.directoryCredential,
      idempotencyDays: config.idempotencyDays,
      callbackReach: config.callbackReach,
      prices: config.prices,
      largestUpgradeCents: config.largestUpgradeCents,
      rateLimit: config.rateLimit,
      metricsHosts: [config.host, ...config.metricsHosts],
      publicUrl: config.publicUrl,
      trustedProxies: config.trustedProxies,
      logAddresses: config.logAddresses,
      contractFiles: builtContract,
      version: readVersion(),
      dashboardFiles: config.dashboard ? new URL("dashboard/", import.meta.url) : undefined,
      searchFile: index?.path,
      searchThreads: {
        follow: new URL("follow-thread.js", import.meta.url),
        find: new URL("find-thread.js", import.meta.url),
      },
      taskThread: new URL("task-thread.js", import.meta.url),
      bodyThread: new URL("body-thread.js", import.meta.url),
      clock,
      checkpointThread: new URL("checkpoint-thread.js", import.meta.url),
      cursorThread: new URL("cursor-thread.js", import.meta.url),
      logger,
      isAlone: lock !== undefined,
      pollIntervalMs: lock === undefined ? LOOK_MS : undefined,
      otpValidityMs: config.otpValidityMs,
      bounces: config.bounces,
      // without a folder that FreeSWITCH can read, calls stay simulated
      speech: speechCommand && speechFolder ? { command: speechCommand, folder: speechFolder } : undefined,
      carrierPollIntervalMs: CARRIER_LOOK_MS,
      watchesLoop: true,
      development,
    });
    if (lock !== undefined) watch = watchFolder(folder, lock);
    try {
      if (config.dev) {
        const { store } = service;
        const [pepper, secrets] = [await readPepper(store), await openSecretBox(store)];
        demo = await prepareDemo(store, { folder, pepper, secrets, now: clock.now() });
      }
      await run(service, { config, demo, installation, stopped });
    } finally {
      await close(service);
    }
  } finally {
    clearInterval(watch);
    index?.release();
    lock?.release();
    endSoon();
  }
}

/** Returns the file of the search index, and a function that releases it. */
async function takeIndex({ database, searchFile, unwritable }: Installation): Promise<IndexFile> {
  if (searchFile === undefined) {
    if (unwritable !== undefined) {
      output.err(
        `msgd: ${unwritable} cannot be written: the search index is a temporary file for now; set MSGD_SEARCH_FOLDER to another folder\n`,
      );
    }
    const { path, remove } = nameTemporaryFolder();
    return { path: join(path, "search.db"), release: remove };
  }
  if ("file" in database) return { path: searchFile, release() {} };
  const { takeIndexFile } = await import("./search/followed-index.ts");
  return takeIndexFile(searchFile);
}

/** Makes a command that could not print its result exit with 1. A server continues. */
function reportLostOutput({ code, message }: NodeJS.ErrnoException): void {
  // EPIPE: the reader, such as `head`, has closed the pipe
  if (isServer || code === "EPIPE") return;
  process.exitCode = 1;
  output.err(`msgd: the command was executed, but its output was lost: standard output failed (${message})\n`);
}

/** Ends this process after `PRINT_LIMIT_MS`, because a pending write to an unread pipe would keep it alive. */
function endSoon(): void {
  setTimeout(() => process.exit(), PRINT_LIMIT_MS).unref();
}

/**
 * Prepares the data folder. Returns its lock, which keeps other processes from serving the database. For a shared
 * database there is no lock, and only `--dev` uses the folder, for example to store a key if none is set.
 */
async function prepareFolder(
  { dev, secretKeys }: ServeConfig,
  { database, folder }: Installation,
): Promise<FileLock | undefined> {
  if ("file" in database) {
    const lock = lockDataFolder(openDataFolder(folder.path));
    // if the lock file was deleted under another server, that server ends when it notices this one's lock
    if (lock.isNew && existsSync(folder.databaseFile)) await sleep(LOCK_SEEN_MS);
    return lock;
  }
  if (dev) readFolderSecretKey(openDataFolder(folder.path), { make: secretKeys === undefined });
  return undefined;
}

/**
 * Ends this process immediately if another one has the folder's lock, or if the database file was replaced. Otherwise messages
 * could be sent twice, or writes lost.
 */
function watchFolder({ path, databaseFile }: DataFolder, lock: FileLock): NodeJS.Timeout {
  const served = fileNumber(databaseFile);
  return setInterval(() => {
    const isServed = fileNumber(databaseFile) === served;
    if (isServed && lock.keep()) return;
    const why = isServed
      ? `another msgd has taken over ${path}: this server ends immediately, so that no message is sent twice`
      : `${databaseFile} was removed or replaced: this server ends immediately, because further writes would be lost; earlier writes are in the old file`;
    output.err(`msgd: ${why}\n`);
    process.exit(1);
  }, LOCK_LOOK_MS).unref();
}

/** Listens, and runs until a signal to stop. */
async function run(
  { app, start, warmUp }: Service,
  served: { config: ServeConfig; demo: DemoTenant | undefined; installation: Installation; stopped: Promise<void> },
): Promise<void> {
  const { config, demo, installation, stopped } = served;
  const { database, folder } = installation;
  await listen(app, config);
  const baseUrl = formatUrl(config.host, (app.server.address() as AddressInfo).port);
  await start();
  demo?.announce(baseUrl);
  if ("file" in database || demo !== undefined) {
    noteAddress(installation, { baseUrl, publicUrl: config.publicUrl });
  }
  output.out(`msgd listening on ${baseUrl}\n`);
  output.out(describeDocs(baseUrl));
  if (demo !== undefined) {
    if (demo.note !== undefined) output.err(`msgd: ${demo.note}\n`);
    const colour = process.stdout.isTTY && process.stdout.hasColors();
    output.out(describeDemo(folder, { baseUrl, colour }));
  }
  // a development server is often stopped after a few requests, which compile the few schemas that they need
  if (demo === undefined) {
    warmUp().catch((error) => app.log.error({ err: error }, "a schema of the contract could not be compiled"));
  }
  await stopped;
}

async function close(service: Service): Promise<void> {
  const requests = setTimeout(() => service.app.server.closeAllConnections(), STOP_GRACE_MS);
  const database = setTimeout(() => service.breakOff(), DATABASE_GRACE_MS);
  const lastResort = setTimeout(() => {
    output.err(
      `msgd: stopping took longer than ${STOP_LIMIT_MS / 1_000} s and was cut short; all acknowledged requests are stored\n`,
    );
    process.exit(1);
  }, STOP_LIMIT_MS);
  await service.close();
  for (const timer of [requests, database, lastResort]) clearTimeout(timer);
}

async function listen(app: Service["app"], { host, port }: ServeConfig): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new Error(describeListenFailure(error, { host, port, hostFlag: "--host (MSGD_HOST)" }), { cause: error });
  }
}

/** Resolves at the first SIGINT or SIGTERM. A second one ends the process immediately. */
function signalToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
