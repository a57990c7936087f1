// A page of a search: what is not in the index yet, then what the index finds, held against the messages as they are now.

import { performance } from "../platform/timers.ts";
import { isFound, type Search, type SearchCondition } from "../rules/search-language.ts";
import type { RowFilter } from "../store/searched-messages.ts";
import { reachedAt } from "./follower.ts";
import type { Finding, SearchIndex } from "./search-index.ts";
import type { FollowedMessage, MessageStream, SearchSource } from "./search-source.ts";
import { isIn, listLeft, type SearchScope, toMatch } from "./search-terms.ts";

// What the index has not taken yet, read from the store itself: the newest first, one stretch of time after another.

export interface AskedUnindexed extends UnindexedCursor {
  readonly scope: SearchScope;
  readonly search: Search;
  /** The most messages. */
  readonly limit: number;
}

export interface FoundUnindexed {
  readonly messages: readonly FollowedMessage[];
  /** Where it goes on; undefined after the last. */
  readonly next: UnindexedCursor | undefined;
  /** Back to when it was looked, in epoch milliseconds. */
  readonly lookedBackTo: number;
}

/** Rows of each stream read at a time. */
const BITE = 200;
/** The first stretch. */
const FIRST_MS = 2_000;
/** What a stretch is to take. */
const TAKES_MS = 4;
/** By how much the next one is longer at most, and shorter. */
const LENGTHENED = { most: 2, least: 0.5 };

/** Looks until there are enough, all is looked through, or it may not go on: at a bite or a stretch at least. */
export async function findUnindexed(
  { streams }: Pick<SearchSource, "streams">,
  { scope, search, limit, since, until, before }: AskedUnindexed,
  mayGoOn: () => boolean,
): Promise<FoundUnindexed> {
  const filter = toRowFilter(scope, search);
  const positions = [...before];
  const found = new Map<string, FollowedMessage>();
  const goOnFrom = (epochMs: number): FoundUnindexed => ({
    messages: [...found.values()],
    next: { since, until: epochMs, before: positions },
    lookedBackTo: epochMs,
  });
  let from = until;
  const stretch = new Stretch();
  for (;;) {
    const start = performance.now();
    from = Math.max(since, from - stretch.lengthMs);
    for (let isMore = true; isMore; ) {
      const bites = await Promise.all(streams.map((stream, index) => readBite(stream, from, positions[index], filter)));
      isMore = bites.some(({ length }) => length === BITE);
      let looked = until;
      for (const { message, index } of inOrder(bites)) {
        positions[index] = message.position;
        looked = message.createdAt + 1;
        if (isIn(scope, message) && isFound(message, search)) found.set(message.messageId, message);
        if (found.size === limit) return goOnFrom(looked);
      }
      if (isMore && !mayGoOn()) return goOnFrom(looked);
    }
    if (from <= since) return { messages: [...found.values()], next: undefined, lookedBackTo: from };
    for (const [index, { positionAt }] of streams.entries()) positions[index] = positionAt(from);
    if (!mayGoOn()) return goOnFrom(from);
    stretch.noteTaken(performance.now() - start);
  }
}

/** How far back is read at a time: as far as takes a few milliseconds. */
export class Stretch {
  #lengthMs = FIRST_MS;
  /** What each takes even where nothing is in it, such as the way to a database. */
  #leastMs = Number.POSITIVE_INFINITY;

  /** Of what was accepted in so long, in milliseconds. */
  get lengthMs(): number {
    return this.#lengthMs;
  }

  /** Notes what reading it took, from which the length of the next follows. */
  noteTaken(tookMs: number): void {
    this.#leastMs = Math.min(this.#leastMs, tookMs);
    const fits = TAKES_MS / (tookMs - this.#leastMs);
    this.#lengthMs = Math.round(this.#lengthMs * Math.min(Math.max(fits, LENGTHENED.least), LENGTHENED.most));
  }
}

function readBite(stream: MessageStream, from: number, before: string | undefined, filter: RowFilter) {
  return stream.listWithin({ from: stream.positionAt(from), before }, filter, BITE);
}

/** The newest first, with the number of their stream, as far back as all streams were read. */
function inOrder(bites: readonly (readonly FollowedMessage[])[]) {
  const full = bites.filter(({ length }) => length === BITE);
  const until = Math.max(...full.map((bite) => bite.at(-1)?.createdAt ?? 0));
  return bites
    .flatMap((bite, index) => bite.map((message) => ({ message, index })))
    .filter(({ message }) => message.createdAt >= until)
    .sort((one, other) => other.message.createdAt - one.message.createdAt);
}

/** What a database can tell of a search without reading each row: whatever is found goes through. */
export function toRowFilter({ tenantId, merchantId }: SearchScope, { conditions }: Search): RowFilter {
  const wanted = conditions.filter(({ isNot }) => !isNot);
  const merchant = wanted.find((condition) => condition.about === "merchant");
  const to = wanted.find((condition) => condition.about === "to" && isAscii(condition.value));
  const words = wanted.flatMap((condition) => (condition.about === "text" ? condition.words : [])).filter(isAscii);
  const [word] = words.sort((one, other) => other.length - one.length);
  const reasons = wanted.flatMap((condition) => (condition.about === "reason" ? condition.value : []));
  const listed = (about: "channel" | "type" | "status") => {
    const isAsked = conditions.some((condition) => condition.about === about);
    return isAsked ? listLeft(about, conditions) : undefined;
  };
  return {
    tenantId,
    merchantId: merchantId ?? valueIn(merchant),
    to: valueIn(to),
    word,
    ...{ channel: listed("channel"), type: listed("type"), status: listed("status") },
    reason: reasons.length === 0 ? undefined : reasons,
  };
}

function valueIn(condition: SearchCondition | undefined): string | undefined {
  return condition === undefined || condition.about === "text" ? undefined : condition.value;
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

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

// Where the next page of a search begins: below a place of the index, or among what was not in the index when the first page was
// asked for.

export type PageCursor = IndexCursor | UnindexedCursor;

export interface IndexCursor {
  readonly below: number;
}

export interface UnindexedCursor {
  /** Since when messages were not in the index, in epoch milliseconds. */
  readonly since: number;
  /** Until when it goes on; what is dated later was there before. */
  readonly until: number;
  /** Before which position of each stream it goes on; undefined for the end. */
  readonly before: readonly (string | undefined)[];
}

/** As a page gives it. */
export function formatCursor(cursor: PageCursor): string {
  if ("below" in cursor) return String(cursor.below);
  return [cursor.since, cursor.until, ...cursor.before.map((position) => position ?? "")].join(":");
}

/** Undefined for a text that no page gave. */
export function parseCursor(text: string): PageCursor | undefined {
  if (/^\d{1,14}$/.test(text)) return { below: Number(text) };
  if (!/^\d{1,14}:\d{1,14}(:\w{0,48}){1,8}$/.test(text)) return undefined;
  const [since, until, ...before] = text.split(":");
  return {
    since: Number(since),
    until: Number(until),
    before: before.map((position) => (position === "" ? undefined : position)),
  };
}
