// What the engine of a transaction does in a way of its own.

import { postgresQueue } from "./queue/postgres.ts";
import type { Queue } from "./queue/queue.ts";
import { sqliteQueue } from "./queue/sqlite.ts";
import type { Transaction } from "./store.ts";

const queues = { sqlite: sqliteQueue, postgres: postgresQueue };

/** The queue of accepted messages. */
export function queueOf({ dialect }: Pick<Transaction, "dialect">): Queue {
  return queues[dialect.engine];
}
