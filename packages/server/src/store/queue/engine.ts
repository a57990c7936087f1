// The queue of each engine, and the floors of a process's looks: see queue.ts.

import type { Transaction } from "../store.ts";
import { postgresQueue } from "./postgres.ts";
import { beginning, DueFloor, type Queue, type QueueLook } from "./queue.ts";
import { sqliteQueue } from "./sqlite.ts";

const queues = { sqlite: sqliteQueue, postgres: postgresQueue };

/** Returns the queue of accepted messages. */
export function queueOf({ dialect }: Pick<Transaction, "dialect">): Queue {
  return queues[dialect.engine];
}

/** Interval at which floors are raised, in milliseconds. */
const RAISE_MS = 250;
/**
 * Interval of looks from earlier floors, the least age of these, and the interval of looks from the very beginning. A
 * server that crashed, or a standby that took over, may continue from a number that was seen already.
 */
const STEP_BACK_MS = 1_000;
const EARLIER_MS = 10_000;
const BEGINNING_MS = 120_000;

/** The floors of one process that looks at the queue. On SQLite they never change. */
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

  /** Begins a look at floors below which there is nothing. */
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
    // entries found below the current floors are kept in sight
    if (floors === this.#floors && at - this.#raisedAt < RAISE_MS) return;
    this.#raisedAt = at;
    this.#floors = await queueOf(tx).findNextFloors(tx, floors);
    if (at - this.#keptAt < EARLIER_MS) return;
    this.#keptAt = at;
    this.#earlier = this.#nextEarlier;
    this.#nextEarlier = this.#floors;
  }
}
