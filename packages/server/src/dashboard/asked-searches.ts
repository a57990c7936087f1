// What operations that search have of whoever asks.

import { Refusal, refuseFaults } from "../rules/refusal.ts";
import { type PageCursor, parseCursor } from "../search/page-cursor.ts";
import type { SearchScope } from "../search/search-terms.ts";
import type { Searches } from "../search/searches.ts";
import type { Caller } from "../steps/operation.ts";

/** Throws `unavailable` where the server keeps no index. */
export function requireSearches(searches: Searches | undefined): Searches {
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
