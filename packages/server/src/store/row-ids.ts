// Ids of what callers see by number. They come from the time, with chance in their last digits, so that they neither
// tell how much other tenants have nor are given again after a backup was restored; they ascend all the same.

import { randomInt } from "node:crypto";

/** Ids begin at the first moment of 2025. */
const EPOCH_MS = Date.UTC(2025, 0, 1);
/** Room of one millisecond; more rows than this in one take the next ones' room. */
const IDS_A_MS = 4_096;
/** Until 2093: an id stays below 2^53, with room to count on for a clock that is wrong. */
const LATEST_MS = EPOCH_MS + Math.floor(2 ** 53 / IDS_A_MS) - 366 * 24 * 3_600_000;

/** An id for a row that is made at `now`, in epoch milliseconds; 1 outside of the years that ids can tell. */
export function drawId(now: number): number {
  return now < EPOCH_MS || now > LATEST_MS ? 1 : (now - EPOCH_MS) * IDS_A_MS + 1 + randomInt(IDS_A_MS);
}

/** SQL of a new row's id: the one that was drawn, given as `parameter`, or the next after the table's highest. */
export function newIdSql(table: string, column: string, parameter: string): string {
  return `(SELECT CASE WHEN highest >= ${parameter} THEN highest + 1 ELSE ${parameter} END
             FROM (SELECT MAX(${column}) AS highest FROM ${table}) AS newest)`;
}
