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

const CONNECTIONS = 4;
const ROUNDS = 3;

export interface Beside {
  readonly program: Parameters<typeof startSink>[0];
  readonly settings: (port: number) => Readonly<Record<string, unknown>>;
  /** Requests per second, which the carrier keeps up with. */
  readonly pace: number;
  readonly seconds: number;
}

export interface BesideFigures {
  readonly simulated: LoadResult;
  readonly carried: LoadResult;
}

/** Measures both alternately, and returns the rounds with the median p99. A test tenant's messages are dispatched to the simulated carrier. */
export async function measureBeside(beside: Beside): Promise<BesideFigures> {
  const simulated: LoadResult[] = [];
  const carried: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    simulated.push(await measure(beside, undefined));
    const sink = await startSink(beside.program);
    try {
      const result = await measure(beside, sink.port);
      carried.push(result);
      const taken = await sink.countTaken();
      // if the carrier took fewer texts, it was not busy during the whole measurement
      if (taken < result.requests) throw new Error(`the carrier took ${taken} of ${result.requests} texts`);
    } finally {
      sink.end();
    }
  }
  return { simulated: median(simulated), carried: median(carried) };
}

function median(results: readonly LoadResult[]): LoadResult {
  const sorted = results.toSorted((one, other) => one.p99Ms - other.p99Ms);
  return sorted[Math.floor(sorted.length / 2)] as LoadResult;
}

/** Measures sends of a tenant. @param port of its carrier; undefined for the simulated carrier */
async function measure({ settings, pace, seconds }: Beside, port: number | undefined): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-beside-"));
  try {
    const headers = await prepareTenant(folder, {}, port === undefined ? "test" : "live");
    if (port !== undefined) setCarrier(folder, settings(port));
    const server = await startMsgd(folder, { MSGD_PUBLIC_URL: "https://msg.acme.example" });
    const plan = planOfTexts(server, headers, { connections: CONNECTIONS, pace, seconds });
    await loadFrom({ ...plan, seconds: 2 });
    const result = await loadFrom(plan);
    await server.stop();
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function setCarrier(folder: string, settings: Readonly<Record<string, unknown>>): void {
  const file = join(folder, "carrier.json");
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  const args = ["carriers", "set", "--tenant", "1", "--channel", "SMS", "--file", file, "--data", folder];
  execFileSync(process.execPath, [msgdProgram, ...args], { stdio: "ignore" });
}
