// Where a look at PostgreSQL's queue of accepted messages begins. Entries that are gone stay in the index until no
// transaction can see them, a report or a backup for many minutes, and a look from the beginning would pass over all of
// them. Each entry has the number of the transaction that queued it. Once all transactions up to a number have ended,
// nothing below it can come any more: where nothing below it is left either, no look needs to go there.

import type { Transaction } from "../store.ts";
import type { DueFloor } from "./due-floor.ts";

/** The places in the queue that an entry may have; the lowest goes first. */
export const queueOrders = { HIGH: 0, NORMAL: 1, LOW: 2 } as const;

/** The floors of a look from the beginning. */
export const beginning: readonly number[] = Object.values(queueOrders).map(() => 0);

/** SQL of the floors of a look, a row for each order, given as three parameters from `$first` on. */
export function floorsTable(first: number): string {
  const floors = beginning.map((_, order) => `CAST($${first + order} AS BIGINT)`);
  return `unnest(ARRAY[${floors.join(", ")}]) WITH ORDINALITY AS f (floor, place)`;
}

/** What makes `o` the entries of an order that are not below its floor. */
export const isAboveFloor = "o.queue_order = f.place - 1 AND o.queued_by >= f.floor";

/** One look at the queue. */
export interface QueueLook {
  readonly floors: readonly number[];
  /** The floor of what was claimed before. */
  readonly due: DueFloor;
  /** Finds out where the next look may begin. The transaction has changed nothing yet. */
  raise(tx: Transaction): Promise<void>;
}
