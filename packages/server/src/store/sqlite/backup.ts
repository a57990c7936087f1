// A copy of the database as it is at one moment, made beside a server at work.

import { closeSync, fsyncSync, linkSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { lockFile } from "../../platform/file-lock.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** Between two bites the event loop is free; a bite of 1 MiB takes less than a millisecond from a warm disk. */
const PAGES_PER_BITE = 256;

/**
 * Copies the database at `path` to `file`: one file, 0600, that needs nothing beside it, and on the disk when this
 * resolves. Rejects with EEXIST, and leaves it as it is, where `file` exists. What killed backups left beside it is
 * removed; those that are still at work, in other processes, are not disturbed.
 */
export async function backUpDatabase(path: string, file: string): Promise<void> {
  removeLeftovers(dirname(file));
  const draft = openDraft(file);
  try {
    closeSync(openSync(draft.file, "wx", 0o600));
    await copy(path, draft.file);
    settle(draft.file);
    flush(draft.file);
    // a link, unlike a rename, never takes the place of another file
    linkSync(draft.file, file);
  } finally {
    draft.remove();
  }
  flush(dirname(file));
}

/** What the name of a draft's folder has after the name of the backup; then come six letters and digits of its own. */
const DRAFT = ".partial-";
const DRAFT_FOLDER = /\.partial-[A-Za-z0-9]{6}$/;
const LOCK = "lock";
const COPY = "copy.db";
/** All that a draft's folder may hold: both, and what SQLite puts beside them. */
const DRAFT_FILE = /^(?:lock|copy\.db)(?:-journal|-wal|-shm)?$/;

/** A place beside `file` to make it at, so that whoever finds `file` finds it whole. Locked while it is worked at. */
function openDraft(file: string): { readonly file: string; remove(): void } {
  const folder = mkdtempSync(`${file}${DRAFT}`);
  const lock = lockFile(join(folder, LOCK));
  return {
    file: join(folder, COPY),
    remove() {
      lock?.release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Removes from `place` the drafts that nobody works at. Backups are named by their day: no later one has the same name. */
function removeLeftovers(place: string): void {
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    if (!entry.isDirectory() || !DRAFT_FOLDER.test(entry.name)) continue;
    const folder = join(place, entry.name);
    try {
      if (!isDraft(readdirSync(folder))) continue;
      const lock = lockFile(join(folder, LOCK));
      lock?.release();
      if (lock !== undefined) rmSync(folder, { recursive: true, force: true });
    } catch {
      // another user's, perhaps: it is in nobody's way
    }
  }
}

/** The copy is begun behind the lock: a folder that has no copy yet may be a moment old. */
function isDraft(names: readonly string[]): boolean {
  return names.includes(LOCK) && names.includes(COPY) && names.every((name) => DRAFT_FILE.test(name));
}

async function copy(path: string, draft: string): Promise<void> {
  const source = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    // holds the moment: without it each commit of the server would begin the copy anew
    source.exec("BEGIN");
    source.prepare("SELECT COUNT(*) FROM sqlite_master").get();
    await source.backup(draft, { progress: () => PAGES_PER_BITE });
  } finally {
    source.close();
  }
}

/** Leaves the copy without a log beside it. */
function settle(draft: string): void {
  const database = new BetterSqlite3(draft, { fileMustExist: true });
  try {
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
}

/** Puts a file, or the names in a folder, on the disk. */
export function flush(path: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
