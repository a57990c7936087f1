// A copy of the database as of one moment, made beside a running server.

import { closeSync, fsyncSync, linkSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { lockFile } from "../../platform/file-lock.ts";
import { SqliteConnection } from "./connection.ts";
import { findFileAge } from "./inspection.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** Between two steps the event loop is free; a step of 1 MiB takes less than a millisecond from a warm disk. */
const PAGES_PER_BITE = 256;

/**
 * Copies the database at `path` to `file`: one self-contained file, 0600, flushed to disk when this resolves. Rejects with
 * EEXIST, and leaves it unchanged, if `file` exists; rejects for `UnreleasedTables`. Leftovers of killed backups beside it
 * are removed; backups still running in other processes are not disturbed.
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

/** Follows the backup's name in the name of a draft's folder, before six random letters and digits. */
const DRAFT = ".partial-";
const DRAFT_FOLDER = /\.partial-[A-Za-z0-9]{6}$/;
const LOCK = "lock";
const COPY = "copy.db";
/** Everything a draft's folder may hold: both files, and what SQLite puts beside them. */
const DRAFT_FILE = /^(?:lock|copy\.db)(?:-journal|-wal|-shm)?$/;

/** Opens a draft beside `file`, so that `file` is complete once it appears. Locked while in use. */
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

/** Removes abandoned drafts from `place`. Backups are named by their day: no later one has the same name. */
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
      // perhaps another user's: it does no harm
    }
  }
}

/** The copy is begun after the lock: a folder without a copy may be brand-new. */
function isDraft(names: readonly string[]): boolean {
  return names.includes(LOCK) && names.includes(COPY) && names.every((name) => DRAFT_FILE.test(name));
}

async function copy(path: string, draft: string): Promise<void> {
  const source = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    // holds the snapshot: without it each commit of the server would restart the copy
    source.exec("BEGIN");
    await findFileAge(new SqliteConnection(source));
    await source.backup(draft, { progress: () => PAGES_PER_BITE });
  } finally {
    source.close();
  }
}

/** Removes the log beside the copy. */
function settle(draft: string): void {
  const database = new BetterSqlite3(draft, { fileMustExist: true });
  try {
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
}

/** Flushes a file, or the names in a folder, to disk. */
export function flush(path: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
