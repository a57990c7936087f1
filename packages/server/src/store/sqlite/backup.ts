// A copy of the database as it is at one moment, made beside a server at work.

import { closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import BetterSqlite3 from "better-sqlite3";

const BUSY_TIMEOUT_MS = 5_000;
/** Between two bites the event loop is free; a bite of 1 MiB takes less than a millisecond from a warm disk. */
const PAGES_PER_BITE = 256;

/**
 * Copies the database at `path` to `file`: one file, 0600, that needs nothing beside it, and on the disk when this
 * resolves. Rejects with EEXIST, and leaves it as it is, where `file` exists.
 */
export async function backUpDatabase(path: string, file: string): Promise<void> {
  // made under another name, so that whoever finds `file` finds it whole
  const draft = `${file}.partial`;
  closeSync(openSync(draft, "wx", 0o600));
  try {
    await copy(path, draft);
    settle(draft);
    flush(draft);
    // a link, unlike a rename, never takes the place of another file
    linkSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  flush(dirname(file));
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
