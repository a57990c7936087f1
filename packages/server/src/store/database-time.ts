import type { Transaction } from "./store.ts";

/** SQL of the time by the clock of a database's server, in epoch milliseconds. Of an engine that instances share. */
export const databaseTime = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

export async function findDatabaseTime(tx: Transaction): Promise<number> {
  const row = await tx.get<{ now: number }>(`SELECT ${databaseTime} AS "now"`);
  if (row === undefined) throw new Error("the database told no time");
  return row.now;
}
