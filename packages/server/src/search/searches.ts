// Searches of messages, and views that follow them. The index is kept up while somebody asks or watches, a little at a time.

import { setImmediate } from "node:timers/promises";
import type { Clock } from "../platform/clock.ts";
import { StoreUnavailable } from "../store/store.ts";
import { Follower, type SearchSource } from "./follower.ts";
import { type AskedPage, type FoundPage, findPage, type ScopedSearch } from "./page-search.ts";
import type { SearchIndex } from "./search-index.ts";
import { type Tell, Watches } from "./watches.ts";

export interface SearchPage extends FoundPage {
  /** Until when messages are in the index, in epoch milliseconds; null before the first. */
  readonly followedUntil: number | null;
  /** Whether all older messages are in it. */
  readonly isComplete: boolean;
}

export interface Watch {
  /** Settled when nothing is missed from then on. */
  readonly begun: Promise<void>;
  end(): void;
}

/** How long a search may look, and how long it waits before that for the index to be up to date, in real milliseconds. */
const FIND_MS = 40;
const CATCH_UP_MS = 200;
/** How often watched messages are looked at. */
const WATCH_MS = 250;
/** A bite in this thread delays requests: it takes 5 ms. */
const BITE = 100;

export interface SearchesOptions {
  readonly source: SearchSource;
  /** Opens the index, when it is first needed. Throws where it cannot. */
  readonly openIndex: () => SearchIndex;
  readonly clock: Pick<Clock, "now">;
  /** Called when the index could not be kept up. It is tried again when it is next asked, or looked at. */
  readonly onError: (error: unknown) => void;
}

export class Searches {
  readonly #options: SearchesOptions;
  readonly #watches = new Watches();
  #index: SearchIndex | undefined;
  #follower: Follower | undefined;
  #followedUntil: number | null = null;
  #following: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SearchesOptions) {
    this.#options = options;
  }

  /** A page of what is found now. */
  async find(asked: AskedPage): Promise<SearchPage> {
    await Promise.race([this.#follow(), new Promise((resolve) => setTimeout(resolve, CATCH_UP_MS).unref())]);
    const index = this.#index;
    if (index === undefined) throw new StoreUnavailable("the index of searches cannot be opened");
    const until = performance.now() + FIND_MS;
    const page = await findPage({ ...this.#options, index }, asked, () => performance.now() < until);
    return { ...page, followedUntil: this.#followedUntil, isComplete: this.#followedUntil !== null };
  }

  /** Tells what becomes of what is found, four times a second at most. */
  watch(scoped: ScopedSearch, tell: Tell): Watch {
    const end = this.#watches.add(scoped, tell);
    this.#timer ??= setInterval(() => this.#look(), WATCH_MS).unref();
    return {
      begun: Promise.resolve(),
      end: () => {
        end();
        if (this.#watches.size > 0) return;
        clearInterval(this.#timer);
        this.#timer = undefined;
      },
    };
  }

  /** Begins with an empty index: the messages are others. */
  async beginAnew(): Promise<void> {
    await this.#pause();
    this.#index?.clear();
    this.#follower = undefined;
    this.#followedUntil = null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#pause();
    this.#index?.close();
  }

  #look(): void {
    this.#watches.tell();
    void this.#follow();
  }

  /** Resolves when the index is up to date, or cannot be. */
  #follow(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#following ??= this.#catchUp()
      .catch(this.#options.onError)
      .finally(() => {
        this.#following = undefined;
        this.#mustPause = false;
      });
    return this.#following;
  }
  #mustPause = false;

  async #catchUp(): Promise<void> {
    this.#index ??= this.#options.openIndex();
    this.#follower ??= new Follower({
      ...this.#options,
      index: this.#index,
      bite: BITE,
      onChange: (messages) => this.#watches.note(messages),
    });
    for (;;) {
      const now = this.#options.clock.now();
      if (this.#isClosed || this.#mustPause) return;
      if (!(await this.#follower.step())) {
        this.#followedUntil = now;
        return;
      }
      await setImmediate();
    }
  }

  async #pause(): Promise<void> {
    this.#mustPause = true;
    await this.#following;
    this.#mustPause = false;
  }
}
