// Runs searches in two separate threads: one updates the index when the server is not busy, the other searches it. Both
// run only while somebody searches or watches.

import type { DatabaseLocation } from "../platform/database-url.ts";
import { FairSemaphore } from "../platform/fair-queue.ts";
import { clearInterval, clearTimeout, performance, setInterval, setTimeout } from "../platform/timers.ts";
import { StoreUnavailable } from "../store/store.ts";
import { AskedThread } from "../threads/worker-threads.ts";
import type { AskedPage, ScopedSearch } from "./page-search.ts";
import type { SearchScope } from "./search-terms.ts";
import type { Searches, SearchPage, TalliedHours, Viewer, Watch, WatchedChanges } from "./searches.ts";
import type { AskedTallies } from "./tallies.ts";

/** How often the server's load is measured. */
const MEASURE_MS = 250;
/** If the server's load is at least `from`, a thread rests for `times` as long as it worked. */
const RESTS = [
  { from: 0.85, times: 39 },
  { from: 0.5, times: 2 },
];

/** The load of the server's thread, in thousandths. Shared between threads. */
type ServerLoad = Int32Array<SharedArrayBuffer>;

export function createServerLoad(): ServerLoad {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Measures the load of this thread, the server's. Returns a function that stops measuring. */
export function measureServerLoad(load: ServerLoad): () => void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    Atomics.store(load, 0, Math.round(performance.eventLoopUtilization(now, before).utilization * 1_000));
    before = now;
  }, MEASURE_MS).unref();
  return () => clearInterval(timer);
}

/** Returns how long, in milliseconds, a separate thread rests after it worked for `workedMs` (docs/decisions/0042). */
export function findRest(load: ServerLoad, workedMs: number): number {
  const share = Atomics.load(load, 0) / 1_000;
  return workedMs * (RESTS.find(({ from }) => share >= from)?.times ?? 0);
}

/** The `workerData` of both threads. */
export interface SearchThreadData {
  readonly database: DatabaseLocation;
  readonly searchFile: string;
  readonly load: ServerLoad;
}

export type FollowRequest =
  | { readonly ask: "open" }
  | { readonly ask: "watch"; readonly viewer: number; readonly scoped: ScopedSearch }
  | { readonly ask: "unwatch"; readonly viewer: number };

export type FollowTold =
  | { readonly viewer: number; readonly changes: WatchedChanges }
  /** Why the index could not be updated. */
  | { readonly fault: string };

export type FindRequest = { readonly page: AskedPage } | { readonly tallies: AskedTallies };

export type FindAnswer = SearchPage | TalliedHours;

export interface ThreadSearchesOptions extends Omit<SearchThreadData, "load"> {
  /** The built programs of the threads. */
  readonly threads: { readonly follow: URL; readonly find: URL };
  /** Called when the index cannot be opened or updated, or a thread fails. */
  readonly onError: (error: unknown) => void;
}

const MEMORY_MIB = 96;
/** How long the threads keep running without a search or viewer, to bridge the pause between two searches. */
const IDLE_MS = 30_000;
/** Maximum number of waiting and running searches, in total and per tenant. */
const MOST_ASKED = { atOnce: 128, perOwner: 8, mostWaiting: { perOwner: 0, owners: 0 } };
/** Searches sent to the thread at a time. With two, it can start the next search without waiting for this thread. */
const AT_ONCE = 2;

export class ThreadSearches implements Searches {
  readonly #onError: (error: unknown) => void;
  readonly #follower: AskedThread<FollowRequest, null, FollowTold>;
  readonly #finder: AskedThread<FindRequest, FindAnswer>;
  readonly #viewers = new Map<number, Viewer>();
  readonly #asked = new FairSemaphore({
    ...MOST_ASKED,
    refuse: () => new StoreUnavailable("too many searches at once"),
  });
  #underWay = 0;
  readonly #semaphore = new FairSemaphore({ atOnce: AT_ONCE });
  readonly #load = createServerLoad();
  #endMeasuring: (() => void) | undefined;
  #lastViewer = 0;
  #opening: Promise<unknown> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ threads, onError, ...location }: ThreadSearchesOptions) {
    const data: SearchThreadData = { ...location, load: this.#load };
    this.#onError = onError;
    this.#follower = new AskedThread({
      program: threads.follow,
      data,
      mostMemoryMiB: MEMORY_MIB,
      onTold: (told) => {
        if ("fault" in told) onError(new Error(told.fault));
        else this.#viewers.get(told.viewer)?.tell(told.changes);
      },
      onFailure: (error) => {
        onError(error);
        void this.#end();
      },
    });
    this.#finder = new AskedThread({ program: threads.find, data, mostMemoryMiB: MEMORY_MIB, onFailure: onError });
  }

  async find(asked: AskedPage): Promise<SearchPage> {
    return (await this.#ask(asked.scope, { page: asked })) as SearchPage;
  }

  async tally(asked: AskedTallies): Promise<TalliedHours> {
    return (await this.#ask(asked.scope, { tallies: asked })) as TalliedHours;
  }

  #ask({ tenantId }: SearchScope, request: FindRequest): Promise<FindAnswer> {
    return this.#asked.run(tenantId, async () => {
      this.#underWay += 1;
      try {
        await this.#open();
        return await this.#semaphore.run(tenantId, () => this.#finder.ask(request));
      } finally {
        this.#underWay -= 1;
        this.#endWhenIdle();
      }
    });
  }

  watch(scoped: ScopedSearch, viewer: Viewer): Watch {
    const id = ++this.#lastViewer;
    this.#viewers.set(id, viewer);
    const begin = async () => {
      await this.#open();
      if (this.#viewers.has(id)) await this.#follower.ask({ ask: "watch", viewer: id, scoped });
    };
    const begun = begin();
    // a caller that ignores `begun` learns of the failure from `viewer.end`
    begun.catch(() => this.#viewers.delete(id));
    return {
      begun,
      end: () => {
        if (!this.#viewers.delete(id)) return;
        begun.then(() => this.#follower.ask({ ask: "unwatch", viewer: id })).catch(() => {});
        this.#endWhenIdle();
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#end();
  }

  /** Resolves when the index is open. Rejects with a `StoreUnavailable` if it cannot be opened. */
  async #open(): Promise<void> {
    if (this.#isClosed) throw new StoreUnavailable("the searches are closed");
    clearTimeout(this.#idle);
    this.#endMeasuring ??= measureServerLoad(this.#load);
    this.#opening ??= this.#follower.ask({ ask: "open" });
    const opening = this.#opening;
    try {
      await opening;
    } catch (error) {
      if (opening !== this.#opening) throw error;
      this.#opening = undefined;
      this.#endWhenIdle();
      if (error instanceof StoreUnavailable) throw error;
      this.#onError(error);
      throw new StoreUnavailable("the search index cannot be opened", { cause: error });
    }
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    if (this.#viewers.size > 0 || this.#underWay > 0) return;
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }

  /** Ends both threads, because a new follower may recreate the index file, which the other thread would still have open. */
  async #end(): Promise<void> {
    this.#opening = undefined;
    this.#endMeasuring?.();
    this.#endMeasuring = undefined;
    const viewers = [...this.#viewers.values()];
    this.#viewers.clear();
    for (const viewer of viewers) viewer.end();
    await Promise.all([this.#follower.end(), this.#finder.end()]);
  }
}
