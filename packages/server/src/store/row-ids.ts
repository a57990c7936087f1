// Numeric ids that callers see. They come from the time, with random last digits, so that they neither reveal how much
// other tenants have nor repeat after a backup is restored; they still ascend.

import type { Randomness } from "../platform/randomness.ts";

/** Ids begin at the first moment of 2025. */
const EPOCH_MS = Date.UTC(2025, 0, 1);
/** Ids per millisecond; more rows than this in one use the ids of the next. */
const IDS_A_MS = 4_096;
/** Until 2093: an id stays below 2^53, with room to count on if the clock is wrong. */
const LATEST_MS = EPOCH_MS + Math.floor(2 ** 53 / IDS_A_MS) - 366 * 24 * 3_600_000;

/** Draws an id for a row created at `now`, in epoch milliseconds; 1 outside the years that ids can express. */
export function drawId({ below }: Pick<Randomness, "below">, now: number): number {
  return now < EPOCH_MS || now > LATEST_MS ? 1 : (now - EPOCH_MS) * IDS_A_MS + 1 + below(IDS_A_MS);
}

/** What no id drawn at `epochMs` or later is below. */
export function lowestId(epochMs: number): number {
  return Math.max(0, epochMs - EPOCH_MS) * IDS_A_MS;
}

/**
 * SQL of a new row's id: the drawn id, given as `parameter`, or one soon after the table's highest. Not the next: all
 * that begin at once find the same highest.
 */
export function newIdSql(table: string, column: string, parameter: string): string {
  return `(SELECT CASE WHEN highest >= ${parameter} THEN highest + 1 + ${parameter} % ${IDS_A_MS} ELSE ${parameter} END
             FROM (SELECT MAX(${column}) AS highest FROM ${table}) AS newest)`;
}
