// Opens the index for the only process that updates it. If two processes updated it, each would index messages of which
// the other's viewers were never notified.

import { dirname, join, parse, resolve } from "node:path";
import type { Clock } from "../platform/clock.ts";
import { makeFolder } from "../platform/data-folder.ts";
import { type DatabaseLocation, hidePassword } from "../platform/database-url.ts";
import { lockFile } from "../platform/file-lock.ts";
import { findHistory } from "../store/lineage.ts";
import { type Reader, StoreUnavailable } from "../store/store.ts";
import { SearchIndex } from "./search-index.ts";

/** Thrown if another process updates the index. */
export class IndexTaken extends StoreUnavailable {
  override readonly name = "IndexTaken";
}

/** Mark: the name of the database whose messages are in the index. */
const DATABASE = "database";
/** Mark: the history id of that database, which a restore changes. */
const HISTORY = "history";
/** How often the history id is checked. */
const HISTORY_LOOK_MS = 30_000;

/** A file reserved for one server: no other server on this machine uses it until it is released. */
export interface IndexFile {
  readonly path: string;
  release(): void;
}

/** Reserves a file for the index: `path` or, if that is in use, one with a number in its name. */
export function takeIndexFile(path: string): IndexFile {
  const { dir, name, ext } = parse(path);
  makeFolder(resolve(dir));
  for (let number = 1; ; number += 1) {
    const own = number === 1 ? path : join(dir, `${name}-${number}${ext}`);
    const lock = lockFile(`${own}.server`);
    if (lock !== undefined) return { path: own, release: () => lock.release() };
  }
}

/**
 * Opens or creates the index at `path`. Empties it if it belongs to another database. Throws `IndexTaken` if another
 * process updates it.
 */
export function openFollowedIndex(path: string, database: DatabaseLocation): SearchIndex {
  makeFolder(resolve(dirname(path)));
  const lock = lockFile(`${path}.lock`);
  if (lock === undefined) throw new IndexTaken(`another process updates ${path}`);
  try {
    const index = SearchIndex.open(path, lock);
    const name = "file" in database ? "the folder's" : hidePassword(database.url);
    if (index.mark(DATABASE) !== name) empty(index, name);
    return index;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Returns a function that empties an index if the database was restored since the index was filled: then their history
 * ids differ. The function checks a new index immediately, and an older one every `HISTORY_LOOK_MS`. It returns whether
 * it emptied the index.
 */
export function followHistory(
  reader: Pick<Reader, "read">,
  clock: Pick<Clock, "now">,
): (index: SearchIndex) => Promise<boolean> {
  let lookedAt = 0;
  return async (index) => {
    const known = index.mark(HISTORY);
    if (known !== undefined && Math.abs(clock.now() - lookedAt) < HISTORY_LOOK_MS) return false;
    const history = await reader.read(findHistory);
    lookedAt = clock.now();
    if (known === history) return false;
    index.together(() => {
      empty(index, index.mark(DATABASE));
      index.setMark(HISTORY, history);
    });
    return true;
  };
}

function empty(index: SearchIndex, database: string | undefined): void {
  index.together(() => {
    index.clear();
    if (database !== undefined) index.setMark(DATABASE, database);
  });
}
