// Finds a page of a search. First reads messages that are not in the index yet from the store. Then finds messages in the
// index, and checks them against their current state.

import { isFound, type Search, type SearchCondition } from "../domain/recipients/search-language.ts";
import type { RowFilter } from "../domain/recipients/searched-rows.ts";
import { performance } from "../platform/timers.ts";
import { reachedAt } from "./follower.ts";
import type { Finding, SearchIndex } from "./search-index.ts";
import type { FollowedMessage, MessageStream, SearchSource } from "./search-source.ts";
import { isIn, listLeft, type SearchScope, toMatch } from "./search-terms.ts";

/** Rows read at a time from each stream. */
const BITE = 200;
/** Length of the first period read. */
const FIRST_MS = 2_000;
/** Target for the time that reading a period takes. */
const TAKES_MS = 4;
/** Bounds for the ratio of a period's length to that of the previous period. */
const LENGTHENED = { most: 2, least: 0.5 };

interface FoundUnindexed {
  readonly messages: readonly FollowedMessage[];
  /** Where to continue; undefined at the end. */
  readonly next: UnindexedCursor | undefined;
  /** Messages accepted since this time, in epoch milliseconds, have been searched. */
  readonly lookedBackTo: number;
}

/**
 * Searches messages that are not in the index, newest first, period by period, until the limit or the end is reached or
 * `mayGoOn` returns false. Always searches some messages before it calls `mayGoOn`.
 */
