// Locks files through SQLite, so that the operating system releases a lock when its process ends, even if it is killed.

import { existsSync, statSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";

export interface FileLock {
  /** Whether the file was missing. If so, another process may still hold the lock of a file that was deleted. */
  readonly isNew: boolean;
  /** Locks the path again if the held file was deleted or replaced. Returns false if another process has locked it. */
  keep(): boolean;
  release(): void;
}

/** Locks the file for this process, creating it if needed. Returns undefined when another process holds the lock. */
export function lockFile(path: string): FileLock | undefined {
  const isNew = !existsSync(path);
  let lock = open(path);
  if (lock === undefined) return undefined;
  let held = fileNumber(path);
  return {
    isNew,
    keep() {
      const found = fileNumber(path);
      if (found === held) return true;
      const again = open(path);
      if (again === undefined) return false;
      lock?.close();
      lock = again;
      held = fileNumber(path);
      return true;
    },
    release: () => lock?.close(),
  };
}

function open(path: string): BetterSqlite3.Database | undefined {
  const lock = new BetterSqlite3(path, { timeout: 0 });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code === "SQLITE_BUSY") return undefined;
    throw error;
  }
}

/** Returns an identifier of the file at a path, which a later file at this path does not have; undefined without a file. */
export function fileNumber(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
