// A lock that ends with its process, however that ends: one of the operating system's, held through SQLite.

import BetterSqlite3 from "better-sqlite3";

export interface FileLock {
  release(): void;
}

/** Locks the file for this process, and makes it unless it is there. Undefined where somebody else has it locked. */
export function lockFile(path: string): FileLock | undefined {
  const lock = new BetterSqlite3(path, { timeout: 0 });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code === "SQLITE_BUSY") return undefined;
    throw error;
  }
  return { release: () => lock.close() };
}
