// The simulated registry and carriers: each step advances a brand, a campaign or a number, and schedules the next. Those of
// a tenant that is not simulated stay as they are, and wait for the operator.

import { nextBrandStep } from "../../rules/brand-review.ts";
import { nextReviewStep } from "../../rules/campaign-review.ts";
import {
  readReviewSubject,
  registrationSteps,
  scheduleBrandStep,
  scheduleCampaignStep,
} from "../../steps/registration-jobs.ts";
import { endAssignment, moveBrand, moveCampaignReview } from "../../steps/registration-progress.ts";
import { findBrand } from "../../store/brands.ts";
import { findCampaign } from "../../store/campaigns.ts";
import { findNumber } from "../../store/numbers.ts";
import { readTextList } from "../../store/text-lists.ts";
import type { SimulatedTenants } from "../simulated-tenants.ts";
import type { JobContext, JobHandler } from "./runner.ts";

/** Handlers of every registration step. A step does nothing once a caller has set the status. */
export function registrationReviews(simulated: SimulatedTenants): Readonly<Record<string, JobHandler>> {
  const ifSimulated =
    (handle: (context: JobContext, subject: string) => Promise<void>): JobHandler =>
    async (context, subject) => {
      if (await simulated.includes(context.tx, context.tenantId)) await handle(context, subject);
    };
  return {
    [registrationSteps.brand]: ifSimulated(reviewBrand),
    [registrationSteps.campaign]: ifSimulated(reviewCampaign),
    [registrationSteps.number]: ifSimulated(confirmAssignment),
  };
}

async function reviewBrand({ tx, now }: JobContext, subject: string): Promise<void> {
  const { id, startedAt } = readReviewSubject(subject);
  const brand = await findBrand(tx, id);
  if (brand === undefined || brand.reviewStartedAt !== startedAt) return;
  const next = nextBrandStep(startedAt, brand.status);
  if (next === undefined) return;
  await scheduleBrandStep(tx, await moveBrand(tx, brand, { status: next.status, now }));
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
  await scheduleCampaignStep(tx, await moveCampaignReview(tx, campaign, { ...step, now }));
}

async function confirmAssignment({ tx, now }: JobContext, subject: string): Promise<void> {
  const { id, startedAt } = readReviewSubject(subject);
  const number = await findNumber(tx, id);
  if (number === undefined || number.assignmentStartedAt !== startedAt) return;
  await endAssignment(tx, number, { assignmentStatus: "ASSIGNED", now });
}
