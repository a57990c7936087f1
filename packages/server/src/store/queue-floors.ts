// Where a look at PostgreSQL's queue of accepted messages begins. Entries that are gone stay in the index until no
// transaction can see them, a report or a backup for many minutes, and a look from the beginning would pass over all of
// them. Each entry has the number of the transaction that queued it. Once all transactions up to a number have ended,
// nothing below it can come any more: where nothing below it is left either, no look needs to go there.

import { DueFloor } from "./due-floor.ts";
import type { Transaction } from "./store.ts";

/** The places in the queue that an entry may have; the lowest goes first. */
export const queueOrders = { HIGH: 0, NORMAL: 1, LOW: 2 } as const;

const beginning: readonly number[] = Object.values(queueOrders).map(() => 0);

/** SQL of the floors of a look, a row for each order, given as three parameters from `$first` on. */
export function floorsTable(first: number): string {
  const floors = beginning.map((_, order) => `CAST($${first + order} AS BIGINT)`);
  return `unnest(ARRAY[${floors.join(", ")}]) WITH ORDINALITY AS f (floor, place)`;
}

/** What makes `o` the entries of an order that are not below its floor. */
export const isAboveFloor = "o.queue_order = f.place - 1 AND o.queued_by >= f.floor";

// entries of transactions that have not ended are not seen, but have no lower number than the first of these
const nextFloorsStatement = `
  SELECT LEAST((SELECT o.queued_by FROM outbox o WHERE ${isAboveFloor} ORDER BY o.queued_by LIMIT 1),
               CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS BIGINT)) AS floor
    FROM ${floorsTable(1)} ORDER BY f.place`;

/** Finds where a look may begin from now on that would have begun at `floors`. */
export async function findNextFloors(tx: Transaction, floors: readonly number[]): Promise<readonly number[]> {
  if (!tx.dialect.hasQueueTable) return floors;
  const rows = await tx.all<{ floor: number }>(nextFloorsStatement, ...floors);
  return rows.map(({ floor }) => floor);
}

/** How often floors are raised, in milliseconds. */
const RAISE_MS = 250;
/**
 * A server that crashed, or a standby that took over, may count on from a number that was seen already. So a look now and
 * then begins where one did some time before, and sometimes at the very beginning.
 */
const STEP_BACK_MS = 1_000;
const EARLIER_MS = 10_000;
const BEGINNING_MS = 120_000;

/** The floors of one process that looks at the queue; on an engine with no such table they stay as they are. */
export class QueueFloors {
  readonly #elapsed: () => number;
  #floors = beginning;
  /** The floors of `EARLIER_MS` ago at least, and those that will be. */
  #earlier = beginning;
  #nextEarlier = beginning;
  #raisedAt: number;
  #steppedBackAt: number;
  #keptAt: number;
  #begunAt: number;
  readonly #due: DueFloor;

  /** `elapsed` gives milliseconds of a clock that is never set. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
    const at = elapsed();
    this.#raisedAt = at - RAISE_MS;
    this.#steppedBackAt = at;
    this.#keptAt = at;
    this.#begunAt = at;
    this.#due = new DueFloor(elapsed);
  }

  /** Where the next look begins: all of it that is in the queue has no lower number. */
  beginLook(): QueueLook {
    const at = this.#elapsed();
    if (at - this.#begunAt >= BEGINNING_MS) {
      this.#begunAt = at;
      return this.#lookFrom(beginning);
    }
    if (at - this.#steppedBackAt >= STEP_BACK_MS) {
      this.#steppedBackAt = at;
      return this.#lookFrom(this.#earlier);
    }
    return this.#lookFrom(this.#floors);
  }

  #lookFrom(floors: readonly number[]): QueueLook {
    return { floors, due: this.#due, raise: (tx) => this.#raise(tx, floors) };
  }

  async #raise(tx: Transaction, floors: readonly number[]): Promise<void> {
    const at = this.#elapsed();
    // what was found further below is kept in sight
    if (floors === this.#floors && at - this.#raisedAt < RAISE_MS) return;
    this.#raisedAt = at;
    this.#floors = await findNextFloors(tx, floors);
    if (at - this.#keptAt < EARLIER_MS) return;
    this.#keptAt = at;
    this.#earlier = this.#nextEarlier;
    this.#nextEarlier = this.#floors;
  }
}

/** One look at the queue. */
export interface QueueLook {
  readonly floors: readonly number[];
  /** The floor of what was claimed before. */
  readonly due: DueFloor;
  /** Finds out where the next look may begin. The transaction has changed nothing yet. */
  raise(tx: Transaction): Promise<void>;
}
