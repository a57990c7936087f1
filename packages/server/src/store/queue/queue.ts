// The queue of accepted messages, which each engine keeps in its own way (sqlite.ts, postgres.ts), and the floors at
// which looks begin.
//
// On PostgreSQL deleted entries stay in the index until no transaction can see them. While a report or a backup runs
// for many minutes, a look from the beginning would read all of them. Each entry has the number of the transaction that
// queued it. Once all transactions up to a number have ended and no entry below it is left, no look needs to go below
// that number.
//
// Rows by due time have a floor too: those that fell due long ago are gone, and stay in the index in the same way.

import { type Dialect, type EngineTexts, perEngine } from "../statement.ts";
import type { Transaction } from "../store.ts";
import type { MessageStatus, OutboxRow } from "./message-rows.ts";

export interface QueueEntry {
  readonly messageId: string;
  /** The lowest order goes first; of equals, the oldest. */
  readonly queueOrder: number;
  readonly tenantId: number;
  /** Epoch milliseconds. */
  readonly acceptedAt: number;
}

/** A lease of an entry in the queue, for an attempt at `provider`. */
export interface QueueLease {
  readonly token: string;
  readonly expiresAt: number;
  readonly giveUpAt: number;
  readonly provider: string;
}

/** A tenant's entries among the first `most` entries of all tenants. */
export interface TenantQueue {
  readonly count: number;
  /** Acceptance of the first of them, in epoch milliseconds. */
  readonly since: number | null;
  /** Whether there are entries behind the first `most`, which are not counted. */
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
  /** SQL that creates the engine's tables for the queue and the UNKNOWN messages, beside `messages`. */
  tables(dialect: Dialect): string[];
  /** Queues a message whose row is QUEUED and has its order. */
  add(tx: Transaction, entry: QueueEntry): Promise<void>;
  /**
   * Lists the first entries without a live lease: those of the highest order before all others, which have a share as
   * long as they wait. Locked for update; others skip them.
   */
  list(tx: Transaction, list: { now: number; limit: number; look: QueueLook }): Promise<OutboxRow[]>;
  /**
   * Finds the acceptance of the first entry to list, or the time at which a leased one can be listed; undefined if
   * never.
   */
  findNext(tx: Transaction, at: { now: number; look: QueueLook }): Promise<number | undefined>;
  /** Counts the entries to list, at most `most`. */
  count(tx: Transaction, at: { now: number; most: number; look: QueueLook }): Promise<number>;
  /** Counts a tenant's entries without an attempt. */
  countOf(tx: Transaction, of: { tenantId: number; most: number; look: QueueLook }): Promise<TenantQueue>;
  /** Returns whether a message of the range waits. */
  hasItems(tx: Transaction, range: QueueRange): Promise<boolean>;
  /** Returns whether an entry is leased in the queue, and not moved to the dispatches. */
  canLease(row: OutboxRow): boolean;
  /** Leases a locked entry in the queue; the attempt's changes of the message are saved with its outcome. */
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
   * Turns attempts in flight in the queue into questions, at once or, if the lease ends after `leasesEndAfter`, then.
   * Returns their number.
   */
  askLeased(tx: Transaction, ask: { now: number; giveUpAt: number; leasesEndAfter: number }): Promise<number>;
  /** Notes that the message moves into UNKNOWN, or out of it. */
  noteUnknown(tx: Transaction, messageId: string, move: { from: MessageStatus; to: MessageStatus }): Promise<void>;
  /** The beginning of looks after one at `now` whose first row fell due at `first`; undefined if none was due. */
  floorAfter(now: number, first: number | undefined): number;
  /** Finds the beginning of the next look, after one that began at `floors`. */
  findNextFloors(tx: Transaction, floors: readonly number[]): Promise<readonly number[]>;
}

/** The share of a list that is left to others, however many of the highest order go first. */
const SHARE_OF_OTHERS = 1 / 4;

/** Lists the highest order first, then all others, some of which come in any case. */
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

/** SQL of the queue's columns of a message beyond the message's row. */
export interface QueueColumns {
  /** Joins the queue to `messages m`. */
  readonly join: string;
  /** The status of `messages m`: SENDING for a message that is leased in the queue. */
  readonly status: string;
  /** The provider of an attempt that is not in the message's row yet; null if there is none. */
  readonly openAttempt: string;
  /** Selects `message_id`, `tenant_id` and `accepted_at` of the entries without an attempt. */
  readonly accepted: string;
  /** Selects `tenant_id` of the messages whose outcome was never reported. */
  readonly unknown: string;
}

