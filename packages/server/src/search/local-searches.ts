// Searches in the server's own thread, for a server in development: its clock is moved, and its database may be in memory.

import { StoreUnavailable } from "../store/store.ts";
import { Following, type FollowingOptions } from "./following.ts";
import { type AskedPage, findPage, type ScopedSearch } from "./page-search.ts";
import { FIND_MS, type Searches, type SearchPage, type TalliedHours, type Viewer, type Watch } from "./searches.ts";
import type { AskedTallies } from "./tallies.ts";

/** A bite in this thread delays requests: it takes 5 ms. */
const BITE = 100;
/** How long a search waits for the index: in development somebody looks for what they have just sent. */
const CATCH_UP_MS = 200;

export class LocalSearches implements Searches {
  readonly #options: FollowingOptions;
  readonly #following: Following;

  constructor(options: Omit<FollowingOptions, "bite">) {
    this.#options = options;
    this.#following = new Following({ ...options, bite: BITE });
  }

  async find(asked: AskedPage): Promise<SearchPage> {
    const { index, ...state } = await this.#reachNow();
    const until = performance.now() + FIND_MS;
    return { ...(await findPage({ ...this.#options, index }, asked, () => performance.now() < until)), ...state };
  }

  async tally(asked: AskedTallies): Promise<TalliedHours> {
    const { index, ...state } = await this.#reachNow();
    return { hours: index.listTallies(asked), ...state };
  }

  watch(scoped: ScopedSearch, { tell }: Viewer): Watch {
    return { begun: Promise.resolve(), end: this.#following.watch(scoped, tell) };
  }

  async #reachNow() {
    const wait = new Promise((resolve) => setTimeout(resolve, CATCH_UP_MS).unref());
    await Promise.race([this.#following.reachNow(), wait]);
    const { index, followedUntil } = this.#following;
    if (index === undefined) throw new StoreUnavailable("the index of searches cannot be opened");
    return { index, followedUntil, isComplete: followedUntil !== null };
  }

  /** Begins with an empty index: the messages are others. */
  beginAnew(): Promise<void> {
    return this.#following.beginAnew();
  }

  close(): Promise<void> {
    return this.#following.close();
  }
}
