import { newestVersion } from "./migrations/migrate.ts";
import type { Transaction } from "./store.ts";

/** Writes a row, to see whether the database takes it. Throws where its tables are not those that this build knows. */
export async function checkWrite(tx: Transaction, now: number): Promise<void> {
  const row = await tx.get<{ version: number | null }>("SELECT MAX(version) AS version FROM migrations");
  const version = row?.version ?? 0;
  if (version !== newestVersion) throw new SchemaMismatch(version);
  await tx.run(
    "INSERT INTO write_checks (check_id, checked_at) VALUES (1, $1) ON CONFLICT (check_id) DO UPDATE SET checked_at = $1",
    now,
  );
}

/** Another build has changed the tables under this one. */
export class SchemaMismatch extends Error {
  override readonly name = "SchemaMismatch";

  constructor(version: number) {
    super(`the database is at version ${version}, and this msgd works with version ${newestVersion}`);
  }
}
