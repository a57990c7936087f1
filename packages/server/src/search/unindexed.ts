// What the index has not taken yet, read from the store itself: the newest first, one stretch of time after another.

import { performance } from "../platform/timers.ts";
import { isFound, type Search, type SearchCondition } from "../rules/search-language.ts";
import type { RowFilter } from "../store/searched-messages.ts";
import type { FollowedMessage, MessageStream, SearchSource } from "./message-stream.ts";
import type { UnindexedCursor } from "./page-cursor.ts";
import { isIn, listLeft, type SearchScope } from "./search-terms.ts";

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
