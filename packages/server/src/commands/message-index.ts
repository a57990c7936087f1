// Opens the search index of messages for commands. If a server updates the index, it lags by at most a second.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseLocation } from "../platform/database-url.ts";
import { nameTemporaryFolder } from "../platform/temporary-folder.ts";
import { followHistory, IndexTaken, openFollowedIndex } from "../search/followed-index.ts";
import { isComplete } from "../search/follower.ts";
import { Following } from "../search/following.ts";
import { SearchIndex } from "../search/search-index.ts";
import { createSearchSource } from "../search/search-source.ts";
import type { Store } from "../store/store.ts";
import type { Installation } from "./database.ts";
import type { CommandEnvironment, Output } from "./environment.ts";

/** If an update takes longer than this, a notice is printed. */
const SILENT_MS = 1_000;

/**
 * Runs `work` with the index. If a server updates the index, uses it as it is; otherwise updates it first. If there is no
 * folder for the index, builds a temporary index for this command.
 */
export async function withIndex<T>(
  store: Store,
  { database, searchFile, unwritable }: Installation,
  environment: CommandEnvironment,
  work: (index: SearchIndex) => Promise<T>,
): Promise<T> {
  const named = { store, database, environment };
  if (searchFile !== undefined) return withIndexAt(searchFile, { ...named, notice: GOES_ON }, work);
  const temporary = nameTemporaryFolder();
  try {
    return await withIndexAt(join(temporary.path, "search.db"), { ...named, notice: explainUnkept(unwritable) }, work);
  } finally {
    temporary.remove();
  }
}

/** Printed while the index is updated. */
const GOES_ON = "Updating the search index. If you interrupt this, the next command continues from here.\n";

function explainUnkept(unwritable: string | undefined): string {
  const why = unwritable === undefined ? "there is no folder for it" : `${unwritable} cannot be written`;
  return `Building a temporary search index, because ${why}: set MSGD_SEARCH_FOLDER to a writable folder to keep it.\n`;
}

interface IndexedStore {
  readonly store: Store;
  readonly database: DatabaseLocation;
  readonly environment: CommandEnvironment;
  readonly notice: string;
}

async function withIndexAt<T>(
  path: string,
  { store, database, environment, notice }: IndexedStore,
  work: (index: SearchIndex) => Promise<T>,
): Promise<T> {
  const { clock, output } = environment;
  let failure: unknown;
  const following = new Following({
    source: createSearchSource(store),
    openIndex: () => openFollowedIndex(path, database),
    emptyIfOther: followHistory(store, clock),
    clock,
    onError: (error) => {
      failure = error;
    },
  });
  const said = new AbortController();
  sleep(SILENT_MS, undefined, { ref: false, signal: said.signal }).then(
    () => output.err(notice),
    () => {},
  );
  try {
    await following.catchUp();
    said.abort();
    if (failure instanceof IndexTaken) return await inIndexOfServer(path, output, work);
    if (failure !== undefined || following.index === undefined) throw failure;
    return await work(following.index);
  } finally {
    said.abort();
    await following.close();
  }
}

async function inIndexOfServer<T>(path: string, output: Output, work: (index: SearchIndex) => Promise<T>): Promise<T> {
  const index = SearchIndex.openToRead(path);
  try {
    if (!isComplete(index)) output.err("A server is still building the search index: older messages may be missing.\n");
    return await work(index);
  } finally {
    index.close();
  }
}
