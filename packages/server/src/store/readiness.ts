import { newestVersion } from "./migrate.ts";
import type { Transaction } from "./store.ts";

/** 128 kB: more than a send writes, so that a disk with too little space for one has too little for the check. */
const FILLING_REPEATS = 8_192;

/** When an instance that checks no more has its row removed. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000;

export interface WriteCheck {
  /** The instance's own: one that stands still with its row held must not stop the checks of others. */
  readonly checkId: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Writes a row as large as those of requests, to see whether the database accepts it. */
export async function checkWrite(tx: Transaction, { checkId, now }: WriteCheck): Promise<void> {
  // every page differs from the last check's: an unchanged one would not be written
  const filling = String(now).padEnd(16).repeat(FILLING_REPEATS);
  await tx.run(
    `INSERT INTO write_checks (check_id, checked_at, filling) VALUES ($1, $2, $3)
     ON CONFLICT (check_id) DO UPDATE SET checked_at = $2, filling = $3`,
    checkId,
    now,
    filling,
  );
  // one of the future was written under a clock that was ahead
  await tx.run(
    "DELETE FROM write_checks WHERE checked_at < $1 OR checked_at > $2",
    now - FORGOTTEN_MS,
    now + FORGOTTEN_MS,
  );
}

/** Whether the tables are those that this build knows; another build may have changed them meanwhile. */
export async function hasKnownTables(tx: Transaction): Promise<boolean> {
  const row = await tx.get<{ version: number | null }>("SELECT MAX(version) AS version FROM migrations");
  return row?.version === newestVersion;
}
