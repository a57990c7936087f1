import { newestVersion } from "./migrations/migrate.ts";
import type { Transaction } from "./store.ts";

/** Writes a row, to see whether the database takes it. */
export async function checkWrite(tx: Transaction, now: number): Promise<void> {
  await tx.run(
    "INSERT INTO write_checks (check_id, checked_at) VALUES (1, $1) ON CONFLICT (check_id) DO UPDATE SET checked_at = $1",
    now,
  );
}

/** Whether the tables are those that this build knows; another build may have changed them since it started. */
export async function hasKnownTables(tx: Transaction): Promise<boolean> {
  const row = await tx.get<{ version: number | null }>("SELECT MAX(version) AS version FROM migrations");
  return row?.version === newestVersion;
}
