// The index of a data folder for whoever keeps it up: one at a time, as a second one would take messages that the viewers of
// the first then miss.

import { dirname, join, parse, resolve } from "node:path";
import type { Clock } from "../platform/clock.ts";
import { makeFolder } from "../platform/data-folder.ts";
import { type DatabaseLocation, hidePassword } from "../platform/database-url.ts";
import { lockFile } from "../platform/file-lock.ts";
import { findHistory } from "../store/lineage.ts";
import { type Reader, StoreUnavailable } from "../store/store.ts";
import { SearchIndex } from "./search-index.ts";

/** Another process keeps the index up. */
export class IndexTaken extends StoreUnavailable {
  override readonly name = "IndexTaken";
}

export interface IndexFile {
  readonly path: string;
  release(): void;
}

/** A file for the index that no other server of this machine has until it is released: `path`, or one numbered beside it. */
export function takeIndexFile(path: string): IndexFile {
  const { dir, name, ext } = parse(path);
  makeFolder(resolve(dir));
  for (let number = 1; ; number += 1) {
    const own = number === 1 ? path : join(dir, `${name}-${number}${ext}`);
    const lock = lockFile(`${own}.server`);
    if (lock !== undefined) return { path: own, release: () => lock.release() };
  }
}

/** Opens the index at `path`, made with its folder if missing, and emptied where it was of another database. Throws `IndexTaken` while another follows it. */
export function openFollowedIndex(path: string, database: DatabaseLocation): SearchIndex {
  makeFolder(resolve(dirname(path)));
  const lock = lockFile(`${path}.lock`);
  if (lock === undefined) throw new IndexTaken(`another process keeps up ${path}`);
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
 * Returns a function that empties an index which is of another history than the database that `reader` reads: one that was put
 * back from a backup since. It looks at an index that is new, and every half a minute, and returns whether it has emptied it.
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

/** How often it is looked whether the database was put back. */
const HISTORY_LOOK_MS = 30_000;
/** The marks of whose messages there are: of which database, and of which of its histories. */
const DATABASE = "database";
const HISTORY = "history";
