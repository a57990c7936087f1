// The rows of a live list: pages of earlier messages, and the changes streamed since. It has no gap: it includes each
// matching message between its first row and its last.

import type { Views } from "../../api.ts";

export type MessageRow = Views["MessageRow"];

type Page = Pick<Views["MessagePage"], "messages" | "next">;

export interface MessageList {
  /** Newest first. */
  readonly rows: readonly MessageRow[];
  /** The cursor of the next page; null after the last. */
  readonly next: string | null;
  /**
   * Number of new or changed messages that are not in the list. While it is above 0, new messages are not added, because
   * the list would have gaps.
   */
  readonly more: number;
  /** Number of bursts: times that more messages changed than the server streamed. */
  readonly bursts: number;
  /** Whether the first page has been added. */
  readonly hasBegun: boolean;
  /** Whether the oldest rows were dropped because there were more than `MOST_ROWS`. */
  readonly isCut: boolean;
}

export const emptyList: MessageList = { rows: [], next: null, more: 0, bursts: 0, hasBegun: false, isCut: false };

/** Maximum number of rows in the list. To see older messages, the reader narrows the search. */
export const MOST_ROWS = 10_000;

/** Adds the page with the newest messages, when the list starts and when the stream has been reopened. */
export function withFirstPage(list: MessageList, page: Page): MessageList {
  const { rows, more } = list;
  if (!list.hasBegun) {
    // drop streamed messages that are older than this page: later pages have them
    const last = page.messages.at(-1);
    const near = page.next === null || last === undefined ? rows : rows.filter((row) => !isBehind(row, last));
    return bounded({ ...list, rows: withFound(near, page), next: page.next, hasBegun: true });
  }
  const known = idsOf(rows);
  const isJoined = rows.length === 0 || page.messages.some(({ messageId }) => known.has(messageId));
  if (!isJoined || more > 0) {
    const told = page.messages.filter(({ messageId }) => known.has(messageId));
    return { ...list, rows: merge(rows, told), more: more + page.messages.length - told.length };
  }
  const reachesFurther = isBehind(page.messages.at(-1), rows.at(-1));
  return bounded({ ...list, rows: merge(rows, page.messages), next: reachesFurther ? page.next : list.next });
}

/** Adds the page after the last row, which was requested with `cursor`. */
export function withNextPage(list: MessageList, page: Page, cursor: string): MessageList {
  // the list has been restarted since the request
  if (list.next !== cursor) return list;
  return bounded({ ...list, rows: withFound(list.rows, page), next: page.next });
}

/** Updates the rows that the page contains. Messages of the page that have no row are not added. */
export function withRefreshed(list: MessageList, { messages }: Views["MessagePage"]): MessageList {
  const known = new Set(list.rows.map(({ messageId }) => messageId));
  const rows = merge(
    list.rows,
    messages.filter(({ messageId }) => known.has(messageId)),
  );
  return { ...list, rows };
}

export function withChanges(list: MessageList, { messages, gone, more }: Views["MessageChanges"]): MessageList {
  const left = new Set(gone);
  const bursts = more > 0 ? list.bursts + 1 : list.bursts;
  const rows = left.size === 0 ? list.rows : list.rows.filter(({ messageId }) => !left.has(messageId));
  const known = idsOf(rows);
  const changed = messages.filter(({ messageId }) => known.has(messageId));
  const isWhole = list.next === null && !list.isCut;
  // ignore a message after the last row, since a later page has it
  const added = messages.filter(
    (row) => !known.has(row.messageId) && (isWhole || !list.hasBegun || !isBehind(row, rows.at(-1))),
  );
  if (list.more === 0) return bounded({ ...list, rows: merge(rows, [...changed, ...added]), more, bursts });
  return { ...list, rows: merge(rows, changed), more: list.more + more + added.length, bursts };
}

/** Adds the page's messages that have no row yet. A row may have been streamed after the page was read, so it is kept. */
function withFound(rows: readonly MessageRow[], { messages }: Page): readonly MessageRow[] {
  const known = idsOf(rows);
  return merge(
    rows,
    messages.filter(({ messageId }) => !known.has(messageId)),
  );
}

/** Merges two lists of rows. If both have a row for a message, the one in `later` replaces the one in `earlier`. */
function merge(earlier: readonly MessageRow[], later: readonly MessageRow[]): readonly MessageRow[] {
  if (later.length === 0) return earlier;
  const replaced = idsOf(later);
  const kept = earlier.filter(({ messageId }) => !replaced.has(messageId));
  const added = [...later].sort(newestFirst);
  const rows: MessageRow[] = [];
  let next = 0;
  for (const row of kept) {
    for (let other = added[next]; other !== undefined && newestFirst(other, row) < 0; other = added[next]) {
      rows.push(other);
      next += 1;
    }
    rows.push(row);
  }
  return [...rows, ...added.slice(next)];
}

function bounded(list: MessageList): MessageList {
  if (list.rows.length <= MOST_ROWS) return list;
  return { ...list, rows: list.rows.slice(0, MOST_ROWS), next: null, isCut: true };
}

function idsOf(rows: readonly MessageRow[]): ReadonlySet<string> {
  return new Set(rows.map(({ messageId }) => messageId));
}

function isBehind(row: MessageRow | undefined, last: MessageRow | undefined): boolean {
  return row !== undefined && (last === undefined || newestFirst(last, row) < 0);
}

function newestFirst(one: MessageRow, other: MessageRow): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? 1 : -1;
  return one.messageId < other.messageId ? 1 : -1;
}
