import { readField } from "../../output/fields.ts";
import { formatMoney } from "../../output/table/money.ts";
import { formatCount, formatDuration } from "../../output/text/quantities.ts";

/** The first view of a batch, and how long ago it was read. */
export interface Since {
  first: unknown;
  elapsedMs: number;
}

/** `IN_PROGRESS: 120 of 300 over (40 %), 6 failed, 10 scheduled, 1.23 USD so far, 2 min left`. */
export function batchLine(summary: unknown, { first, elapsedMs }: Since): string {
  const total = count(summary, "totalCalls");
  const over = countEnded(summary);
  const percent = total === 0 ? 100 : Math.floor((100 * over) / total);
  const parts = [`${formatCount(over)} of ${formatCount(total)} over (${percent} %)`];
  for (const name of ["failed", "partial", "scheduled"]) {
    const calls = count(summary, name);
    if (calls > 0) parts.push(`${formatCount(calls)} ${name}`);
  }
  const cost = formatMoney("totalCost", readField(summary, "totalCost"));
  if (cost !== undefined) parts.push(over < total ? `${cost} so far` : cost);
  const left = secondsLeft(summary, over - countEnded(first), elapsedMs);
  if (left !== undefined) parts.push(`${formatDuration(left)} left`);
  return `${String(readField(summary, "status"))}: ${parts.join(", ")}`;
}

/** Estimates the remaining time. Returns undefined if no call has ended yet, or if calls are still scheduled. */
function secondsLeft(summary: unknown, endedSinceFirst: number, elapsedMs: number): number | undefined {
  const pending = count(summary, "pending");
  if (pending === 0 || count(summary, "scheduled") > 0 || endedSinceFirst <= 0 || elapsedMs <= 0) return undefined;
  return (pending * elapsedMs) / endedSinceFirst / 1000;
}

function countEnded(summary: unknown): number {
  return count(summary, "success") + count(summary, "failed") + count(summary, "partial");
}

function count(summary: unknown, name: string): number {
  return Number(readField(summary, name) ?? 0);
}
