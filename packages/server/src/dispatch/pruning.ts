// Removes rows whose time is over, in bites so small that no send waits for them.

import { scheduleJob } from "../store/jobs.ts";
import {
  beginWalk,
  findWalk,
  type Prune,
  type PrunedTable,
  pruneIdempotency,
  pruneProviderEvents,
  saveWalk,
} from "../store/pruning.ts";
import type { Store } from "../store/store.ts";
import type { JobHandler } from "./jobs.ts";

/** Rows that one bite looks at: 1 ms where all are over (measured on a file, Node 20). */
const BITE_ROWS = 300;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** How long an event may be told again: longer than any provider tells one. */
const EVENT_MS = 7 * 24 * HOUR_MS;

/** `keptMs` is how long a row stays past the time it holds. */
const tables: Readonly<Record<PrunedTable, { readonly prune: Prune; readonly keptMs: number }>> = {
  idempotency: { prune: pruneIdempotency, keptMs: 0 },
  provider_events: { prune: pruneProviderEvents, keptMs: EVENT_MS },
};

const pruning = "pruning";

/** Handlers of the step that takes a bite of a table, and puts the next one in line. */
export const pruningJobs: Readonly<Record<string, JobHandler>> = {
  [pruning]: async ({ tx, now }, subject) => {
    const table = subject as PrunedTable;
    const { prune, keptMs } = tables[table];
    const walk = await findWalk(tx, table);
    if (walk === undefined) return;
    const bite = await prune(tx, { position: walk.position, overAt: now - keptMs, limit: BITE_ROWS });
    await saveWalk(tx, table, bite.position);
    const isWhole = walk.position === null && bite.position === null;
    const nextOver = bite.earliest === undefined ? undefined : bite.earliest + keptMs;
    await scheduleJob(tx, { kind: pruning, subject, dueAt: now + pauseAfter({ ...bite, isWhole, nextOver, now }) });
  },
};

/** A bite that found much is followed soon; one that saw the whole table rests until something in it is over. */
function pauseAfter(bite: { removed: number; isWhole: boolean; nextOver: number | undefined; now: number }): number {
  if (bite.removed > BITE_ROWS / 2) return SECOND_MS;
  if (!bite.isWhole) return MINUTE_MS;
  const untilOver = (bite.nextOver ?? Number.POSITIVE_INFINITY) - bite.now;
  return Math.min(Math.max(untilOver, MINUTE_MS), HOUR_MS);
}

/** Puts the first bites in line, once in the life of a database. */
export async function beginPruning(store: Store, now: number): Promise<void> {
  await store.write(async (tx) => {
    for (const table of ["idempotency", "provider_events"] as const) {
      if (await beginWalk(tx, table)) await scheduleJob(tx, { kind: pruning, subject: table, dueAt: now + MINUTE_MS });
    }
  });
}
