// The port of the queue of accepted messages, which each engine implements (sqlite.ts, postgres.ts), and the floors at
// which scans begin. A scan reads the queue for entries that can be claimed.
//
// On PostgreSQL deleted entries stay in the index until no transaction can see them. While a report or a backup runs
// for many minutes, a scan from the beginning would read all of them. Each entry has the number of the transaction that
// queued it. Once all transactions up to a number have ended and no entry below it is left, no scan needs to go below
// that number.
//
// Indexes by due time have a floor, too: rows that fell due long ago are deleted, but stay in the index in the same way.

import { type Dialect, type EngineTexts, perEngine } from "../statement.ts";
import type { Transaction } from "../store.ts";
import type { MessageStatus, OutboxRow } from "./message-rows.ts";

export interface QueueEntry {
  readonly messageId: string;
  /** The entry with the lowest order goes first. Among equals, the oldest goes first. */
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

/** A tenant's entries, counted among the first `most` entries of all tenants. */
export interface TenantQueue {
  readonly count: number;
  /** Time of acceptance of the tenant's first entry, in epoch milliseconds. */
  readonly since: number | null;
  /** Whether there are entries beyond the first `most`, which are not counted. */
  readonly isMore: boolean;
}

/** A tenant's SMS and emails that cost units, of one queue order, within a range of ids and times. */
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
   * Lists and locks the first entries without a live lease. HIGH entries go before all others, but a share of the list
   * is reserved for the others. Skips entries that another transaction has locked.
   */
  list(tx: Transaction, list: { now: number; limit: number; scan: QueueScan }): Promise<OutboxRow[]>;
  /**
   * Finds the time of acceptance of the first entry to list or, if all are leased, the time at which the first lease
   * expires; undefined if the queue is empty.
   */
  findNext(tx: Transaction, at: { now: number; scan: QueueScan }): Promise<number | undefined>;
  /** Counts the entries that `list` could return, up to `most`. */
  count(tx: Transaction, at: { now: number; most: number; scan: QueueScan }): Promise<number>;
  /** Counts a tenant's entries that have no attempt in flight. */
  countOf(tx: Transaction, of: { tenantId: number; most: number; scan: QueueScan }): Promise<TenantQueue>;
  /** Returns whether a message of the range is in the queue. */
  hasItems(tx: Transaction, range: QueueRange): Promise<boolean>;
  /** Returns whether the entry can be leased in the queue. If not, a claim moves it to `dispatches`. */
  canLease(row: OutboxRow): boolean;
  /** Leases a locked entry in the queue. The message itself is changed only with the attempt's outcome. */
  lease(tx: Transaction, messageId: string, lease: QueueLease): Promise<void>;
  /** Removes an entry if `token` holds its lease; else returns false and changes nothing. */
  takeLeased(tx: Transaction, messageId: string, token: string): Promise<boolean>;
  /** Removes an entry. */
  remove(tx: Transaction, messageId: string): Promise<void>;
  /** Removes the entry of a message that stays QUEUED. */
  leave(tx: Transaction, messageId: string): Promise<void>;
  /** The tables whose rows can be leased. */
  readonly leasingTables: readonly string[];
  /** Makes every lease in the queue expire at `now`. Call when their holders are known to be dead. */
  expireLeases(tx: Transaction, now: number): Promise<void>;
  /**
   * Moves leased entries to `dispatches`, so that carriers are asked about their attempts. If a lease expires after
   * `leasesEndAfter`, they are asked when it expires, otherwise immediately. Returns the number of entries.
   */
  askLeased(tx: Transaction, ask: { now: number; giveUpAt: number; leasesEndAfter: number }): Promise<number>;
  /** Records that a message's status becomes UNKNOWN, or changes from UNKNOWN. */
  noteUnknown(tx: Transaction, messageId: string, move: { from: MessageStatus; to: MessageStatus }): Promise<void>;
  /** Returns the floor after a scan at `now` whose first row fell due at `first`. Pass undefined if no row was due. */
  floorAfter(now: number, first: number | undefined): number;
  /** Finds the floors of the next scan after one that began at `floors`. */
  findNextFloors(tx: Transaction, floors: readonly number[]): Promise<readonly number[]>;
}

/** The share of a list that is reserved for NORMAL and LOW entries. */
const SHARE_OF_OTHERS = 1 / 4;

