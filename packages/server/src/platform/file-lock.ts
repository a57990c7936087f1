// A lock of the operating system, held through SQLite: it ends with its process, however that ends.

import BetterSqlite3 from "better-sqlite3";

export interface FileLock {
  release(): void;
}

/** Locks the file for this process, creating it if needed. Returns undefined when another process holds the lock. */
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