export async function findUnindexed(
  { streams }: Pick<SearchSource, "streams">,
  { scope, search, limit, since, until, before }: Omit<AskedPage, "cursor"> & UnindexedCursor,
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
  const stretch = new AdaptiveWindow();
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

/** The period that is read at a time. Its length adapts so that reading it takes about `TAKES_MS`. */
export class AdaptiveWindow {
  #lengthMs = FIRST_MS;
  /** Time that even an empty period takes, such as the round trip to the database. */
  #leastMs = Number.POSITIVE_INFINITY;

  get lengthMs(): number {
    return this.#lengthMs;
  }

  /** Adapts the length of the next period to the time that the last one took. */
  noteTaken(tookMs: number): void {
    this.#leastMs = Math.min(this.#leastMs, tookMs);
    const fits = TAKES_MS / (tookMs - this.#leastMs);
    this.#lengthMs = Math.round(this.#lengthMs * Math.min(Math.max(fits, LENGTHENED.least), LENGTHENED.most));
  }
}

function readBite(stream: MessageStream, from: number, before: string | undefined, filter: RowFilter) {
  return stream.listWithin({ from: stream.positionAt(from), before }, filter, BITE);
}

/** Merges batches, newest message first, as far back as every stream has been read. */
function inOrder(bites: readonly (readonly FollowedMessage[])[]) {
  const full = bites.filter(({ length }) => length === BITE);
  const until = Math.max(...full.map((bite) => bite.at(-1)?.createdAt ?? 0));
  return bites
    .flatMap((bite, index) => bite.map((message) => ({ message, index })))
    .filter(({ message }) => message.createdAt >= until)
    .sort((one, other) => other.message.createdAt - one.message.createdAt);
}

/** Returns those conditions of the search that the database can check. */
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

/** A search, and the owner whose messages it covers. */
export interface ScopedSearch {
  readonly scope: SearchScope;
  readonly search: Search;
}

export interface AskedPage extends ScopedSearch {
  /** Most messages on the page. */
  readonly limit: number;
  /** The previous page's `next`. @default the first page */
  readonly cursor?: PageCursor | undefined;
}

export interface FoundPage {
  /** The messages in their current state, newest first. */
  readonly messages: readonly FollowedMessage[];
  /** The start of the next page; null on the last page. */
  readonly next: PageCursor | null;
  /** If time ran out: messages accepted since this time, in epoch milliseconds, have been searched. Otherwise null. */
  readonly lookedBackTo: number | null;
}

interface SearchParts {
  readonly index: SearchIndex;
  readonly source: SearchSource;
  readonly now: number;
}

/** Messages read from the index at a time: doubled after each round that did not fill the page, within these bounds. */
const FOUND_AT_ONCE = { least: 50, most: 1_600 };
/** Because of a late commit, a message may be indexed up to this much later than messages accepted at the same time. */
const LATE_MS = 120_000;

/**
 * Searches until the page is full, everything has been searched, or `mayGoOn` returns false.
 *
 * @param mayGoOn called repeatedly, each time after some messages have been searched
 */
export async function findPage(parts: SearchParts, asked: AskedPage, mayGoOn: () => boolean): Promise<FoundPage> {
  const { scope, search, limit, cursor } = asked;
  const messageId = search.conditions.find((condition) => condition.about === "id" && !condition.isNot);
  if (messageId?.about === "id") return findOne(parts, asked, messageId.value);
  if (toMatch(scope, search) === undefined) return { messages: [], next: null, lookedBackTo: null };
  if (cursor !== undefined && "below" in cursor) return findIndexed(parts, asked, cursor.below, undefined, mayGoOn);
  const isOld = cursor === undefined && (search.until ?? Number.POSITIVE_INFINITY) <= reachedAt(parts.index);
  if (isOld) return findIndexed(parts, asked, undefined, undefined, mayGoOn);
  const { source, now } = parts;
  const unindexed: UnindexedCursor = cursor ?? {
    since: reachedAt(parts.index),
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
  const below = cursor === undefined ? undefined : parts.index.positionAt(since);
  const indexed = await findIndexed(parts, { ...asked, limit: limit - messages.length }, below, since, mayGoOn);
  return { ...indexed, messages: [...messages, ...indexed.messages] };
}

/** Finds the message with an id, if it matches the other conditions. */
async function findOne({ source }: SearchParts, { scope, search }: AskedPage, messageId: string): Promise<FoundPage> {
  const found = await source.find([messageId]);
  const messages = found.filter((message) => isIn(scope, message) && isFound(message, search));
  return { messages, next: null, lookedBackTo: null };
}

/** Searches the index below position `from` for messages accepted before `since`. */
async function findIndexed(
  { index, source }: SearchParts,
  { scope, search, limit }: AskedPage,
  from: number | undefined,
  since: number | undefined,
  mayGoOn: () => boolean,
): Promise<FoundPage> {
  const match = toMatch(scope, search);
  const messages: FollowedMessage[] = [];
  if (match === undefined) return { messages, next: null, lookedBackTo: null };
  const end = search.until === undefined ? undefined : index.positionAt(search.until + LATE_MS);
  let below: number | undefined = Math.min(from ?? Number.MAX_SAFE_INTEGER, end ?? Number.MAX_SAFE_INTEGER);
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
      const { messageId, position, createdAt } = finding;
      looked = finding;
      // positions are in order of acceptance, except for late commits
      if (createdAt < (search.from ?? 0) - LATE_MS) return { messages, next: null, lookedBackTo: null };
      const message = known.get(messageId);
      if (message === undefined || !isIn(scope, message) || !isFound(message, search)) continue;
      // a dialled call is indexed with the time of its message, which is later than the call's acceptance
      if (since !== undefined && message.createdAt >= since) continue;
      messages.push(message);
      if (messages.length === limit) return { messages, next: { below: position }, lookedBackTo: null };
    }
    below = findings.next;
    if (below === undefined) return { messages, next: null, lookedBackTo: null };
    atOnce = Math.min(2 * atOnce, Math.max(limit, FOUND_AT_ONCE.most));
  } while (mayGoOn());
  return { messages, next: { below }, lookedBackTo: looked?.createdAt ?? since ?? null };
}

/**
 * The start of a page: below a position of the index, or among the messages that were not in the index when the first
 * page was read.
 */
export type PageCursor = { readonly below: number } | UnindexedCursor;

export interface UnindexedCursor {
  /** Messages accepted since this time, in epoch milliseconds, were not in the index. */
  readonly since: number;
  /** The page continues with messages accepted before this time. */
  readonly until: number;
  /** By stream, the position before which the page continues; undefined for the stream's end. */
  readonly before: readonly (string | undefined)[];
}

/** Formats a cursor as text. */
export function formatCursor(cursor: PageCursor): string {
  if ("below" in cursor) return String(cursor.below);
  return [cursor.since, cursor.until, ...cursor.before.map((position) => position ?? "")].join(":");
}

/** Parses a cursor; undefined for an invalid text. */
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
