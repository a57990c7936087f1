// A server with the probe of event loop turns, on the data of two tenants: one causes the stress, and the other only sends.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Server, startServer } from "../process.ts";
import { prepareTenant } from "../sends.ts";
import type { TurnFigures } from "./probe.mjs";

const msgd = fileURLToPath(new URL("../../../bin/msgd", import.meta.url));
const probe = new URL("probe.mjs", import.meta.url).href;

export type Headers = Readonly<Record<string, string>>;

export interface World {
  readonly data: string;
  /** Headers of the tenant that runs the stress. */
  readonly crowd: Headers;
  /** Headers of the tenant whose sends are measured. */
  readonly sender: Headers;
}

/** Creates a data folder in `folder` with two tenants, each of which has a merchant `bench`. */
export async function makeWorld(folder: string): Promise<World> {
  const data = join(folder, "prepared");
  return { data, crowd: await prepareTenant(data), sender: await prepareTenant(data) };
}

/** Copies the data of both tenants to a folder next to the first. */
export function copyWorld(world: World): World {
  const data = mkdtempSync(`${world.data}-run-`);
  cpSync(world.data, data, { recursive: true });
  return { ...world, data };
}

export interface ProbedServer extends Server {
  /** Resets the probe's figures. */
  beginTurns(): Promise<void>;
  readTurns(): Promise<TurnFigures>;
}

/** Starts a server that calls everyone who has not opted out, and allows callbacks to this machine. */
export async function startProbed({ data }: World, more: readonly string[] = []): Promise<ProbedServer> {
  const flags = ["--consent-policy", "opt_out_only", "--allow-private-callbacks", "--log-level", "silent", ...more];
  const args = ["--import", probe, msgd, "serve", "--data", data, "--port", "0", ...flags];
  const server = await startServer(args, undefined, "ipc");
  return {
    ...server,
    beginTurns: async () => {
      await ask(server.child, "begin");
    },
    readTurns: () => ask(server.child, "read"),
  };
}

/** Reads a reply as it arrives, and discards it. */
export async function discardBody(reply: Response): Promise<void> {
  await reply.body?.pipeTo(new WritableStream());
}

/** Asks the probe. Rejects if the process ends before it answers. */
async function ask(child: ChildProcess, question: string): Promise<TurnFigures> {
  const ended = once(child, "exit").then(() => {
    throw new Error("the server ended");
  });
  child.send(question);
  const [answer] = await Promise.race([once(child, "message"), ended]);
  return answer as TurnFigures;
}
