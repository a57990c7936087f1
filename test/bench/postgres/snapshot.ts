// Sends and their dispatch on PostgreSQL at a rate that msgd sustains: first alone, then while a transaction holds a
// snapshot, as a report does. That transaction first dumps all tables.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadFrom, type Server } from "../process.ts";
import { type SectionOutput, tableLines } from "../section-output.ts";
import { makeSend, prepareTenant, startMsgd } from "../sends.ts";
import { createDatabase, startDurable } from "./databases.ts";
import { type Dump, OldSnapshot } from "./old-snapshot.ts";

export interface SnapshotSize {
  /** Minutes for which the snapshot is held. */
  readonly minutes: number;
  readonly secondsAMinute: number;
  /** Sends per second. */
  readonly pace: number;
}

const CONNECTIONS = 50;
const ALONE_MINUTES = 2;
const body = makeSend("+12025550100");

/** Figures of one minute. */
interface Minute {
  readonly acceptedPerSecond: number;
  readonly deliveredPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Age of the oldest undelivered message at the end of the minute. */
  readonly oldestSeconds: number;
}

export async function benchSnapshot(size: SnapshotSize, { print, printGoal }: SectionOutput): Promise<void> {
  const { minutes, secondsAMinute, pace } = size;
  const span = secondsAMinute === 60 ? "minutes" : `minutes of ${secondsAMinute} s`;
  print(`\nSMS sends on PostgreSQL, ${pace} /s, during an open snapshot and a dump: ${minutes} ${span}\n`);
  const { alone, beside, dump } = await measure(size);
  const figures = ({ acceptedPerSecond, deliveredPerSecond, p50Ms, p99Ms, oldestSeconds }: Minute) => [
    acceptedPerSecond.toFixed(0),
    deliveredPerSecond.toFixed(0),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    oldestSeconds.toFixed(1),
  ];
  const rows = [
    ...alone.map((minute, index) => [`alone, minute ${index + 1}`, ...figures(minute)]),
    ...beside.map((minute, index) => [`snapshot, minute ${index + 1}`, ...figures(minute)]),
  ];
  const head = ["", "accepted /s", "delivered /s", "p50 ms", "p99 ms", "oldest s"];
  for (const line of tableLines(head, rows)) print(line);
  print(`\nthe dump, by ${dump.program}, took ${dump.seconds.toFixed(1)} s`);
  const rate = (of: readonly Minute[]) => of.reduce((sum, each) => sum + each.deliveredPerSecond, 0) / of.length;
  const kept = (100 * rate(beside.slice(-ALONE_MINUTES))) / rate(alone);
  printGoal("last / alone", `${kept.toFixed(1)} %`, "≥ 80 %", kept >= 80);
}

async function measure({
  minutes,
  secondsAMinute,
  pace,
}: SnapshotSize): Promise<{ alone: Minute[]; beside: Minute[]; dump: Dump }> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-bench-snapshot-"));
  const postgres = await startDurable();
  try {
    const url = await createDatabase(postgres, "snapshot");
    const MSGD_SEARCH_FOLDER = join(folder, "indexes");
    const env = { DATABASE_URL: url, MSGD_SECRET_KEY: randomBytes(32).toString("base64"), MSGD_SEARCH_FOLDER };
    const headers = await prepareTenant(join(folder, "none"), env);
    const server = await startMsgd(join(folder, "none"), env);
    try {
      const run = async (count: number) => {
        const measured: Minute[] = [];
        for (let minute = 0; minute < count; minute += 1) {
          measured.push(await measureMinute(server, { headers, pace, seconds: secondsAMinute }));
        }
        return measured;
      };
      // the first measurement only warms up
      await measureMinute(server, { headers, pace, seconds: Math.min(10, secondsAMinute) });
      const alone = await run(ALONE_MINUTES);
      const snapshot = await OldSnapshot.hold(url);
      try {
        const [beside, dump] = await Promise.all([run(minutes), snapshot.dump()]);
        return { alone, beside, dump };
      } finally {
        await snapshot.end();
      }
    } finally {
      await server.stop();
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureMinute(
  { port }: Server,
  { headers, pace, seconds }: { headers: Record<string, string>; pace: number; seconds: number },
): Promise<Minute> {
  const before = await readMetrics(port);
  const plan = { port, path: "/api/v1/messages/sms", headers, body, keys: "uuidv7", pace } as const;
  const result = await loadFrom({ ...plan, connections: CONNECTIONS, seconds });
  const after = await readMetrics(port);
  if (Object.keys(result.failures).length > 0) {
    throw new Error(`msgd answered other than 200: ${JSON.stringify(result.failures)}`);
  }
  const elapsed = (after.at - before.at) / 1_000;
  return {
    acceptedPerSecond: result.requests / result.seconds,
    deliveredPerSecond: (after.delivered - before.delivered) / elapsed,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    oldestSeconds: after.oldestSeconds,
  };
}

async function readMetrics(port: number): Promise<{ at: number; delivered: number; oldestSeconds: number }> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: RegExp) => Number(new RegExp(`^${name.source} (\\S+)$`, "m").exec(page)?.[1] ?? 0);
  return {
    at: performance.now(),
    delivered: read(/msgd_messages_total\{[^}]*status="DELIVERED"[^}]*\}/),
    oldestSeconds: read(/msgd_outbox_oldest_age_seconds\{kind="none"\}/),
  };
}
