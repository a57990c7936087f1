// The steps of simulated reviews, as they are scheduled and read back.

import { assignmentDueAt, nextBrandStep } from "../rules/brand-review.ts";
import { reviewDueAt } from "../rules/campaign-review.ts";
import type { BrandRow } from "../store/brands.ts";
import type { CampaignRow } from "../store/campaigns.ts";
import { scheduleJob } from "../store/jobs.ts";
import type { NumberRow } from "../store/numbers.ts";
import type { Transaction } from "../store/store.ts";

export const registrationSteps = {
  brand: "brand-review",
  campaign: "campaign-review",
  number: "number-assignment",
} as const;

/** The subject of a step, valid only while the row has the same start: a caller may have ended the review. */
export interface ReviewSubject {
  readonly id: number;
  readonly startedAt: number;
}

export function readReviewSubject(subject: string): ReviewSubject {
  return JSON.parse(subject) as ReviewSubject;
}

/** Schedules the next step of the brand's review, if it is under review. */
export async function scheduleBrandStep(tx: Transaction, brand: BrandRow): Promise<void> {
  const { tenantId, id, status, reviewStartedAt: startedAt } = brand;
  if (startedAt === null) return;
  const dueAt = nextBrandStep(startedAt, status)?.dueAt;
  await schedule(tx, { tenantId, kind: registrationSteps.brand, subject: { id, startedAt }, dueAt });
}

/** The same for a campaign. */
export async function scheduleCampaignStep(tx: Transaction, campaign: CampaignRow): Promise<void> {
  const { tenantId, id, reviewStatus, reviewStartedAt: startedAt } = campaign;
  if (startedAt === null) return;
  const dueAt = reviewDueAt(startedAt, reviewStatus);
  await schedule(tx, { tenantId, kind: registrationSteps.campaign, subject: { id, startedAt }, dueAt });
}

/** Schedules the carriers' confirmation of an assignment, if one was begun here. */
export async function scheduleAssignment(tx: Transaction, number: NumberRow): Promise<void> {
  const { tenantId, id, assignmentStartedAt: startedAt } = number;
  if (startedAt === null) return;
  const dueAt = assignmentDueAt(startedAt);
  await schedule(tx, { tenantId, kind: registrationSteps.number, subject: { id, startedAt }, dueAt });
}

async function schedule(
  tx: Transaction,
  { subject, dueAt, ...step }: { tenantId: number; kind: string; subject: ReviewSubject; dueAt: number | undefined },
): Promise<void> {
  if (dueAt !== undefined) await scheduleJob(tx, { ...step, subject: JSON.stringify(subject), dueAt });
}
