// Repeatedly kills a server under load, each time at another kind of moment. Then lets all work settle, and compares records.

import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { MsgdProcess } from "../e2e/msgd-process.ts";
import { actionKinds } from "./actions.ts";
import { between } from "./between.ts";
import type { LoadProcess } from "./load-process.ts";
import { LoadedFolder, type Settled } from "./loaded-folder.ts";

/** `checkpoint`: while the write-ahead log is moved into the database file. `start`: before the server listens. */
export type Moment = "load" | "checkpoint" | "start";

export interface RoundsResult extends Settled {
  readonly kills: Readonly<Record<Moment, number>>;
  /** Time from the start of the process after a kill until it listens, in milliseconds. */
  readonly recoveryMs: readonly number[];
  /** A graceful stop under load: its exit code, and its duration in milliseconds. */
  readonly orderlyEnd: { readonly exitCode: number | null; readonly tookMs: number };
}

/** Minimum time under load before a kill. */
const SHORTEST_LOAD_MS = 50;
const LONGEST_LOAD_MS = 700;
/** Longer than a start takes, so that most kills hit it. */
const LONGEST_START_MS = 400;
const CHECKPOINT_WAIT_MS = 1_000;
/** Longer than any event takes, even on a machine that is busy with other work. */
const ACKNOWLEDGED_BOUND_MS = 300_000;

/** Runs `rounds` rounds on a temporary folder. */
export async function runCrashRounds(rounds: number, note: (line: string) => void): Promise<RoundsResult> {
  const loaded = await LoadedFolder.begin();
  const { folder } = loaded;
  const kills: Record<Moment, number> = { load: 0, checkpoint: 0, start: 0 };
  const recoveryMs: number[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const moment = (["load", "checkpoint", "start", "load"] as const)[round % 4] ?? "load";
      await sleep(between(SHORTEST_LOAD_MS, LONGEST_LOAD_MS));
      if (moment === "checkpoint") await waitForCheckpoint(folder.path);
      await loaded.server.end("SIGKILL");
      if (moment === "start") await folder.killWhileStarting(between(0, LONGEST_START_MS), "--port", loaded.port);
      kills[moment] += 1;
      const start = performance.now();
      await loaded.serve();
      recoveryMs.push(performance.now() - start);
      note(`round ${round} of ${rounds}: killed (${moment}), up again in ${recoveryMs.at(-1)?.toFixed(0)} ms`);
    }
    await waitUntilAcknowledged(loaded.load, rounds);
    const orderlyEnd = await endOrderly(loaded.server);
    await loaded.serve();
    return { kills, recoveryMs, orderlyEnd, ...(await loaded.settle()) };
  } finally {
    await loaded.remove();
  }
}

async function endOrderly(server: MsgdProcess): Promise<RoundsResult["orderlyEnd"]> {
  const start = performance.now();
  const exitCode = await server.end("SIGTERM");
  return { exitCode, tookMs: performance.now() - start };
}

/** Waits for a write to the database file itself, which only a checkpoint makes. */
async function waitForCheckpoint(folder: string): Promise<void> {
  const changedAt = () => statSync(join(folder, "msgd.db")).mtimeMs;
  const before = changedAt();
  const giveUpAt = performance.now() + CHECKPOINT_WAIT_MS;
  while (changedAt() === before && performance.now() < giveUpAt) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until work of each kind was acknowledged in each round. If some kind never is, the counts in the result show it. */
async function waitUntilAcknowledged(load: LoadProcess, rounds: number): Promise<void> {
  const giveUpAt = performance.now() + ACKNOWLEDGED_BOUND_MS;
  while (performance.now() < giveUpAt) {
    const counts = new Map(actionKinds.map((kind) => [kind, 0]));
    for (const { kind } of load.readAcknowledgements()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (Math.min(...counts.values()) > rounds) return;
    await sleep(LONGEST_LOAD_MS);
  }
}
