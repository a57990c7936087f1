// The only file that knows every part: it builds them, ties them together and lets go of them in order.

import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { CommanderError } from "commander";
import { systemClock } from "./clock.ts";
import type { Output } from "./commands/output.ts";
import { createProgram } from "./commands/program.ts";
import { type CommandEnvironment, runKeysCreate, runTenantsCreate, runTenantsList } from "./commands/tenancy.ts";
import { ConfigError, readServeConfig, type ServeFlags } from "./config.ts";
import { type DataFolder, lockDataFolder, openDataFolder, readPepper } from "./data-folder.ts";
import { prepareDemo } from "./demo.ts";
import { createDispatcher } from "./dispatch/dispatcher.ts";
import { openSimulatedProvider } from "./dispatch/providers/simulated.ts";
import { createAuthenticator } from "./http/authentication.ts";
import { createHttpServer } from "./http/server.ts";
import { createIds } from "./ids.ts";
import { handlerOf } from "./operations/index.ts";
import { openSqliteStore } from "./store/sqlite/sqlite-store.ts";

const clock = systemClock;
const output: Output = { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) };
const environment: CommandEnvironment = { env: process.env, output, clock, openStore };

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
  const store = await openStore(folder);
  const pepper = readPepper(folder);
  const provider = openSimulatedProvider({ path: folder.simulatorFile, clock });
  const newId = createIds();
  const app = createHttpServer({
    logger: { level: config.logLevel, stream: process.stderr },
    store,
    clock,
    settings: { consentPolicy: config.consentPolicy, newId },
    authenticate: createAuthenticator({ store, clock, pepper }),
    handlerOf,
    notifyDispatcher: () => dispatcher.notify(),
  });
  const dispatcher = createDispatcher({
    store,
    clock,
    providers: { SMS: provider, EMAIL: provider },
    consentPolicy: config.consentPolicy,
    newId,
    logger: app.log,
  });

  await app.listen({ host: config.host, port: config.port });
  const baseUrl = `http://${config.host}:${(app.server.address() as AddressInfo).port}`;
  await dispatcher.start();
  if (config.dev) await prepareDemo(store, { folder, baseUrl, pepper, now: clock.now() });
  output.out(`msgd listening on ${baseUrl}\n`);
  if (config.dev) output.out(describeDemo(folder));

  await signalToStop();
  await app.close();
  await dispatcher.stop();
  provider.close();
  await store.close();
  lock.release();
}

function openStore(folder: DataFolder) {
  return openSqliteStore({ path: folder.databaseFile, now: clock.now });
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
function signalToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

function describeDemo({ demoCredentialFile }: DataFolder): string {
  return `
  Demo credential: ${demoCredentialFile}  (profile "demo" of msgctl)

  Try it in a second terminal, in this folder:

    npx msgctl send sms --profile demo --merchant-id demo --to +12025550100 --message "Hello" --type OTP
    npx msgctl merchants get demo --profile demo
    npx msgctl consent list --profile demo

  Stop the server with Ctrl-C.
`;
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
