// The queue of accepted messages: what it does on each engine. See sqlite.ts and postgres.ts.

import type { MessageStatus, OutboxRow } from "../message-rows.ts";
import type { Transaction } from "../store.ts";
import type { QueueLook } from "./floors.ts";

export interface QueueEntry {
  readonly messageId: string;
  /** The lowest order goes first; of equals, the oldest. */
  readonly queueOrder: number;
  readonly tenantId: number;
  /** Epoch milliseconds. */
  readonly acceptedAt: number;
}

/** A lease of an entry in its place, for an attempt at `provider`. */
export interface QueueLease {
  readonly token: string;
  readonly expiresAt: number;
  readonly giveUpAt: number;
  readonly provider: string;
}

/** What waits of a tenant among the first `most` entries of all tenants. */
export interface TenantQueue {
  readonly count: number;
  /** When the first of them was accepted, in epoch milliseconds. */
  readonly since: number | null;
  /** Whether entries behind the first `most` were not looked at. */
  readonly isMore: boolean;
}

/** The paid SMS and emails of a tenant within a range of ids and times, of one order. */
export interface QueueRange {
  readonly tenantId: number;
  readonly order: number;
  readonly fromId: string;
  readonly toId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Queue {
  /** Queues a message whose row is QUEUED, and says its order. */
  add(tx: Transaction, entry: QueueEntry): Promise<void>;
  /**
   * The first entries that no live lease keeps: those of the highest order before all others, which have a share as long as they
   * wait. Held for update; others skip them.
   */
  list(tx: Transaction, list: { now: number; limit: number; look: QueueLook }): Promise<OutboxRow[]>;
  /** When the first of what there is to list was accepted, or what is leased can be listed; undefined if never. */
  findNext(tx: Transaction, at: { now: number; look: QueueLook }): Promise<number | undefined>;
  /** How many there are to list, at most `most`. */
  count(tx: Transaction, at: { now: number; most: number; look: QueueLook }): Promise<number>;
  /** Counts a tenant's entries that no attempt was begun of. */
  countOf(tx: Transaction, of: { tenantId: number; most: number; look: QueueLook }): Promise<TenantQueue>;
  /** Whether a message of the range waits. */
  hasItems(tx: Transaction, range: QueueRange): Promise<boolean>;
  /** Whether an entry is leased in its place, and not moved to the dispatches. */
  canLease(row: OutboxRow): boolean;
  /** Leases a held entry in its place; what the attempt changes of the message is saved with its outcome. */
  lease(tx: Transaction, messageId: string, lease: QueueLease): Promise<void>;
  /** Removes an entry if its lease is the token's. Returns false, with nothing changed, if it is not. */
  takeLeased(tx: Transaction, messageId: string, token: string): Promise<boolean>;
  /** Removes an entry. */
  remove(tx: Transaction, messageId: string): Promise<void>;
  /** Removes an entry of a message that stays QUEUED. */
  leave(tx: Transaction, messageId: string): Promise<void>;
  /** The tables that may have a lease of a message. */
  readonly leasingTables: readonly string[];
  /** Makes every lease in the queue due at `now`, when their holders are known to be dead. */
  expireLeases(tx: Transaction, now: number): Promise<void>;
  /**
   * Makes attempts under way in the queue questions, at once or, if the lease ends after `leasesEndAfter`, then. Returns how many.
   */
  askLeased(tx: Transaction, ask: { now: number; giveUpAt: number; leasesEndAfter: number }): Promise<number>;
  /** Notes that the message moves into UNKNOWN, or out of it. */
  noteUnknown(tx: Transaction, messageId: string, move: { from: MessageStatus; to: MessageStatus }): Promise<void>;
  /** Where looks at what falls due begin after one at `now` whose first row fell due at `first`; undefined if none was due. */
  floorAfter(now: number, first: number | undefined): number;
  /** Finds where a look may begin from now on that would have begun at `floors`. */
  findNextFloors(tx: Transaction, floors: readonly number[]): Promise<readonly number[]>;
}

/** The part of a list that is left to others, however many of the highest order go first. */
const SHARE_OF_OTHERS = 1 / 4;

/** Lists the highest order first, then all others, of which some come in any case. */
export async function listInOrder(
  limit: number,
  { first, others }: Record<"first" | "others", (most: number) => Promise<OutboxRow[]>>,
): Promise<OutboxRow[]> {
  const firsts = await first(limit);
  const room = Math.max(limit - firsts.length, Math.floor(limit * SHARE_OF_OTHERS));
  if (room === 0) return firsts;
  const rest = await others(room);
  return [...firsts.slice(0, limit - rest.length), ...rest];
}
