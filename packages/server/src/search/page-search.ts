// A page of a search: what the index finds, held against the messages as they are now.

import { isFound, type Search } from "../rules/search-language.ts";
import type { FollowedMessage, SearchSource } from "./follower.ts";
import type { SearchIndex } from "./search-index.ts";
import { type SearchScope, toMatch } from "./search-terms.ts";

/** What is looked for, and among whose messages. */
export interface ScopedSearch {
  readonly scope: SearchScope;
  readonly search: Search;
}

export interface AskedPage extends ScopedSearch {
  /** The most messages of the page. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

export interface FoundPage {
  /** As they are now, the newest first. */
  readonly messages: readonly FollowedMessage[];
  /** The cursor of the next page; null after the last. */
  readonly next: string | null;
  /** Up to when it was looked, in epoch milliseconds, where the time for it was up; null where it was enough. */
  readonly lookedBackTo: number | null;
}

/** Messages found in the index at a time. */
const LEAST_FOUND = 50;

/**
 * Looks until the page is full, all is looked through, or it may not go on.
 *
 * @param mayGoOn asked now and then; each call looks at some messages at least
 */
export async function findPage(
  { index, source }: { index: SearchIndex; source: SearchSource },
  { scope, search, limit, cursor }: AskedPage,
  mayGoOn: () => boolean,
): Promise<FoundPage> {
  const match = toMatch(scope, search);
  const messages: FollowedMessage[] = [];
  if (match === undefined) return { messages, next: null, lookedBackTo: null };
  let below = cursor === undefined ? placeBefore(index, search.until) : Number(cursor);
  let looked: FollowedMessage | undefined;
  do {
    const findings = index.find(match, { below, limit: Math.max(limit, LEAST_FOUND), mayGoOn });
    const places = new Map(findings.found.map(({ messageId, place }) => [messageId, place]));
    for (const message of await source.find([...places.keys()])) {
      looked = message;
      // places are in the order of acceptance but for what was committed late, which is never much
      if (message.createdAt < (search.from ?? 0) - LATE_MS) return { messages, next: null, lookedBackTo: null };
      if (!isIn(scope, message) || !isFound(message, search)) continue;
      messages.push(message);
      if (messages.length === limit)
        return { messages, next: String(places.get(message.messageId)), lookedBackTo: null };
    }
    below = findings.next;
    if (below === undefined) return { messages, next: null, lookedBackTo: null };
  } while (mayGoOn());
  return { messages, next: String(below), lookedBackTo: looked?.createdAt ?? null };
}

/** Below which place to look for what was accepted before a time; undefined for all. */
function placeBefore(index: SearchIndex, until: number | undefined): number | undefined {
  return until === undefined ? undefined : index.placeAt(until + LATE_MS);
}

/** How much later than others, accepted at the same time, a message may have been found. */
const LATE_MS = 120_000;

/** Whether the message is one of those that are searched. */
export function isIn(
  { tenantId, merchantId }: SearchScope,
  message: Pick<FollowedMessage, "tenantId" | "merchantId">,
): boolean {
  return message.tenantId === tenantId && (merchantId === undefined || message.merchantId === merchantId);
}