export const queueColumns: Readonly<Record<"sqlite" | "postgres", QueueColumns>> = {
  sqlite: {
    join: "",
    status: "m.status",
    openAttempt: "NULL",
    accepted: `SELECT message_id, tenant_id, created_at AS accepted_at FROM messages
                WHERE status = 'QUEUED' AND queue_order IS NOT NULL`,
    unknown: "SELECT tenant_id FROM messages WHERE status = 'UNKNOWN'",
  },
  postgres: {
    join: "LEFT JOIN outbox o ON o.message_id = m.message_id",
    status: "CASE WHEN o.lease_token IS NULL THEN m.status ELSE 'SENDING' END",
    openAttempt: "o.provider",
    accepted: "SELECT message_id, tenant_id, accepted_at FROM outbox WHERE lease_token IS NULL",
    unknown: "SELECT tenant_id FROM unknown_messages",
  },
};

/** A text about messages or their queue, for each engine. */
export function toQueueText(write: (columns: QueueColumns) => string): EngineTexts {
  return perEngine(queueColumns, write);
}

/** The orders that an entry may have; the lowest goes first. */
export const queueOrders = { HIGH: 0, NORMAL: 1, LOW: 2 } as const;

/** The floors of a look from the beginning. */
export const beginning: readonly number[] = Object.values(queueOrders).map(() => 0);

/** SQL of the floors of a look, a row for each order, given as three parameters from `$first` on. */
export function floorsTable(first: number): string {
  const floors = beginning.map((_, order) => `CAST($${first + order} AS BIGINT)`);
  return `unnest(ARRAY[${floors.join(", ")}]) WITH ORDINALITY AS f (floor, ordinal)`;
}

/** SQL that is true for the entries `o` of an order that are not below its floor. */
export const isAboveFloor = "o.queue_order = f.ordinal - 1 AND o.queued_by >= f.floor";

/** One look at the queue. */
export interface QueueLook {
  readonly floors: readonly number[];
  /** The floor of dispatches, which were claimed before. */
  readonly due: DueFloor;
  /** Finds the beginning of the next look. The transaction has changed nothing yet. */
  raise(tx: Transaction): Promise<void>;
}

/** Time before its insertion for which a row may be due, in milliseconds: it then goes before most of the others. */
const LEAD_MS = 500;
/** Time before a look for which a row may usually be due: a commit takes its time. */
const SOON_MS = 2 * LEAD_MS;
/** Time before a look for which a row may be due that occasional looks find: clocks differ. */
const LATE_MS = 10_000;
/** Interval of such looks, in milliseconds of real time. */
const STEP_BACK_MS = 1_000;
/** Interval of looks from the beginning: an instance may have locked rows when its claim was rolled back. */
const BEGINNING_MS = 30_000;
/** The floor of a look that skips nothing, in epoch milliseconds. */
export const BEGINNING = 0;

/** Returns when a row that is written `now` falls due, if it was due for long. */
export function recently(dueAt: number, now: number): number {
  return Math.max(dueAt, now - LEAD_MS);
}

/** Returns the beginning of looks after one at `now` whose first row fell due at `first`; undefined if none was due. */
export function floorAfter(now: number, first: number | undefined): number {
  return Math.min(first ?? now, now - SOON_MS);
}

/** The floor of one index, for the looks of one process. */
export class DueFloor {
  readonly #elapsed: () => number;
  #floor = BEGINNING;
  #lookedAt = BEGINNING;
  #steppedBackAt: number;
  #begunAt: number;

  /** `elapsed` gives milliseconds of a clock that is never set. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
    this.#begunAt = elapsed();
    this.#steppedBackAt = this.#begunAt;
  }

  /** Start of the questions after a look, such as what falls due next, in epoch milliseconds. */
  get floor(): number {
    return this.#floor;
  }

  /** Returns the earliest time that a look at `now` has to ask for. */
  at(now: number): number {
    const elapsed = this.#elapsed();
    // a clock that was set back has rows fall due before those that are gone
    if (now < this.#lookedAt || elapsed - this.#begunAt >= BEGINNING_MS) {
      this.#begunAt = elapsed;
      return BEGINNING;
    }
    if (elapsed - this.#steppedBackAt < STEP_BACK_MS) return this.#floor;
    this.#steppedBackAt = elapsed;
    return Math.min(this.#floor, now - LATE_MS);
  }

  /** Makes looks begin at `floor` after one at `now`. */
  raise(now: number, floor: number): void {
    this.#lookedAt = now;
    this.#floor = floor;
  }
}
