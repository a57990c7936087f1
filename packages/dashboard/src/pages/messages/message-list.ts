// The rows of a list that is live: pages of what was found before, and what has become of it since.

import type { Views } from "../../api.ts";

export type MessageRow = Views["MessageRow"];

export interface MessageList {
  /** The newest first. */
  readonly rows: readonly MessageRow[];
  /** The cursor of the next page; null after the last. */
  readonly next: string | null;
  /** How many came that are not among the rows. */
  readonly more: number;
}

export const emptyList: MessageList = { rows: [], next: null, more: 0 };

/** As many rows as a page keeps: who looks further back narrows the search. */
export const MOST_ROWS = 10_000;

/** The list after its first page was asked for: what came by the stream meanwhile stays. */
export function withFirstPage(list: MessageList, page: Views["MessagePage"]): MessageList {
  return { rows: merge(list.rows, page.messages), next: page.next, more: 0 };
}

export function withNextPage(list: MessageList, page: Views["MessagePage"]): MessageList {
  return { ...list, rows: merge(list.rows, page.messages), next: page.next };
}

/** The list with what has become of its newest rows; others that a page has meanwhile are not added. */
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
  const rows = merge(
    list.rows.filter(({ messageId }) => !left.has(messageId)),
    messages,
  );
  return { ...list, rows, more: list.more + more };
}

/** Later rows take the place of earlier ones of the same message. */
function merge(known: readonly MessageRow[], found: readonly MessageRow[]): MessageRow[] {
  const rows = new Map([...known, ...found].map((row) => [row.messageId, row]));
  return [...rows.values()].sort(newestFirst).slice(0, MOST_ROWS);
}

function newestFirst(one: MessageRow, other: MessageRow): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? 1 : -1;
  return one.messageId < other.messageId ? 1 : -1;
}
