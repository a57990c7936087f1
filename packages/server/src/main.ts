// The program: its commands on this machine's clock, environment and terminal.

import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { CommanderError } from "commander";
import { systemClock } from "./clock.ts";
import type { Output } from "./commands/output.ts";
import { createProgram } from "./commands/program.ts";
import { type CommandEnvironment, runKeysCreate, runTenantsCreate, runTenantsList } from "./commands/tenancy.ts";
import { ConfigError, defaults, readServeConfig, type ServeConfig, type ServeFlags } from "./config.ts";
import { type DataFolder, lockDataFolder, openDataFolder, readPepper } from "./data-folder.ts";
import { prepareDemo } from "./demo.ts";
import { openService, openStore, type Service } from "./service.ts";

const clock = systemClock;
const output: Output = { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) };
const environment: CommandEnvironment = {
  env: process.env,
  output,
  clock,
  openStore: ({ databaseFile }) => openStore({ databaseFile, clock }),
};

/** Runs `msgd` with its arguments. Sets the exit code: 0, 1 for what went wrong, 2 for what was asked wrongly. */
export async function main(args: readonly string[]): Promise<void> {
  // whatever is written from here on is the owner's alone
  process.umask(0o077);
  const program = createProgram(readVersion(), {
    serve,
    tenantsCreate: (name, flags) => runTenantsCreate(name, flags, environment),
    tenantsList: (flags) => runTenantsList(flags, environment),
    keysCreate: (flags) => runKeysCreate(flags, environment),
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  // commander has said it already
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  output.err(`msgd: ${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof ConfigError ? 2 : 1;
}

async function serve(flags: ServeFlags): Promise<void> {
  const config = readServeConfig(flags, process.env);
  const folder = openDataFolder(config.data);
  const lock = lockDataFolder(folder);
  const pepper = readPepper(folder);
  const { databaseFile, simulatorFile } = folder;
  const { consentPolicy, logLevel } = config;
  const logger = { level: logLevel, stream: process.stderr };
  const service = await openService({
    databaseFile,
    simulatorFile,
    pepper,
    consentPolicy,
    clock,
    logger,
    // the lock on the folder says so
    isStandalone: true,
  });
  const { app, dispatcher, store } = service;

  await listen(app, config);
  const baseUrl = `http://${config.host}:${(app.server.address() as AddressInfo).port}`;
  await dispatcher.start();
  if (config.dev) await prepareDemo(store, { folder, baseUrl, pepper, now: clock.now() });
  output.out(`msgd listening on ${baseUrl}\n`);
  if (config.dev) output.out(describeDemo(folder));

  await signalToStop();
  await service.close();
  lock.release();
}

async function listen(app: Service["app"], { host, port }: ServeConfig): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(`port ${port} of ${host} is taken: stop what listens there, or choose another with --port`);
  }
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
function signalToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

/** msgctl finds the demo credential of the default folder by itself. */
function describeDemo({ path, demoCredentialFile }: DataFolder): string {
  const profile = path === defaults.data ? " --profile demo" : "";
  const setUp =
    profile === "" ? "    (with its values in MSGCTL_BASE_URL, MSGCTL_API_KEY and MSGCTL_API_SECRET)\n\n" : "";
  return `
  Demo credential: ${demoCredentialFile}

  Try it in a second terminal, in this folder:

${setUp}    npx msgctl send sms${profile} --merchant-id demo --to +12025550100 --message "Hello" --type OTP
    npx msgctl merchants get demo${profile}
    npx msgctl consent list${profile}

  Stop the server with Ctrl-C.
`;
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
