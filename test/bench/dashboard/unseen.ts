// Cost of the dashboard without viewers: start time and memory of a server with it and without it, measured alternately.

import { setTimeout } from "node:timers/promises";
import { readResidentMb } from "../process.ts";
import { prepareTenant, startMsgd } from "../sends.ts";

/** Time after the start until the server has finished its preparations and released their memory. */
const IDLE_MS = 4_000;

export interface Unseen {
  readonly startMs: number;
  readonly idleMb: number;
}

/** Returns the medians of `rounds` starts each. */
export async function measureUnseen(
  data: string,
  rounds: number,
): Promise<{ readonly on: Unseen; readonly off: Unseen }> {
  await prepareTenant(data);
  const on: Unseen[] = [];
  const off: Unseen[] = [];
  for (let round = 0; round < rounds; round += 1) {
    on.push(await measure(data, "on"));
    off.push(await measure(data, "off"));
  }
  return { on: medians(on), off: medians(off) };
}

async function measure(data: string, dashboard: "on" | "off"): Promise<Unseen> {
  const { pid, startMs, stop } = await startMsgd(data, { MSGD_DASHBOARD: dashboard });
  await setTimeout(IDLE_MS);
  const idleMb = readResidentMb(pid) ?? Number.NaN;
  await stop();
  return { startMs, idleMb };
}

function medians(runs: readonly Unseen[]): Unseen {
  return { startMs: median(runs.map(({ startMs }) => startMs)), idleMb: median(runs.map(({ idleMb }) => idleMb)) };
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
