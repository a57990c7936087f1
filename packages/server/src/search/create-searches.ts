// The searches of a server: in its own thread in development, else beside it.

import type { Clock } from "../platform/clock.ts";
import type { DatabaseLocation } from "../platform/database-location.ts";
import type { Store } from "../store/store.ts";
import { followHistory, openFollowedIndex } from "./followed-index.ts";
import { LocalSearches } from "./local-searches.ts";
import { SearchIndex } from "./search-index.ts";
import { createSearchSource } from "./search-source.ts";
import { ThreadSearches, type ThreadSearchesOptions } from "./thread-searches.ts";

export interface SearchesOptions {
  readonly database: DatabaseLocation;
  /** The index. @default in memory in development, else none */
  readonly searchFile?: string;
  readonly onError: (error: unknown) => void;
}

export function createLocalSearches(
  { database, searchFile, onError }: SearchesOptions,
  { store, clock }: { store: Store; clock: Clock },
): LocalSearches {
  return new LocalSearches({
    source: createSearchSource(store),
    // in memory where there is no folder that is the database's own
    openIndex: () =>
      "url" in database || searchFile === undefined
        ? SearchIndex.open(":memory:")
        : openFollowedIndex(searchFile, database),
    emptyIfOther: followHistory(store, clock),
    clock,
    onError,
  });
}

/** Undefined without a file for the index or the threads' programs. */
export function createThreadSearches(
  { database, searchFile, onError }: SearchesOptions,
  threads: ThreadSearchesOptions["threads"] | undefined,
): ThreadSearches | undefined {
  if (searchFile === undefined || threads === undefined) return undefined;
  return new ThreadSearches({ database, searchFile, threads, onError });
}
