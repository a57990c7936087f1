// For tests of what keeps SQLite's log from being moved into the file.

import BetterSqlite3 from "better-sqlite3";

/** Whether all that the file's log has can be moved into the file: nobody shows an earlier moment. */
export function canFoldLog(path: string): boolean {
  const database = new BetterSqlite3(path, { timeout: 0 });
  const [row] = database.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
  database.close();
  return row?.busy === 0;
}
