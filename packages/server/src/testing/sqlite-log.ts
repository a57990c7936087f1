// For tests of readers that keep SQLite's log from being checkpointed.

import BetterSqlite3 from "better-sqlite3";

/** Returns whether the whole log can be checkpointed, that is, whether no reader holds an older snapshot. */
export function canFoldLog(path: string): boolean {
  const database = new BetterSqlite3(path, { timeout: 0 });
  const [row] = database.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
  database.close();
  return row?.busy === 0;
}
