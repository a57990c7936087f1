// Delivery of messages while new ones arrive at a steady rate: the rate that a server sustains, and its backlog.

import { setTimeout as sleep } from "node:timers/promises";
import type BetterSqlite3 from "better-sqlite3";
import { hasRow, inDataFolder, useDatabase } from "./data-folder.ts";
import { loadFrom } from "./process.ts";
import { planOfTexts, prepareTenant, startMsgd } from "./sends.ts";
import { type RateGoal, rateGoal } from "./yardstick.ts";

const CONNECTIONS = 50;
const WARM_UP_MS = 2_000;
/** Maximum wait for undelivered messages after the last send. */
const LEFTOVER_MS = 60_000;

export interface SustainedDispatch {
  readonly arrivedPerSecond: number;
  readonly deliveredPerSecond: number;
  /**
   * Longest time from acceptance to delivery, including the simulated carrier's 300 ms. The wait of an undelivered message
   * counts up to the end of the measurement.
   */
  readonly longestWaitMs: number;
  /** Number of messages that are undelivered a minute after the last send. */
  readonly undelivered: number;
  /** Latency of the replies to the sends. */
  readonly p99Ms: number;
}

/** Measures how many messages per second the server accepts from 50 callers. Nearly all are dispatched later. */
export async function measureAccepted(seconds: number): Promise<number> {
  return inDataFolder(async (data) => {
    const headers = await prepareTenant(data);
    const server = await startMsgd(data);
    const load = (ofSeconds: number) =>
      loadFrom(planOfTexts(server, headers, { connections: CONNECTIONS, seconds: ofSeconds }));
    await load(WARM_UP_MS / 1_000);
    const { requests, seconds: lasted } = await load(seconds);
    await server.stop();
    return requests / lasted;
  });
}

/** Scales the goal of a rate to this machine. The goal was set on a machine that accepted 25 000 sends per second. */
export function acceptedGoal(goalPerSecond: number, acceptedPerSecond: number): RateGoal {
  return rateGoal(goalPerSecond, { name: "it accepts", thenPerSecond: 25_000, nowPerSecond: acceptedPerSecond });
}

/** Sends `pace` messages per second for `seconds`, and measures those sent after the first two seconds. */
export async function measureSustained({
  pace,
  seconds,
}: {
  pace: number;
  seconds: number;
}): Promise<SustainedDispatch> {
  return inDataFolder(async (data) => {
    const headers = await prepareTenant(data);
    const server = await startMsgd(data);
    const { p99Ms } = await loadFrom(planOfTexts(server, headers, { connections: CONNECTIONS, pace, seconds }));
    const giveUpAt = performance.now() + LEFTOVER_MS;
    while (hasUndelivered(data) && performance.now() < giveUpAt) await sleep(200);
    await server.stop();
    return { ...readFigures(data), p99Ms };
  });
}

function hasUndelivered(data: string): boolean {
  return hasRow(data, "SELECT 1 FROM messages WHERE status <> 'DELIVERED'");
}

function readFigures(data: string): Omit<SustainedDispatch, "p99Ms"> {
  const read = (database: BetterSqlite3.Database) => {
    const one = <Row>(sql: string, values: object) => database.prepare(sql).get(values) as Row;
    const { first, last } = one<{ first: number; last: number }>(
      "SELECT MIN(created_at) AS first, MAX(created_at) AS last FROM messages",
      {},
    );
    const window = { from: first + WARM_UP_MS, to: last };
    const seconds = (window.to - window.from) / 1_000;
    const { arrived, longest, undelivered } = one<{ arrived: number; longest: number; undelivered: number }>(
      `SELECT COUNT(*) AS arrived, SUM(status <> 'DELIVERED') AS undelivered,
              MAX(CASE status WHEN 'DELIVERED' THEN updated_at ELSE $now END - created_at) AS longest
         FROM messages WHERE created_at BETWEEN $from AND $to`,
      { ...window, now: Date.now() },
    );
    const { delivered } = one<{ delivered: number }>(
      "SELECT COUNT(*) AS delivered FROM messages WHERE status = 'DELIVERED' AND updated_at BETWEEN $from AND $to",
      window,
    );
    return {
      arrivedPerSecond: arrived / seconds,
      deliveredPerSecond: delivered / seconds,
      longestWaitMs: longest,
      undelivered,
    };
  };
  return useDatabase(data, read, { readonly: true });
}
