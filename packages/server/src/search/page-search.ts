// A page of a search: what is not in the index yet, then what the index finds, held against the messages as they are now.

import { isFound, type Search } from "../rules/search-language.ts";
import { reachedAt } from "./follower.ts";
import type { FollowedMessage, SearchSource } from "./message-stream.ts";
import type { PageCursor, UnindexedCursor } from "./page-cursor.ts";
import type { Finding, SearchIndex } from "./search-index.ts";
import { isIn, type SearchScope, toMatch } from "./search-terms.ts";
import { findUnindexed, toRowFilter } from "./unindexed.ts";

/** What is looked for, and among whose messages. */
export interface ScopedSearch {
  readonly scope: SearchScope;
  readonly search: Search;
}

export interface AskedPage extends ScopedSearch {
  /** The most messages of the page. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: PageCursor | undefined;
}

export interface FoundPage {
  /** As they are now, the newest first. */
  readonly messages: readonly FollowedMessage[];
  /** Where the next page begins; null after the last. */
  readonly next: PageCursor | null;
  /** Up to when it was looked, in epoch milliseconds, where the time for it was up; null where it was enough. */
  readonly lookedBackTo: number | null;
}

export interface SearchPlaces {
  readonly index: SearchIndex;
  readonly source: SearchSource;
  /** The time. */
  readonly now: number;
}

/** Messages found in the index at a time: twice as many after each look that was not enough. */
const FOUND_AT_ONCE = { least: 50, most: 1_600 };
/** How much later than others, accepted at the same time, a message may have been found. */
const LATE_MS = 120_000;

/**
 * Looks until the page is full, all is looked through, or it may not go on.
 *
 * @param mayGoOn asked now and then; each call looks at some messages at least
 */
export async function findPage(places: SearchPlaces, asked: AskedPage, mayGoOn: () => boolean): Promise<FoundPage> {
  const { scope, search, limit, cursor } = asked;
  const messageId = search.conditions.find((condition) => condition.about === "id" && !condition.isNot);
  if (messageId?.about === "id") return findOne(places, asked, messageId.value);
  if (toMatch(scope, search) === undefined) return { messages: [], next: null, lookedBackTo: null };
  if (cursor !== undefined && "below" in cursor) return findIndexed(places, asked, cursor.below, undefined, mayGoOn);
  const isOld = cursor === undefined && (search.until ?? Number.POSITIVE_INFINITY) <= reachedAt(places.index);
  if (isOld) return findIndexed(places, asked, undefined, undefined, mayGoOn);
  const { source, now } = places;
  const unindexed: UnindexedCursor = cursor ?? {
    since: reachedAt(places.index),
    until: now,
    before: source.streams.map(() => undefined),
  };
  const since = Math.min(unindexed.since, now);
  const { messages, next, lookedBackTo } = await findUnindexed(
    source,
    { scope, search, limit, ...unindexed, since, until: Math.min(unindexed.until, now) },
    mayGoOn,
  );
  if (next !== undefined) return { messages, next, lookedBackTo: messages.length === limit ? null : lookedBackTo };
  const below = cursor === undefined ? undefined : places.index.placeAt(since);
  const indexed = await findIndexed(places, { ...asked, limit: limit - messages.length }, below, since, mayGoOn);
  return { ...indexed, messages: [...messages, ...indexed.messages] };
}

/** Whatever else is looked for. */
async function findOne({ source }: SearchPlaces, { scope, search }: AskedPage, messageId: string): Promise<FoundPage> {
  const found = await source.find([messageId]);
  const messages = found.filter((message) => isIn(scope, message) && isFound(message, search));
  return { messages, next: null, lookedBackTo: null };
}

/** In the index below a place, of what was accepted before a time. */
async function findIndexed(
  { index, source }: SearchPlaces,
  { scope, search, limit }: AskedPage,
  from: number | undefined,
  since: number | undefined,
  mayGoOn: () => boolean,
): Promise<FoundPage> {
  const match = toMatch(scope, search);
  const messages: FollowedMessage[] = [];
  if (match === undefined) return { messages, next: null, lookedBackTo: null };
  let below = lowest(from, placeBefore(index, search.until));
  const filter = toRowFilter(scope, search);
  let looked: Finding | undefined;
  let atOnce = Math.max(limit, FOUND_AT_ONCE.least);
  do {
    const findings = index.find(match, { below, limit: atOnce, mayGoOn });
    const rows = await source.find(
      findings.found.map(({ messageId }) => messageId),
      filter,
    );
    const known = new Map(rows.map((message) => [message.messageId, message]));
    for (const finding of findings.found) {
      const { messageId, place, createdAt } = finding;
      looked = finding;
      // places are in the order of acceptance but for what was committed late, which is never much
      if (createdAt < (search.from ?? 0) - LATE_MS) return { messages, next: null, lookedBackTo: null };
      const message = known.get(messageId);
      if (message === undefined || !isIn(scope, message) || !isFound(message, search)) continue;
      // a dialled call is in the index with the time of its message, and was accepted before
      if (since !== undefined && message.createdAt >= since) continue;
      messages.push(message);
      if (messages.length === limit) return { messages, next: { below: place }, lookedBackTo: null };
    }
    below = findings.next;
    if (below === undefined) return { messages, next: null, lookedBackTo: null };
    atOnce = Math.min(2 * atOnce, Math.max(limit, FOUND_AT_ONCE.most));
  } while (mayGoOn());
  return { messages, next: { below }, lookedBackTo: looked?.createdAt ?? since ?? null };
}

/** Below which place to look for what was accepted before a time; undefined for all. */
function placeBefore(index: SearchIndex, until: number | undefined): number | undefined {
  return until === undefined ? undefined : index.placeAt(until + LATE_MS);
}

/** The lower one of two places; undefined stands for the highest. */
function lowest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
