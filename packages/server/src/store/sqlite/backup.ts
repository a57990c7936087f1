// A copy of the database as it is at one moment, made beside a server at work.

import { closeSync, existsSync, fsyncSync, linkSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { lockFile } from "../../file-lock.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** Between two bites the event loop is free; a bite of 1 MiB takes less than a millisecond from a warm disk. */
const PAGES_PER_BITE = 256;

/**
 * Copies the database at `path` to `file`: one file, 0600, that needs nothing beside it, and on the disk when this
 * resolves. Rejects with EEXIST, and leaves it as it is, where `file` exists. What backups to the same file left that
 * were killed is removed; those that are still at work, in other processes, are not disturbed.
 */
export async function backUpDatabase(path: string, file: string): Promise<void> {
  removeLeftovers(file);
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

/** What the name of a draft's folder has after the name of the backup; then comes what no other draft has. */
const DRAFT = ".partial-";

/** A place beside `file` to make it at, so that whoever finds `file` finds it whole. Locked while it is worked at. */
function openDraft(file: string): { readonly file: string; remove(): void } {
  const folder = mkdtempSync(`${file}${DRAFT}`);
  const lock = lockFile(join(folder, "lock"));
  return {
    file: join(folder, "copy.db"),
    remove() {
      lock?.release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function removeLeftovers(file: string): void {
  const beginning = `${basename(file)}${DRAFT}`;
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(beginning)) continue;
    const folder = join(dirname(file), name);
    // one without a lock may be a moment old
    if (!existsSync(join(folder, "lock"))) continue;
    try {
      const lock = lockFile(join(folder, "lock"));
      lock?.release();
      if (lock !== undefined) rmSync(folder, { recursive: true, force: true });
    } catch {
      // another user's, perhaps: it is in nobody's way
    }
  }
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
