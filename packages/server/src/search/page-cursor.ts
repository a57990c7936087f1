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
