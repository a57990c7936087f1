// Keeps the search index up to date, starting with the first search or viewer, and notifies viewers of changes.

import { isFound } from "../domain/recipients/search-language.ts";
import type { Clock } from "../platform/clock.ts";
import { clearInterval, performance, setInterval, sleep, turnOver } from "../platform/timers.ts";
import { Follower } from "./follower.ts";
import type { ScopedSearch } from "./page-search.ts";
import type { SearchIndex } from "./search-index.ts";
import type { FollowedMessage, SearchSource } from "./search-source.ts";
import { isIn } from "./search-terms.ts";
import type { WatchedChanges } from "./searches.ts";

type Tell = (changes: WatchedChanges) => void;

/** Most viewers notified at a time. Bounds their share of the server's thread. */
const MOST_AT_ONCE = 64;
/** Most changes in one notification: about as many as a person can follow. */
const MOST_TOLD = { messages: 5, gone: 50 };

/** The viewers of searches. */
export class Watches {
  /** Viewers by tenant. */
  readonly #watches = new Map<number, Set<Watched>>();
  /** Viewers with pending changes, longest waiting first. */
  readonly #untold = new Set<Watched>();

  get size(): number {
    return [...this.#watches.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Adds a viewer. Returns a function that removes it. */
  add(scoped: ScopedSearch, tell: Tell): () => void {
    const { tenantId } = scoped.scope;
    const watched = new Watched(scoped, tell);
    const own = this.#watches.get(tenantId) ?? new Set();
    this.#watches.set(tenantId, own.add(watched));
    return () => {
      own.delete(watched);
      this.#untold.delete(watched);
      if (own.size === 0 && this.#watches.get(tenantId) === own) this.#watches.delete(tenantId);
    };
  }

  note(messages: readonly FollowedMessage[], what: "new" | "changed"): void {
    for (const message of messages) {
      for (const watched of this.#watches.get(message.tenantId) ?? []) {
        if (watched.note(message, what)) this.#untold.add(watched);
      }
    }
  }

  /** Sends changes to up to `MOST_AT_ONCE` viewers. Viewers left out come first the next time. */
  tell(): void {
    for (const watched of [...this.#untold].slice(0, MOST_AT_ONCE)) {
      this.#untold.delete(watched);
      watched.tell();
    }
  }
}

class Watched {
  readonly #scoped: ScopedSearch;
  readonly #tell: Tell;
  /** Whether the search depends on the state of messages, so that a changed message may no longer match. */
  readonly #isOfStates: boolean;
  readonly #messages = new Map<string, FollowedMessage>();
  readonly #gone = new Set<string>();
  #more = 0;
  #changed = 0;

  constructor(scoped: ScopedSearch, tell: Tell) {
    this.#scoped = scoped;
    this.#tell = tell;
    this.#isOfStates = scoped.search.conditions.some(({ about }) => about === "status" || about === "reason");
  }

  /** Records a new or changed message. Returns whether there is something to send to the viewer. */
  note(message: FollowedMessage, what: "new" | "changed"): boolean {
    const { scope, search } = this.#scoped;
    if (!isIn(scope, message)) return false;
    const { messageId } = message;
    if (!isFound(message, search)) {
      this.#messages.delete(messageId);
      if (what === "new" || !this.#isOfStates || this.#gone.size >= MOST_TOLD.gone) return false;
      this.#gone.add(messageId);
    } else if (this.#messages.has(messageId) || this.#messages.size < MOST_TOLD.messages) {
      this.#gone.delete(messageId);
      this.#messages.set(messageId, message);
    } else if (what === "new" || this.#isOfStates) this.#more += 1;
    else this.#changed += 1;
    return true;
  }

  tell(): void {
    const messages = [...this.#messages.values()];
    const changes = { messages, gone: [...this.#gone], more: this.#more, changed: this.#changed };
    this.#messages.clear();
    this.#gone.clear();
    this.#more = 0;
    this.#changed = 0;
    this.#tell(changes);
  }
}

/** How often viewers are notified. */
const WATCH_MS = 250;
/** How often the index is updated while there are no viewers, because commands may read the index. */
const KEEP_UP_MS = 1_000;

export interface FollowingOptions {
  readonly source: SearchSource;
  /** Opens the index when it is first needed. Throws if the index cannot be opened. */
  readonly openIndex: () => SearchIndex;
  /** Empties the index if its messages are not the source's, and returns whether it did. @default never */
  readonly emptyIfOther?: (index: SearchIndex) => Promise<boolean>;
  readonly clock: Pick<Clock, "now">;
  /** Messages read at a time. @default the follower's own */
  readonly bite?: number;
  /** Returns the pause after a batch of this duration, in milliseconds. @default one turn of the event loop */
  readonly findRest?: (workedMs: number) => number;
  /** Called when an update fails, but only for the first of several failures in a row. Updates are retried. */
  readonly onError: (error: unknown) => void;
}

export class Following {
  readonly #options: FollowingOptions;
  readonly #watches = new Watches();
  #index: SearchIndex | undefined;
  #follower: Follower | undefined;
  /** When the first of the current viewers was added; undefined if there are none. */
  #watchedSince: number | undefined;
  #following: Promise<void> | undefined;
  #mustPause = false;
  #hasFailed = false;
  #timer: NodeJS.Timeout | undefined;
  #keepUpTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /** The index; undefined until it is opened. */
  get index(): SearchIndex | undefined {
    return this.#index;
  }

  /** Opens the index, and keeps it up to date from now on. Throws if it cannot be opened. */
  open(): Follower {
    this.#index ??= this.#options.openIndex();
    this.#keepUpTimer ??= setInterval(() => void this.catchUp(), KEEP_UP_MS).unref();
    this.#follower ??= new Follower({
      ...this.#options,
      index: this.#index,
      watchedSince: () => this.#watchedSince,
      onChange: (messages, what) => this.#watches.note(messages, what),
    });
    return this.#follower;
  }

  /** Adds a viewer. Returns a function that removes it. */
  watch(scoped: ScopedSearch, tell: Tell): () => void {
    const end = this.#watches.add(scoped, tell);
    this.#watchedSince ??= this.#options.clock.now();
    this.#timer ??= setInterval(() => this.#poll(), WATCH_MS).unref();
    return () => {
      end();
      if (this.#watches.size > 0) return;
      this.#watchedSince = undefined;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Updates the index. Resolves when the index is up to date or the update has failed. */
  catchUp(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#following ??= this.#takeAll()
      .then(
        () => {
          this.#hasFailed = false;
        },
        (error) => {
          if (!this.#hasFailed) this.#options.onError(error);
          this.#hasFailed = true;
        },
      )
      .finally(() => {
        this.#following = undefined;
      });
    return this.#following;
  }

  /** Empties the index, because the source's contents were replaced. */
  async beginAnew(): Promise<void> {
    await this.#pause();
    this.#index?.clear();
    this.#follower = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearInterval(this.#keepUpTimer);
    await this.#pause();
    this.#index?.close();
  }

  #poll(): void {
    // the clock may have been set back
    if (this.#watchedSince !== undefined) this.#watchedSince = Math.min(this.#watchedSince, this.#options.clock.now());
    this.#watches.tell();
    void this.catchUp();
  }

  async #takeAll(): Promise<void> {
    const { findRest = () => 0 } = this.#options;
    while (this.#mayGoOn) {
      const start = performance.now();
      const follower = await this.#followOwn();
      const isMore = await follower.followBatch();
      if (!isMore) return;
      await this.#rest(follower, findRest(performance.now() - start));
    }
  }

  /** Pauses for `restMs`, but continues to notify viewers of new messages. */
  async #rest(follower: Follower, restMs: number): Promise<void> {
    await turnOver();
    for (let leftMs = restMs; leftMs > 0 && this.#mayGoOn; leftMs -= WATCH_MS) {
      await sleep(Math.min(leftMs, WATCH_MS));
      await follower.tellNew();
    }
  }

  get #mayGoOn(): boolean {
    return !this.#isClosed && !this.#mustPause;
  }

  /** Returns the follower. Creates a new one if the index had to be emptied of another source's messages. */
  async #followOwn(): Promise<Follower> {
    const follower = this.open();
    if (this.#index === undefined || !(await this.#options.emptyIfOther?.(this.#index))) return follower;
    this.#follower = undefined;
    return this.open();
  }

  async #pause(): Promise<void> {
    this.#mustPause = true;
    await this.#following;
    this.#mustPause = false;
  }
}
