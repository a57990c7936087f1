// Opens the database of a data folder, to prepare and inspect the data.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";

const BUSY_MS = 5_000;

/** Runs `work` in a temporary folder. */
export async function inDataFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens the database for the duration of `use`. */
export function useDatabase<T>(
  folder: string,
  use: (database: BetterSqlite3.Database) => T,
  options?: { readonly: boolean },
): T {
  const database = new BetterSqlite3(join(folder, "msgd.db"), { timeout: BUSY_MS, ...options });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Whether the query returns a row. */
export function hasRow(folder: string, sql: string): boolean {
  return useDatabase(folder, (database) => database.prepare(sql).get() !== undefined, { readonly: true });
}