/** Lists HIGH entries first, then the others, for which a share of the list is reserved. */
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

/** SQL of what the queue adds to a message's row. */
export interface QueueColumns {
  /** Joins the queue to `messages m`. */
  readonly join: string;
  /** The current status of `messages m`: SENDING if the message is leased in the queue. */
  readonly status: string;
  /** The provider of an attempt that is not yet saved in the message's row; null if there is none. */
  readonly openAttempt: string;
  /** Selects `message_id`, `tenant_id` and `accepted_at` of the entries without an attempt in flight. */
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

/** Writes a statement about messages or their queue for each engine. */
export function toQueueText(write: (columns: QueueColumns) => string): EngineTexts {
  return perEngine(queueColumns, write);
}

/** The orders that an entry may have. The lowest number goes first. */
export const queueOrders = { HIGH: 0, NORMAL: 1, LOW: 2 } as const;

/** The floors of a scan from the beginning. */
export const beginning: readonly number[] = Object.values(queueOrders).map(() => 0);

/** SQL of a table of a scan's floors, one row per order. The floors are three parameters from `$first` on. */
export function floorsTable(first: number): string {
  const floors = beginning.map((_, order) => `CAST($${first + order} AS BIGINT)`);
  return `unnest(ARRAY[${floors.join(", ")}]) WITH ORDINALITY AS f (floor, ordinal)`;
}

/** SQL condition: the entry `o` has the order of the row `f` of `floorsTable`, and is not below the floor in that row. */
export const isAboveFloor = "o.queue_order = f.ordinal - 1 AND o.queued_by >= f.floor";

/** One scan of the queue. */
export interface QueueScan {
  readonly floors: readonly number[];
  /** The floor of `dispatches`, the messages that were claimed before. */
  readonly due: DueFloor;
  /** Finds the floors of the next scan. Call before the transaction changes anything. */
  raise(tx: Transaction): Promise<void>;
}

/** Maximum time by which a new row's due time precedes its insertion, in milliseconds. Such a row goes before most others. */
const LEAD_MS = 500;
/** How far the due time of a new row usually lies before the first scan that sees it: the row must be committed, too. */
const SOON_MS = 2 * LEAD_MS;
/** How far back occasional scans begin, because the clocks of instances differ. */
const LATE_MS = 10_000;
/** Interval of those scans, in milliseconds of a monotonic clock. */
const STEP_BACK_MS = 1_000;
/** Interval of scans from the beginning. They find rows that earlier scans skipped because a claim had locked them. */
const BEGINNING_MS = 30_000;
/** The floor of a scan that skips nothing, in epoch milliseconds. */
export const BEGINNING = 0;

/** Limits the due time of a row that is written at `now` to `LEAD_MS` before `now`. */
export function recently(dueAt: number, now: number): number {
  return Math.max(dueAt, now - LEAD_MS);
}

/** Returns the floor after a scan at `now` whose first row fell due at `first`. Pass undefined if no row was due. */
export function floorAfter(now: number, first: number | undefined): number {
  return Math.min(first ?? now, now - SOON_MS);
}

/** The floor of one index by due time, for the scans of one process. */
export class DueFloor {
  readonly #elapsed: () => number;
  #floor = BEGINNING;
  #polledAt = BEGINNING;
  #steppedBackAt: number;
  #begunAt: number;

  /** `elapsed` returns milliseconds of a monotonic clock. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
    this.#begunAt = elapsed();
    this.#steppedBackAt = this.#begunAt;
  }

  /** Where queries after a look begin, such as for the next due time, in epoch milliseconds. */
  get floor(): number {
    return this.#floor;
  }

  /** Returns the due time from which a scan at `now` must begin. */
  at(now: number): number {
    const elapsed = this.#elapsed();
    // if the clock was set back, new rows fall due before the floor
    if (now < this.#polledAt || elapsed - this.#begunAt >= BEGINNING_MS) {
      this.#begunAt = elapsed;
      return BEGINNING;
    }
    if (elapsed - this.#steppedBackAt < STEP_BACK_MS) return this.#floor;
    this.#steppedBackAt = elapsed;
    return Math.min(this.#floor, now - LATE_MS);
  }

  /** Makes later scans begin at `floor`. Call after a scan at `now`. */
  raise(now: number, floor: number): void {
    this.#polledAt = now;
    this.#floor = floor;
  }
}
