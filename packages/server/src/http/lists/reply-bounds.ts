/** Limits on replies while they are sent. Times are milliseconds of the machine's clock. */
export interface ReplyBounds {
  /** How many lists longer than a page are sent at once, in all and for one tenant. */
  readonly longLists: number;
  readonly longListsPerTenant: number;
  /** How long another waits for its turn before it is refused. */
  readonly waitMs: number;
  /** How long one may take, even if the client reads slowly: while it is open, the database keeps all later changes. */
  readonly longestMs: number;
  /** How long a reply may stall before its connection is ended: after one to three times this. */
  readonly stalledMs: number;
  /** How long lists may go on when the server stops. */
  readonly stopGraceMs: number;
}

export const defaultReplyBounds: ReplyBounds = {
  // each costs 1 MB at most, and none of a well-behaved client lasts longer than some seconds
  longLists: 16,
  longListsPerTenant: 4,
  // less than clients wait, so that they are told why
  waitMs: 20_000,
  // 300 000 consents at 4 Mbit/s
  longestMs: 120_000,
  stalledMs: 10_000,
  // before the server closes all connections, at 5 s
  stopGraceMs: 3_000,
};
