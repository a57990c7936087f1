// Starts a private FreeSWITCH, in a temporary folder, with all its ports on loopback.

import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { writeFreeSwitchConfiguration } from "./freeswitch-configuration.ts";

const START_BOUND_MS = 120_000;
const ANSWER_BOUND_MS = 5_000;
const STOP_BOUND_MS = 20_000;
const LOOK_MS = 200;
const GATEWAY = "phones";

export interface FreeSwitch {
  /** Settings of a carrier that uses this FreeSWITCH. */
  readonly settings: object;
  stop(): Promise<void>;
}

/** Finds the program that MSGD_FREESWITCH names, else one in a usual location. */
function findProgram(): string | undefined {
  const named = process.env.MSGD_FREESWITCH;
  if (named !== undefined) return existsSync(named) ? named : undefined;
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/freeswitch/bin"];
  return folders.map((folder) => join(folder, "freeswitch")).find((path) => existsSync(path));
}

/** Returns FreeSWITCH's version; undefined if no installed one runs. */
export function findFreeSwitch(): string | undefined {
  const program = findProgram();
  if (program === undefined) return undefined;
  const { stdout } = spawnSync(program, ["-version"]);
  return /version: ([\d.]+)/.exec(stdout?.toString() ?? "")?.[1];
}

/** Starts a FreeSWITCH whose gateway leads to a port. */
export async function startFreeSwitch(gatewayPort: number): Promise<FreeSwitch> {
  const program = findProgram();
  if (program === undefined) throw new Error("no FreeSWITCH was found: set MSGD_FREESWITCH to its program");
  const folder = mkdtempSync(join(tmpdir(), "msgd-freeswitch-"));
  const callRecordFolder = join(folder, "records");
  mkdirSync(callRecordFolder);
  const [socketPort, sipPort, soundPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const password = randomBytes(16).toString("hex");
  const ports = { socketPort, sipPort, soundPort, gatewayPort };
  const xml = writeFreeSwitchConfiguration({ folder, callRecordFolder, password, gateway: GATEWAY, ...ports });
  writeFileSync(join(folder, "freeswitch.xml"), xml, { mode: 0o600 });
  // uses this folder for every FreeSWITCH directory
  const kept = ["conf", "log", "db", "run", "storage", "cache", "temp", "recordings"];
  const flags = kept.flatMap((name) => [`-${name}`, folder]);
  const child = spawn(program, ["-nf", "-nonat", "-np", ...flags], { stdio: "ignore" });
  const stop = async () => {
    const overdue = setTimeout(() => child.kill("SIGKILL"), STOP_BOUND_MS);
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    clearTimeout(overdue);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitForGateway(socketPort, password);
  } catch (error) {
    await stop();
    throw error;
  }
  const place = { kind: "freeswitch", host: "127.0.0.1", port: socketPort, password, gateway: GATEWAY };
  return { settings: { ...place, callerId: "+12025550199", callRecordFolder }, stop };
}

async function waitForGateway(port: number, password: string): Promise<void> {
  const giveUpAt = performance.now() + START_BOUND_MS;
  for (;;) {
    const said = await ask(port, password, `sofia status gateway ${GATEWAY}`).catch(String);
    if (/^Proxy\s/m.test(said)) return;
    if (performance.now() > giveUpAt) throw new Error(`FreeSWITCH has no gateway: ${said}`);
    await sleep(LOOK_MS);
  }
}

/** Runs a command on the event socket, and returns its output. */
async function ask(port: number, password: string, command: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setTimeout(ANSWER_BOUND_MS, () => socket.destroy(new Error("the event socket said nothing")));
  socket.write(`auth ${password}\n\napi ${command}\n\nexit\n\n`);
  let said = "";
  for await (const bytes of socket) said += bytes;
  return said;
}
