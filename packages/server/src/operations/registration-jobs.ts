// The steps of simulated reviews, as they are put in line and read back.

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

/** What a step is about. It counts only while the row still names the same start: a caller may have ended the review. */
export interface ReviewSubject {
  readonly id: number;
  readonly startedAt: number;
}

export function readReviewSubject(subject: string): ReviewSubject {
  return JSON.parse(subject) as ReviewSubject;
}

/** Puts the next step of the brand's review in line, if it is under review. */
export async function scheduleBrandStep(tx: Transaction, { id, status, reviewStartedAt }: BrandRow): Promise<void> {
  if (reviewStartedAt === null) return;
  const dueAt = nextBrandStep(reviewStartedAt, status)?.dueAt;
  await schedule(tx, registrationSteps.brand, { id, startedAt: reviewStartedAt }, dueAt);
}

/** The same for a campaign. */
export async function scheduleCampaignStep(
  tx: Transaction,
  { id, reviewStatus, reviewStartedAt }: CampaignRow,
): Promise<void> {
  if (reviewStartedAt === null) return;
  const dueAt = reviewDueAt(reviewStartedAt, reviewStatus);
  await schedule(tx, registrationSteps.campaign, { id, startedAt: reviewStartedAt }, dueAt);
}

/** Puts the carriers' confirmation of an assignment in line, if one was begun here. */
export async function scheduleAssignment(tx: Transaction, { id, assignmentStartedAt }: NumberRow): Promise<void> {
  if (assignmentStartedAt === null) return;
  const dueAt = assignmentDueAt(assignmentStartedAt);
  await schedule(tx, registrationSteps.number, { id, startedAt: assignmentStartedAt }, dueAt);
}

async function schedule(
  tx: Transaction,
  kind: string,
  subject: ReviewSubject,
  dueAt: number | undefined,
): Promise<void> {
  if (dueAt !== undefined) await scheduleJob(tx, { kind, subject: JSON.stringify(subject), dueAt });
}
