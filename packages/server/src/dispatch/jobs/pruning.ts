// Removes expired rows, in batches too small to delay a send.

import { NO_TENANT, scheduleJob } from "../../store/jobs.ts";
import { pruneProjectLabels } from "../../store/project-labels.ts";
import {
  beginPruned,
  type Prune,
  type PrunedTable,
  pruneAuditEntries,
  pruneCallbacks,
  pruneFailedSignIns,
  pruneGoneUrls,
  pruneIdempotency,
  pruneMessageParts,
  pruneParkedReceipts,
  pruneProviderEvents,
  pruneSessions,
  pruneTextAnswers,
  pruneUnmatchedTexts,
} from "../../store/pruning.ts";
import type { Store } from "../../store/store.ts";
import type { JobHandler } from "./runner.ts";

/** Most rows removed per batch: 1.5 ms from a table of 400 000 (measured on a file, Node 20). */
const BITE_ROWS = 200;
/** Pause between batches while more have expired, which leaves the writer to requests. */
const BREATH_MS = 2;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The most of what is added during a pause cannot expire in it: an Idempotency-Key is kept for three days or more. */
const LONGEST_PAUSE_MS = 3 * DAY_MS;
/** How long repeats of an event are recognized: longer than any provider repeats one. */
const EVENT_MS = 7 * DAY_MS;
/** How long a finished callback is kept for inspection. */
const CALLBACK_MS = 7 * DAY_MS;
/** How long a URL's 410 applies to earlier calls: longer than a call has callbacks to send. */
const GONE_MS = 7 * DAY_MS;
/** Longer than a session lasts. */
const SESSION_MS = 8 * DAY_MS;
/** Longer than a carrier takes to report. */
const PART_MS = 30 * DAY_MS;
/** Long enough to find out to whom a text was meant. */
const UNMATCHED_MS = 90 * DAY_MS;
/** As long as an answer is waited for that would tell what they are of. */
const PARKED_MS = 4 * DAY_MS;
/** Two years, as long as a complaint may take. */
const AUDIT_MS = 730 * DAY_MS;

/** `keptMs` is how long a row stays past the time it holds. */
const tables: Readonly<Record<PrunedTable, { readonly prune: Prune; readonly keptMs: number }>> = {
  idempotency_keys: { prune: pruneIdempotency, keptMs: 0 },
  provider_events: { prune: pruneProviderEvents, keptMs: EVENT_MS },
  callbacks: { prune: pruneCallbacks, keptMs: CALLBACK_MS },
  callback_gone_urls: { prune: pruneGoneUrls, keptMs: GONE_MS },
  sessions: { prune: pruneSessions, keptMs: SESSION_MS },
  failed_sign_ins: { prune: pruneFailedSignIns, keptMs: DAY_MS },
  project_labels: { prune: pruneProjectLabels, keptMs: 0 },
  message_parts: { prune: pruneMessageParts, keptMs: PART_MS },
  parked_receipts: { prune: pruneParkedReceipts, keptMs: PARKED_MS },
  text_answers: { prune: pruneTextAnswers, keptMs: DAY_MS },
  unmatched_texts: { prune: pruneUnmatchedTexts, keptMs: UNMATCHED_MS },
  audit_entries: { prune: pruneAuditEntries, keptMs: AUDIT_MS },
};

export const prunedTables = Object.keys(tables) as PrunedTable[];

const pruning = "pruning";

/** Handlers of the step that removes a batch from a table and schedules the next. */
export const pruningJobs: Readonly<Record<string, JobHandler>> = {
  [pruning]: async ({ tx, now }, subject) => {
    const { prune, keptMs } = tables[subject as PrunedTable];
    const { removed, earliest } = await prune(tx, { overAt: now - keptMs, limit: BITE_ROWS });
    const untilOver = (earliest ?? Number.POSITIVE_INFINITY) + keptMs - now;
    const pause = removed === BITE_ROWS ? BREATH_MS : Math.min(Math.max(untilOver, MINUTE_MS), LONGEST_PAUSE_MS);
    await scheduleJob(tx, { tenantId: NO_TENANT, kind: pruning, subject, dueAt: now + pause });
  },
};

/** Schedules the first batches, once in the life of a database. */
export async function beginPruning(store: Store, now: number): Promise<void> {
  await store.write(async (tx) => {
    for (const table of prunedTables) {
      if (await beginPruned(tx, table))
        await scheduleJob(tx, { tenantId: NO_TENANT, kind: pruning, subject: table, dueAt: now + MINUTE_MS });
    }
  });
}
