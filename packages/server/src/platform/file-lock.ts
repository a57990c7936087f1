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

/** Keeps the locks of this process referenced: garbage collection would close, and so release, an unreferenced lock. */
const locks = new Set<BetterSqlite3.Database>();

/**
 * Locks the file for this process until `release` is called or the process ends, creating the file if needed. Returns
 * undefined when another process holds the lock.
 */
export function lockFile(path: string): FileLock | undefined {
  const isNew = !existsSync(path);
  const opened = open(path);
  if (opened === undefined) return undefined;
  let lock = opened;
  let held = fileNumber(path);
  return {
    isNew,
    keep() {
      const found = fileNumber(path);
      if (found === held) return true;
      const again = open(path);
      if (again === undefined) return false;
      close(lock);
      lock = again;
      held = fileNumber(path);
      return true;
    },
    release: () => close(lock),
  };
}

function open(path: string): BetterSqlite3.Database | undefined {
  const lock = new BetterSqlite3(path, { timeout: 0 });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
    locks.add(lock);
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code === "SQLITE_BUSY") return undefined;
    throw error;
  }
}

function close(lock: BetterSqlite3.Database): void {
  locks.delete(lock);
  lock.close();
}

/** Returns an identifier that tells the file at a path from a later file at the same path; undefined if there is no file. */
export function fileNumber(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
