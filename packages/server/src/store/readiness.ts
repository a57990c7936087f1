import { newestVersion } from "./migrations/migrate.ts";
import type { Transaction } from "./store.ts";

/** 128 kB: more than a send writes, so that a disk with too little space for one has too little for the check. */
const FILLING_REPEATS = 8_192;

/** Writes a row as large as those of requests, to see whether the database accepts it. */
export async function checkWrite(tx: Transaction, now: number): Promise<void> {
  // every page differs from the last check's: an unchanged one would not be written
  const filling = String(now).padEnd(16).repeat(FILLING_REPEATS);
  await tx.run(
    `INSERT INTO write_checks (check_id, checked_at, filling) VALUES (1, $1, $2)
     ON CONFLICT (check_id) DO UPDATE SET checked_at = $1, filling = $2`,
    now,
    filling,
  );
}

/** Whether the tables are those that this build knows; another build may have changed them meanwhile. */
export async function hasKnownTables(tx: Transaction): Promise<boolean> {
  const row = await tx.get<{ version: number | null }>("SELECT MAX(version) AS version FROM migrations");
  return row?.version === newestVersion;
}
