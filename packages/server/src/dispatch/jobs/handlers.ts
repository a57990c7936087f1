// Handlers of jobs: pruning of expired rows, erasure of recipients, simulated reviews of registrations.

import type { SimulatedTenants } from "../../carriers/carriers.ts";
import { continueErasure, ERASURE, type ErasureState } from "../../domain/recipients/recipients.ts";
import {
  endAssignment,
  moveBrand,
  moveCampaignReview,
  readReviewSubject,
  registrationJobs,
  scheduleBrandReview,
  scheduleCampaignReview,
} from "../../domain/registration/progress.ts";
import { nextReviewStage } from "../../domain/registration/reviews.ts";
import { findBrand, findCampaign, findNumber, readTextList } from "../../domain/registration/rows.ts";
import { nextBrandStage } from "../../domain/registration/rules.ts";
import { pruneProjectLabels } from "../../domain/tenancy/project-rows.ts";
import { NO_TENANT, scheduleJob } from "../../store/jobs.ts";
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
  pruneSuppressions,
  pruneTextAnswers,
  pruneUnmatchedTexts,
} from "../../store/pruning.ts";
import type { Store } from "../../store/store.ts";
import type { JobContext, JobHandler } from "./runner.ts";

/** Maximum number of rows removed per batch, so that no batch delays a send. */
const BITE_ROWS = 200;
/** Pause between batches while more rows have expired. It keeps the database writer free for requests. */
const BREATH_MS = 2;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * Longest pause between two prunings. Rows added during a pause rarely expire before it ends: an Idempotency-Key is kept for
 * at least three days.
 */
const LONGEST_PAUSE_MS = 3 * DAY_MS;
/** Time for which repeated events are recognized. No provider repeats events for longer. */
const EVENT_MS = 7 * DAY_MS;
/** Time for which a finished callback is kept for inspection. */
const CALLBACK_MS = 7 * DAY_MS;
/** Time for which a receiver's 410 (Gone) stops callbacks of earlier calls. By then, none of these callbacks is open. */
const GONE_MS = 7 * DAY_MS;
/** A session never lasts this long. */
const SESSION_MS = 8 * DAY_MS;
/** No carrier takes this long to report on a part. */
const PART_MS = 30 * DAY_MS;
/** Long enough to find out whom a text was meant for. */
const UNMATCHED_MS = 90 * DAY_MS;
/** A submission's answer links a parked receipt to its message. The server waits for such an answer for less time than this. */
const PARKED_MS = 4 * DAY_MS;
/** Two years: complaints may arrive that late. */
const AUDIT_MS = 730 * DAY_MS;

/** The tables that are pruned. A row is kept for `keptMs` after the time stored in it. */
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
  suppressions: { prune: pruneSuppressions, keptMs: 0 },
  audit_entries: { prune: pruneAuditEntries, keptMs: AUDIT_MS },
};

export const prunedTables = Object.keys(tables) as PrunedTable[];

const pruning = "pruning";

/** Handler of the job that removes a batch of rows from a table and schedules the next such job. */
export const pruningJobs: Readonly<Record<string, JobHandler>> = {
  [pruning]: async ({ tx, now }, subject) => {
    const { prune, keptMs } = tables[subject as PrunedTable];
    const { removed, earliest } = await prune(tx, { overAt: now - keptMs, limit: BITE_ROWS });
    const untilOver = (earliest ?? Number.POSITIVE_INFINITY) + keptMs - now;
    const pause = removed === BITE_ROWS ? BREATH_MS : Math.min(Math.max(untilOver, MINUTE_MS), LONGEST_PAUSE_MS);
    await scheduleJob(tx, { tenantId: NO_TENANT, kind: pruning, subject, dueAt: now + pause });
  },
};

/** Schedules the first batch for each table, once in the lifetime of a database. */
export async function beginPruning(store: Store, now: number): Promise<void> {
  await store.write(async (tx) => {
    for (const table of prunedTables) {
      if (await beginPruned(tx, table))
        await scheduleJob(tx, { tenantId: NO_TENANT, kind: pruning, subject: table, dueAt: now + MINUTE_MS });
    }
  });
}

/** Pause before the next batch of an erasure. `waiting`: some of the recipient's messages are still open. */
const PAUSES_MS: Readonly<Record<Exclude<ErasureState, "ended">, number>> = {
  "under way": BREATH_MS,
  waiting: 60 * MINUTE_MS,
};

/** Handler of the job that erases a batch of a recipient's rows and schedules the next such job. */
export const erasureJobs: Readonly<Record<string, JobHandler>> = {
  [ERASURE]: async ({ tx, tenantId, now }, subject) => {
    const { state } = await continueErasure(tx, Number(subject), now);
    if (state !== "ended") await scheduleJob(tx, { tenantId, kind: ERASURE, subject, dueAt: now + PAUSES_MS[state] });
  },
};

/**
 * Handlers of the simulated registry and carriers. Each job advances a brand, a campaign or a number, unless a caller
 * has set its status. Registrations of other tenants wait for the operator.
 */
export function registrationReviews(simulated: SimulatedTenants): Readonly<Record<string, JobHandler>> {
  const ifSimulated =
    (handle: (context: JobContext, subject: string) => Promise<void>): JobHandler =>
    async (context, subject) => {
      if (await simulated.includes(context.tx, context.tenantId)) await handle(context, subject);
    };
  return {
    [registrationJobs.brand]: ifSimulated(reviewBrand),
    [registrationJobs.campaign]: ifSimulated(reviewCampaign),
    [registrationJobs.number]: ifSimulated(confirmAssignment),
  };
}

async function reviewBrand({ tx, now }: JobContext, subject: string): Promise<void> {
  const { id, startedAt } = readReviewSubject(subject);
  const brand = await findBrand(tx, id);
  if (brand === undefined || brand.reviewStartedAt !== startedAt) return;
  const next = nextBrandStage(startedAt, brand.status);
  if (next === undefined) return;
  await scheduleBrandReview(tx, await moveBrand(tx, brand, { status: next.status, now }));
}

async function reviewCampaign({ tx, now }: JobContext, subject: string): Promise<void> {
  const { id, startedAt } = readReviewSubject(subject);
  const campaign = await findCampaign(tx, id);
  if (campaign === undefined || campaign.reviewStartedAt !== startedAt) return;
  const stage = nextReviewStage(campaign.reviewStatus, {
    ...campaign,
    sampleMessages: readTextList(campaign.sampleMessages),
  });
  if (stage === undefined) return;
  await scheduleCampaignReview(tx, await moveCampaignReview(tx, campaign, { ...stage, now }));
}

async function confirmAssignment({ tx, now }: JobContext, subject: string): Promise<void> {
  const { id, startedAt } = readReviewSubject(subject);
  const number = await findNumber(tx, id);
  if (number === undefined || number.assignmentStartedAt !== startedAt) return;
  await endAssignment(tx, number, { assignmentStatus: "ASSIGNED", now });
}
