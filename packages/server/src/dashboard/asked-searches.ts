// What operations that search have of whoever asks.

import { Refusal, refuseFaults } from "../rules/refusal.ts";
import { type PageCursor, parseCursor } from "../search/page-cursor.ts";
import type { AskedPage, ScopedSearch } from "../search/page-search.ts";
import type { SearchScope } from "../search/search-terms.ts";
import type { Searches, SearchPage, TalliedHours, Viewer, Watch } from "../search/searches.ts";
import type { AskedTallies } from "../search/tallies.ts";
import type { Caller } from "../steps/operation.ts";

/** Searches of one user that are looked for at a time: a page has two. */
const MOST_OF_USER = 4;

/** Searches as users ask for them, a few of each at a time. */
export class AskedSearches {
  readonly #searches: Searches | undefined;
  readonly #asked = new Map<string, number>();

  constructor(searches: Searches | undefined) {
    this.#searches = searches;
  }

  /** Throws `unavailable` where the server keeps no index, or the user has too many searches under way. */
  find(caller: Caller, asked: Omit<AskedPage, "scope">): Promise<SearchPage> {
    return this.#ask(caller, (searches) => searches.find({ ...asked, scope: scopeOf(caller) }));
  }

  /** Throws as `find` does. */
  tally(caller: Caller, asked: AskedTallies): Promise<TalliedHours> {
    return this.#ask(caller, (searches) => searches.tally(asked));
  }

  /** Throws `unavailable` where the server keeps no index. */
  watch(scoped: ScopedSearch, viewer: Viewer): Watch {
    return requireSearches(this.#searches).watch(scoped, viewer);
  }

  async #ask<T>({ apiKey }: Caller, look: (searches: Searches) => Promise<T>): Promise<T> {
    const searches = requireSearches(this.#searches);
    const own = this.#asked.get(apiKey) ?? 0;
    if (own >= MOST_OF_USER) {
      throw new Refusal("unavailable", `You have ${own} searches under way, the most of a user. Wait for one to end.`);
    }
    this.#asked.set(apiKey, own + 1);
    try {
      return await look(searches);
    } finally {
      const left = (this.#asked.get(apiKey) ?? 1) - 1;
      if (left === 0) this.#asked.delete(apiKey);
      else this.#asked.set(apiKey, left);
    }
  }
}

function requireSearches(searches: Searches | undefined): Searches {
  if (searches === undefined) throw new Refusal("unavailable", "This server keeps no index of its messages.");
  return searches;
}

export function scopeOf({ tenantId, merchantId }: Caller): SearchScope {
  return { tenantId, merchantId: merchantId ?? undefined };
}

/** Throws `validation_error` for what is no cursor; gives undefined where there is none. */
export function readCursor(text: string | undefined): PageCursor | undefined {
  if (text === undefined) return undefined;
  const cursor = parseCursor(text);
  if (cursor !== undefined) return cursor;
  const detail = "Expected `next` of the page before.";
  throw refuseFaults([{ pointer: "/query/cursor", code: "invalid", detail }]);
}
