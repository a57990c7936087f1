// Kills a server under load, again and again, each time at another kind of moment; then lets everything settle and
// compares.

import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../bench/process.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { actionKinds, merchantId, quota } from "./actions.ts";
import { type Comparison, compare } from "./comparison.ts";
import { queryData } from "./data.ts";
import type { LoadReport } from "./load.ts";
import { LoadProcess } from "./load-process.ts";

/** `checkpoint`: while the log is moved into the database file. `start`: before the server listens. */
export type Moment = "load" | "checkpoint" | "start";

export interface RoundsResult extends LoadReport, Comparison {
  readonly kills: Readonly<Record<Moment, number>>;
  /** From the start of the process after a kill until it listens, in milliseconds. */
  readonly recoveryMs: readonly number[];
  /** Of an orderly end under load: its exit code, and how long it took in milliseconds. */
  readonly orderlyEnd: { readonly exitCode: number | null; readonly tookMs: number };
  /** From the end of the load until nothing was on its way any more. */
  readonly settleMs: number;
}

/** How long a server is under load before it may be killed. */
const SHORTEST_LOAD_MS = 50;
const LONGEST_LOAD_MS = 700;
/** A start takes less than this, so that most kills of one hit it. */
const LONGEST_START_MS = 400;
const CHECKPOINT_WAIT_MS = 1_000;
/** Only what never comes takes longer, on a machine that is busy with other work too. */
const SETTLE_BOUND_MS = 300_000;

/** Runs `rounds` rounds on a folder of its own, which is gone afterwards. */
export async function runCrashRounds(rounds: number, note: (line: string) => void): Promise<RoundsResult> {
  const folder = new MsgdFolder();
  const credential = folder.createTenant();
  const port = await findFreePort();
  const serve = () => folder.serve("--port", String(port), "--log-level", "fatal");
  const kills: Record<Moment, number> = { load: 0, checkpoint: 0, start: 0 };
  const recoveryMs: number[] = [];
  let server = await serve();
  await addMerchant(server, credential);
  const plan = { baseUrl: server.baseUrl, apiKey: credential.apiKey, apiSecret: credential.apiSecret };
  const load = new LoadProcess({ ...plan, file: join(folder.parent, "acknowledged.ndjson") });
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const moment = (["load", "checkpoint", "start", "load"] as const)[round % 4] ?? "load";
      await sleep(between(SHORTEST_LOAD_MS, LONGEST_LOAD_MS));
      if (moment === "checkpoint") await waitForCheckpoint(folder.path);
      await server.end("SIGKILL");
      if (moment === "start") await folder.killWhileStarting(between(0, LONGEST_START_MS), "--port", String(port));
      kills[moment] += 1;
      const start = performance.now();
      server = await serve();
      recoveryMs.push(performance.now() - start);
      note(`round ${round} of ${rounds}: killed (${moment}), up again in ${recoveryMs.at(-1)?.toFixed(0)} ms`);
    }
    await waitUntilAcknowledged(load, rounds);
    const orderlyEnd = await endOrderly(server);
    server = await serve();
    const report = await load.finish();
    const start = performance.now();
    await waitUntilSettled(folder.path);
    const settleMs = performance.now() - start;
    await server.end("SIGTERM");
    return { kills, recoveryMs, orderlyEnd, settleMs, ...report, ...compare(folder.path, load.readAcknowledgements()) };
  } finally {
    load.kill();
    await folder.remove();
  }
}

async function endOrderly(server: MsgdProcess): Promise<RoundsResult["orderlyEnd"]> {
  const start = performance.now();
  const exitCode = await server.end("SIGTERM");
  return { exitCode, tookMs: performance.now() - start };
}

async function addMerchant({ baseUrl }: MsgdProcess, { apiKey, apiSecret }: Credential): Promise<void> {
  const reply = await fetch(`${baseUrl}/api/v1/merchants`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret },
    body: JSON.stringify({ merchantId, displayName: "First", ...quota }),
  });
  if (!reply.ok) throw new Error(`the merchant was not made: ${await reply.text()}`);
}

/** Only a checkpoint writes to the database file itself. */
async function waitForCheckpoint(folder: string): Promise<void> {
  const changedAt = () => statSync(join(folder, "msgd.db")).mtimeMs;
  const before = changedAt();
  const giveUpAt = performance.now() + CHECKPOINT_WAIT_MS;
  while (changedAt() === before && performance.now() < giveUpAt) await new Promise((resolve) => setImmediate(resolve));
}

/** Until some of each kind of work was acknowledged for each round; what never is, the counts of the result tell. */
async function waitUntilAcknowledged(load: LoadProcess, rounds: number): Promise<void> {
  const giveUpAt = performance.now() + SETTLE_BOUND_MS;
  while (performance.now() < giveUpAt) {
    const counts = new Map(actionKinds.map((kind) => [kind, 0]));
    for (const { kind } of load.readAcknowledgements()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (Math.min(...counts.values()) > rounds) return;
    await sleep(LONGEST_LOAD_MS);
  }
}

/** What still has somewhere to go: accepted messages, those on their way, calls, and steps due within the minute. */
const openQuery = () => `
  SELECT (SELECT COUNT(*) FROM messages WHERE status IN ('QUEUED', 'SENDING', 'SENT'))
       + (SELECT COUNT(*) FROM dispatches)
       + (SELECT COUNT(*) FROM tts_calls WHERE completed_at IS NULL)
       + (SELECT COUNT(*) FROM jobs WHERE kind <> 'pruning' AND due_at < ${Date.now() + 60_000}) AS open`;

async function waitUntilSettled(folder: string): Promise<void> {
  const giveUpAt = performance.now() + SETTLE_BOUND_MS;
  // what never settles is told by the comparison
  while (performance.now() < giveUpAt) {
    if (queryData<{ open: number }>(folder, "msgd.db", openQuery())[0]?.open === 0) return;
    await sleep(100);
  }
}

function between(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
