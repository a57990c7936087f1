// The simulated registry and carriers: each step advances a brand, a campaign or a number, and schedules the next.

import { nextBrandStep } from "../../rules/brand-review.ts";
import { decidedStatus, nextReviewStep } from "../../rules/campaign-review.ts";
import { canMove, move } from "../../rules/transitions.ts";
import {
  readReviewSubject,
  registrationSteps,
  scheduleBrandStep,
  scheduleCampaignStep,
} from "../../steps/registration-jobs.ts";
import { findBrand, updateBrand } from "../../store/brands.ts";
import { findCampaign, updateCampaign } from "../../store/campaigns.ts";
import { findNumber, updateNumber } from "../../store/numbers.ts";
import { readTextList } from "../../store/text-lists.ts";
import type { JobContext, JobHandler } from "./runner.ts";

/** Handlers of every registration step. A step does nothing once a caller has set the status. */
export const registrationReviews: Readonly<Record<string, JobHandler>> = {
  [registrationSteps.brand]: reviewBrand,
  [registrationSteps.campaign]: reviewCampaign,
  [registrationSteps.number]: confirmAssignment,
};

async function reviewBrand({ tx, now }: JobContext, subject: string): Promise<void> {
  const { id, startedAt } = readReviewSubject(subject);
  const brand = await findBrand(tx, id);
  if (brand === undefined || brand.reviewStartedAt !== startedAt) return;
  const next = nextBrandStep(startedAt, brand.status);
  if (next === undefined) return;
  const status = move("brand", brand.status, next.status);
  const { verificationStatus } = brand;
  const isVerified =
    status === "APPROVED" &&
    brand.isVerificationGiven === 0 &&
    canMove("brandVerification", verificationStatus, "VERIFIED");
  const reviewed = {
    ...brand,
    status,
    verificationStatus: isVerified ? move("brandVerification", verificationStatus, "VERIFIED") : verificationStatus,
    updatedAt: now,
  };
  await updateBrand(tx, reviewed);
  await scheduleBrandStep(tx, reviewed);
}

async function reviewCampaign({ tx, now }: JobContext, subject: string): Promise<void> {
  const { id, startedAt } = readReviewSubject(subject);
  const campaign = await findCampaign(tx, id);
  if (campaign === undefined || campaign.reviewStartedAt !== startedAt) return;
  const step = nextReviewStep(campaign.reviewStatus, {
    ...campaign,
    sampleMessages: readTextList(campaign.sampleMessages),
  });
  if (step === undefined) return;
  const decided = decidedStatus(step.reviewStatus);
  const reviewed = {
    ...campaign,
    reviewStatus: move("campaignReview", campaign.reviewStatus, step.reviewStatus),
    status: decided === undefined ? campaign.status : move("campaign", campaign.status, decided),
    ...(step.failure && { reviewFailureCode: step.failure.code, reviewFailureReason: step.failure.reason }),
    updatedAt: now,
  };
  await updateCampaign(tx, reviewed);
  await scheduleCampaignStep(tx, reviewed);
}

async function confirmAssignment({ tx, now }: JobContext, subject: string): Promise<void> {
  const { id, startedAt } = readReviewSubject(subject);
  const number = await findNumber(tx, id);
  if (number === undefined || number.assignmentStartedAt !== startedAt) return;
  const assignmentStatus = move("numberAssignment", number.assignmentStatus, "ASSIGNED");
  await updateNumber(tx, { ...number, assignmentStatus, assignmentStartedAt: null, updatedAt: now });
}
