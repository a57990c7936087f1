// Opens the index for the one process that updates it: a second one would take messages that the viewers of the first then
// miss.

import { dirname, join, parse, resolve } from "node:path";
import type { Clock } from "../platform/clock.ts";
import { makeFolder } from "../platform/data-folder.ts";
import { type DatabaseLocation, hidePassword } from "../platform/database-url.ts";
import { lockFile } from "../platform/file-lock.ts";
import { findHistory } from "../store/lineage.ts";
import { type Reader, StoreUnavailable } from "../store/store.ts";
import { SearchIndex } from "./search-index.ts";

/** Another process updates the index. */
export class IndexTaken extends StoreUnavailable {
  override readonly name = "IndexTaken";
}

/** The mark with the name of the database whose messages the index has. */
const DATABASE = "database";
/** The mark with the history of that database, which a restoration changes. */
const HISTORY = "history";
/** Interval at which the history is checked. */
const HISTORY_LOOK_MS = 30_000;

/** A file that no other server of this machine uses until it is released. */
export interface IndexFile {
  readonly path: string;
  release(): void;
}

/** Returns a file for the index: `path`, or one numbered beside it. */
export function takeIndexFile(path: string): IndexFile {
  const { dir, name, ext } = parse(path);
  makeFolder(resolve(dir));
  for (let number = 1; ; number += 1) {
    const own = number === 1 ? path : join(dir, `${name}-${number}${ext}`);
    const lock = lockFile(`${own}.server`);
    if (lock !== undefined) return { path: own, release: () => lock.release() };
  }
}

/** Opens or creates the index at `path`, and empties one of another database. Throws `IndexTaken` while another updates it. */
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
 * Returns a function that empties an index of another history than the database's, which was restored since. It checks a new
 * index at once, others every `HISTORY_LOOK_MS`, and returns whether it has emptied it.
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
