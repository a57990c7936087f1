// Creates the searches of a server: in the server's own thread in development, otherwise in separate threads.

import type { Clock } from "../platform/clock.ts";
import type { DatabaseLocation } from "../platform/database-url.ts";
import { performance, setTimeout } from "../platform/timers.ts";
import { type Store, StoreUnavailable } from "../store/store.ts";
import { followHistory, openFollowedIndex } from "./followed-index.ts";
import { isComplete, reachedAt } from "./follower.ts";
import { Following, type FollowingOptions } from "./following.ts";
import { type AskedPage, findPage, type ScopedSearch } from "./page-search.ts";
import { SearchIndex } from "./search-index.ts";
import { createSearchSource } from "./search-source.ts";
import {
  FIND_MS,
  type Searches,
  type SearchPage,
  shorten,
  type TalliedHours,
  type Viewer,
  type Watch,
} from "./searches.ts";
import type { AskedTallies } from "./tallies.ts";
import { ThreadSearches, type ThreadSearchesOptions } from "./thread-searches.ts";

/** Messages indexed at a time. Small, because a batch in this thread delays requests. */
const BITE = 100;
/** Time for which a search waits until the index is up to date; enough for a small index. */
const CATCH_UP_MS = 200;

/** Searches in the server's own thread. For development, where tests move the clock and the database may be in memory. */
export class LocalSearches implements Searches {
  readonly #options: Omit<FollowingOptions, "bite">;
  readonly #following: Following;

  constructor(options: Omit<FollowingOptions, "bite">) {
    this.#options = options;
    this.#following = new Following({ ...options, bite: BITE });
  }

  async find(asked: AskedPage): Promise<SearchPage> {
    const index = await this.#catchUp();
    const { source, clock } = this.#options;
    const until = performance.now() + FIND_MS;
    const page = await findPage({ source, index, now: clock.now() }, asked, () => performance.now() < until);
    return { ...page, messages: page.messages.map(shorten), isComplete: isComplete(index) };
  }

  async tally(asked: AskedTallies): Promise<TalliedHours> {
    const index = await this.#catchUp();
    return { hours: index.listTallies(asked), countedUntil: reachedAt(index), isComplete: isComplete(index) };
  }

  watch(scoped: ScopedSearch, { tell }: Viewer): Watch {
    const end = this.#following.watch(scoped, (changes) =>
      tell({ ...changes, messages: changes.messages.map(shorten) }),
    );
    return { begun: Promise.resolve(), end };
  }

  async #catchUp(): Promise<SearchIndex> {
    const wait = new Promise((resolve) => setTimeout(resolve, CATCH_UP_MS).unref());
    await Promise.race([this.#following.catchUp(), wait]);
    const { index } = this.#following;
    if (index === undefined) throw new StoreUnavailable("the search index cannot be opened");
    return index;
  }

  /** Empties the index, because the contents of the database were replaced. */
  beginAnew(): Promise<void> {
    return this.#following.beginAnew();
  }

  close(): Promise<void> {
    return this.#following.close();
  }
}

interface SearchesOptions {
  readonly database: DatabaseLocation;
  /** The file of the index. @default in development an index in memory, otherwise no searches */
  readonly searchFile?: string;
  readonly onError: (error: unknown) => void;
}

export function createLocalSearches(
  { database, searchFile, onError }: SearchesOptions,
  { store, clock }: { store: Store; clock: Clock },
): LocalSearches {
  return new LocalSearches({
    source: createSearchSource(store),
    // the index is in memory if the database has no data folder
    openIndex: () =>
      "url" in database || searchFile === undefined
        ? SearchIndex.open(":memory:")
        : openFollowedIndex(searchFile, database),
    emptyIfOther: followHistory(store, clock),
    clock,
    onError,
  });
}

/** Creates searches in separate threads; undefined if the index file or the threads' programs are not given. */
export function createThreadSearches(
  { database, searchFile, onError }: SearchesOptions,
  threads: ThreadSearchesOptions["threads"] | undefined,
): ThreadSearches | undefined {
  if (searchFile === undefined || threads === undefined) return undefined;
  return new ThreadSearches({ database, searchFile, threads, onError });
}
