// The index of a data folder for whoever keeps it up: one at a time, as a second one would take messages that the viewers of
// the first then miss.

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseLocation } from "../platform/database-location.ts";
import { hidePassword } from "../platform/database-url.ts";
import { lockFile } from "../platform/file-lock.ts";
import { StoreUnavailable } from "../store/store.ts";
import { SearchIndex } from "./search-index.ts";

/** Another process keeps the index up. */
export class IndexTaken extends StoreUnavailable {
  override readonly name = "IndexTaken";
}

/** Opens the index at `path`, made with its folder if missing, and emptied where it was of another database. Throws `IndexTaken` while another follows it. */
export function openFollowedIndex(path: string, database: DatabaseLocation): SearchIndex {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = lockFile(`${path}.lock`);
  if (lock === undefined) throw new IndexTaken(`another process keeps up ${path}`);
  try {
    const index = SearchIndex.open(path, lock);
    const name = "file" in database ? "the folder's" : hidePassword(database.url);
    if (index.mark(DATABASE) !== name) {
      index.clear();
      index.setMark(DATABASE, name);
    }
    return index;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The mark of whose messages there are. */
const DATABASE = "database";
