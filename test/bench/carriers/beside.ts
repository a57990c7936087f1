// Measures how much slower sends are while msgd submits the messages to a carrier than they are with the simulated carrier.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { msgdProgram } from "../../e2e/msgd-process.ts";
import type { LoadResult } from "../load.ts";
import { loadFrom } from "../process.ts";
import { planOfTexts, prepareTenant, startMsgd } from "../sends.ts";
import { startSink } from "./sink.ts";

/** Requests per second: well below the server's limit, and half of the highest rate of submissions. */
const PACE = 1_200;
const CONNECTIONS = 4;

export interface BesideFigures {
  readonly pace: number;
  readonly simulated: LoadResult;
  readonly carried: LoadResult;
}

export async function measureBeside(seconds: number): Promise<BesideFigures> {
  const simulated = await measure(seconds, undefined);
  const sink = await startSink("text-sink.ts");
  try {
    const carried = await measure(seconds, sink.port);
    const taken = await sink.countTaken();
    // if the carrier took fewer texts, it was not busy during the whole measurement
    if (taken < carried.requests) throw new Error(`the carrier took ${taken} of ${carried.requests} texts`);
    return { pace: PACE, simulated, carried };
  } finally {
    sink.end();
  }
}

/** Measures sends of a live tenant. @param port of its carrier; undefined for the simulated carrier */
async function measure(seconds: number, port: number | undefined): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-beside-"));
  try {
    const headers = await prepareTenant(folder, {}, "live");
    if (port !== undefined) setCarrier(folder, port);
    const server = await startMsgd(folder);
    const plan = planOfTexts(server, headers, { connections: CONNECTIONS, pace: PACE, seconds });
    await loadFrom({ ...plan, seconds: 2 });
    const result = await loadFrom(plan);
    await server.stop();
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function setCarrier(folder: string, port: number): void {
  const file = join(folder, "carrier.json");
  const settings = { kind: "smpp", host: "127.0.0.1", port, systemId: "bench", password: "bench", window: 100 };
  writeFileSync(file, JSON.stringify({ ...settings, sender: "+12025550199" }), { mode: 0o600 });
  const args = ["carriers", "set", "--tenant", "1", "--channel", "SMS", "--file", file, "--data", folder];
  execFileSync(process.execPath, [msgdProgram, ...args], { stdio: "ignore" });
}
