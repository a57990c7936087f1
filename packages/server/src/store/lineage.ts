// What the database knows of copies of itself, and of the pepper beside it, in its one row of `lineage`. A backup has the row
// as it was before: a database that was put back claims no later backup.

import type { Transaction } from "./store.ts";

/**
 * Says which database it is, and from which of its restorations on: what was made of another history does not belong to it. A
 * database that was made anew, under the same name, has another one too.
 */
export async function findHistory(tx: Transaction): Promise<string> {
  const row = await tx.get<{ madeAt: number; history: string | null }>(
    `SELECT MIN(applied_at) AS "madeAt", (SELECT history FROM lineage WHERE lineage_id = 1) AS history FROM migrations`,
  );
  return `${row?.madeAt} ${row?.history ?? ""}`;
}

/** Begins another history: `history` has to be one that no other has. */
export async function renewHistory(tx: Transaction, history: string): Promise<void> {
  await tx.run(
    `INSERT INTO lineage (lineage_id, history) VALUES (1, $1)
     ON CONFLICT (lineage_id) DO UPDATE SET history = excluded.history`,
    history,
  );
}

/** Of which moment the last backup is, in epoch milliseconds; undefined before the first. */
export async function findLastBackup(tx: Transaction): Promise<number | undefined> {
  const row = await tx.get<{ at: number | null }>(`SELECT backed_up_at AS "at" FROM lineage WHERE lineage_id = 1`);
  return row?.at ?? undefined;
}

/** A backup that is noted so long ahead of another was noted under a clock that was ahead: none takes as long. */
const FAR_AHEAD_MS = 24 * 60 * 60_000;

/** Notes a backup as of `at`, unless a later one was noted. */
export async function noteBackup(tx: Transaction, at: number): Promise<void> {
  await tx.run(
    `INSERT INTO lineage (lineage_id, backed_up_at) VALUES (1, $1)
     ON CONFLICT (lineage_id) DO UPDATE SET backed_up_at = excluded.backed_up_at
       WHERE lineage.backed_up_at IS NULL OR lineage.backed_up_at < excluded.backed_up_at OR lineage.backed_up_at > $2`,
    at,
    at + FAR_AHEAD_MS,
  );
}

/** The check of the pepper that credentials were hashed with; undefined before one was noted. */
export async function findPepperCheck(tx: Transaction): Promise<string | undefined> {
  const row = await tx.get<{ pepperCheck: string | null }>(
    `SELECT pepper_check AS "pepperCheck" FROM lineage WHERE lineage_id = 1`,
  );
  return row?.pepperCheck ?? undefined;
}

export async function setPepperCheck(tx: Transaction, check: string): Promise<void> {
  await tx.run(
    `INSERT INTO lineage (lineage_id, pepper_check) VALUES (1, $1)
     ON CONFLICT (lineage_id) DO UPDATE SET pepper_check = excluded.pepper_check`,
    check,
  );
}
