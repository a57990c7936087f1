// Searches beside the server's thread: one thread keeps the index up when nothing else is to be done, and one looks in it. Both
// run while somebody searches or watches, and no longer.

import type { DatabaseLocation } from "../platform/database-url.ts";
import { FairSemaphore } from "../platform/fair-line.ts";
import { clearInterval, clearTimeout, performance, setInterval, setTimeout } from "../platform/timers.ts";
import { StoreUnavailable } from "../store/store.ts";
import { AskedThread } from "../threads/worker-threads.ts";
import type { AskedPage, ScopedSearch } from "./page-search.ts";
import type { SearchScope } from "./search-terms.ts";
import type { Searches, SearchPage, TalliedHours, Viewer, Watch, WatchedChanges } from "./searches.ts";
import type { AskedTallies } from "./tallies.ts";

// How busy the server's own thread is, for a thread beside it that has time: both may be on one core, where the work of either
// slows down the other, whatever its priority.

/** How often it is measured. */
const MEASURE_MS = 250;
/** How many times as long as it worked a thread rests, by the share of its time from which on the server is as busy as that. */
const RESTS = [
  // more would be at the cost of requests
  { from: 0.85, times: 39 },
  { from: 0.5, times: 2 },
];

/** In thousandths of its time; shared between threads. */
type ServerLoad = Int32Array<SharedArrayBuffer>;

export function createServerLoad(): ServerLoad {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** In the server's thread: measures until the function that it returns is called. */
export function measureServerLoad(load: ServerLoad): () => void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    Atomics.store(load, 0, Math.round(performance.eventLoopUtilization(now, before).utilization * 1_000));
    before = now;
  }, MEASURE_MS).unref();
  return () => clearInterval(timer);
}

/** In a thread beside it: how long to rest after so much work, in milliseconds. */
export function findRest(load: ServerLoad, workedMs: number): number {
  const share = Atomics.load(load, 0) / 1_000;
  return workedMs * (RESTS.find(({ from }) => share >= from)?.times ?? 0);
}

/** Where both threads work. */
export interface SearchPlace {
  readonly database: DatabaseLocation;
  readonly searchFile: string;
}

/** The `workerData` of both. */
export interface SearchThreadData extends SearchPlace {
  readonly load: ServerLoad;
}

export type FollowRequest =
  | { readonly ask: "open" }
  | { readonly ask: "watch"; readonly viewer: number; readonly scoped: ScopedSearch }
  | { readonly ask: "unwatch"; readonly viewer: number };

export type FollowTold =
  | { readonly viewer: number; readonly changes: WatchedChanges }
  /** Why the index could not be kept up. */
  | { readonly fault: string };

export type FindRequest = { readonly page: AskedPage } | { readonly tallies: AskedTallies };

export type FindAnswer = SearchPage | TalliedHours;

export interface ThreadSearchesOptions extends SearchPlace {
  /** The built programs. */
  readonly threads: { readonly follow: URL; readonly find: URL };
  /** Called when the index could not be opened or kept up, or a thread has failed. */
  readonly onError: (error: unknown) => void;
}

const MEMORY_MIB = 96;
/** Both take 40 ms to start and 40 MB while they run, so they outlast the pause between two searches. */
const IDLE_MS = 30_000;
/** Searches that wait or are looked for at a time, and those of one tenant. */
const MOST_ASKED = { all: 128, ofTenant: 8 };
/** Searches given to the thread at a time: the next is there when one ends. */
const AT_ONCE = 2;

export class ThreadSearches implements Searches {
  readonly #onError: (error: unknown) => void;
  readonly #follower: AskedThread<FollowRequest, null, FollowTold>;
  readonly #finder: AskedThread<FindRequest, FindAnswer>;
  readonly #viewers = new Map<number, Viewer>();
  /** Searches under way, by tenant. */
  readonly #asked = new Map<number, number>();
  readonly #turns = new FairSemaphore({ atOnce: AT_ONCE });
  readonly #load = createServerLoad();
  #endMeasuring: (() => void) | undefined;
  #lastViewer = 0;
  #opening: Promise<unknown> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ threads, onError, ...place }: ThreadSearchesOptions) {
    const data: SearchThreadData = { ...place, load: this.#load };
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

  async #ask({ tenantId }: SearchScope, request: FindRequest): Promise<FindAnswer> {
    const own = this.#asked.get(tenantId) ?? 0;
    const all = [...this.#asked.values()].reduce((sum, count) => sum + count, 0);
    if (own >= MOST_ASKED.ofTenant || all >= MOST_ASKED.all) throw new StoreUnavailable("too many searches at once");
    this.#asked.set(tenantId, own + 1);
    try {
      await this.#open();
      return await this.#turns.run(tenantId, () => this.#finder.ask(request));
    } finally {
      const left = (this.#asked.get(tenantId) ?? 1) - 1;
      if (left === 0) this.#asked.delete(tenantId);
      else this.#asked.set(tenantId, left);
      this.#endWhenIdle();
    }
  }

  watch(scoped: ScopedSearch, viewer: Viewer): Watch {
    const id = ++this.#lastViewer;
    this.#viewers.set(id, viewer);
    const begin = async () => {
      await this.#open();
      if (this.#viewers.has(id)) await this.#follower.ask({ ask: "watch", viewer: id, scoped });
    };
    const begun = begin();
    // whoever does not ask is told by the viewer's end
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

  /** Resolves when the index is open. Rejects with a `StoreUnavailable` where it cannot be opened. */
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
      throw new StoreUnavailable("the index of searches cannot be opened", { cause: error });
    }
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    if (this.#viewers.size > 0 || this.#asked.size > 0) return;
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }

  /** Ends both threads: one that follows again may make the file anew. */
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
