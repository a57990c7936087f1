// Selects the engine's queue, and keeps the floors from which this process reads the queue: see queue.ts.

import type { Transaction } from "../store.ts";
import { postgresQueue } from "./postgres.ts";
import { beginning, DueFloor, type Queue, type QueueScan } from "./queue.ts";
import { sqliteQueue } from "./sqlite.ts";

const queues = { sqlite: sqliteQueue, postgres: postgresQueue };

/** Returns the queue of accepted messages. */
export function queueOf({ dialect }: Pick<Transaction, "dialect">): Queue {
  return queues[dialect.engine];
}

/** Interval at which floors are raised, in milliseconds. */
const RAISE_MS = 250;
/**
 * Interval of reads from earlier floors, the minimum age of those floors, and the interval of reads from the very
 * beginning. They are needed because PostgreSQL may reuse transaction numbers after a crash or the promotion of a standby.
 */
const STEP_BACK_MS = 1_000;
const EARLIER_MS = 10_000;
const BEGINNING_MS = 120_000;

/** The floors from which one process reads the queue. On SQLite they never change. */
export class QueueFloors {
  readonly #elapsed: () => number;
  #floors = beginning;
  /** Floors that are at least `EARLIER_MS` old, and newer ones that will replace them. */
  #earlier = beginning;
  #nextEarlier = beginning;
  #raisedAt: number;
  #steppedBackAt: number;
  #keptAt: number;
  #begunAt: number;
  readonly #due: DueFloor;

  /** `elapsed` returns milliseconds of a monotonic clock. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
    const at = elapsed();
    this.#raisedAt = at - RAISE_MS;
    this.#steppedBackAt = at;
    this.#keptAt = at;
    this.#begunAt = at;
    this.#due = new DueFloor(elapsed);
  }

  /** Begins a read from the current floors or, from time to time, from lower ones. */
  beginScan(): QueueScan {
    const at = this.#elapsed();
    if (at - this.#begunAt >= BEGINNING_MS) {
      this.#begunAt = at;
      return this.#scanFrom(beginning);
    }
    if (at - this.#steppedBackAt >= STEP_BACK_MS) {
      this.#steppedBackAt = at;
      return this.#scanFrom(this.#earlier);
    }
    return this.#scanFrom(this.#floors);
  }

  #scanFrom(floors: readonly number[]): QueueScan {
    return { floors, due: this.#due, raise: (tx) => this.#raise(tx, floors) };
  }

  async #raise(tx: Transaction, floors: readonly number[]): Promise<void> {
    const at = this.#elapsed();
    // after a read from other floors, always replace the current ones, so that entries found below those stay visible
    if (floors === this.#floors && at - this.#raisedAt < RAISE_MS) return;
    this.#raisedAt = at;
    this.#floors = await queueOf(tx).findNextFloors(tx, floors);
    if (at - this.#keptAt < EARLIER_MS) return;
    this.#keptAt = at;
    this.#earlier = this.#nextEarlier;
    this.#nextEarlier = this.#floors;
  }
}
