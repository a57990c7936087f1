// Reviews of brands and campaigns: simulated states and verdicts, and the effect of editing reviewed values.

import {
  type BrandStatus,
  type CampaignReviewStatus,
  type CampaignStatus,
  canMove,
  type Machine,
  type StateOf,
} from "../transitions.ts";

const HOUR_MS = 60 * 60 * 1_000;

/** The states of a successful review. Each lasts equally long. */
const stages: readonly CampaignReviewStatus[] = [
  "TCR_PENDING",
  "TCR_ACCEPTED",
  "PROVIDER_ACCEPTED",
  "MNO_PENDING",
  "MNO_ACCEPTED",
  "MNO_PROVISIONED",
];

const STAGE_MS = (24 * HOUR_MS) / (stages.length - 1);

/** The texts of a campaign that the review judges. */
export interface ReviewedContent {
  readonly description: string;
  readonly messageFlow: string;
  readonly sampleMessages: readonly string[];
  readonly optInMessage: string;
  readonly optOutMessage: string;
  readonly helpMessage: string;
}

interface ReviewFailure {
  readonly code: string;
  readonly reason: string;
}

/** The next state of a review; undefined after its end. Only the registry judges the content. */
export function nextReviewStage(
  current: CampaignReviewStatus,
  content: ReviewedContent,
): { readonly reviewStatus: CampaignReviewStatus; readonly failure?: ReviewFailure } | undefined {
  const index = stages.indexOf(current);
  const next = index < 0 ? undefined : stages[index + 1];
  if (next === undefined) return undefined;
  const failure = current === "TCR_PENDING" ? judgeContent(content) : undefined;
  return failure === undefined ? { reviewStatus: next } : { reviewStatus: "TCR_FAILED", failure };
}

/**
 * When a review that began at `startedAt` leaves the current state, in epoch milliseconds; undefined if it is final.
 */
export function reviewDueAt(startedAt: number, current: CampaignReviewStatus): number | undefined {
  const index = stages.indexOf(current);
  return index < 0 || index === stages.length - 1 ? undefined : startedAt + (index + 1) * STAGE_MS;
}

/** The campaign status that a review state decides; undefined if the review is still open. */
export function decidedStatus(reviewStatus: CampaignReviewStatus): DecidedStatus | undefined {
  return decided[reviewStatus];
}

type DecidedStatus = Exclude<CampaignStatus, "PENDING">;

const decided: Readonly<Partial<Record<CampaignReviewStatus, DecidedStatus>>> = {
  MNO_PROVISIONED: "ACTIVE",
  TCR_FAILED: "FAILED",
  PROVIDER_FAILED: "FAILED",
  MNO_REJECTED: "FAILED",
  MNO_PROVISIONING_FAILED: "FAILED",
  TCR_SUSPENDED: "SUSPENDED",
  TCR_EXPIRED: "EXPIRED",
};

const failures: Readonly<Partial<Record<CampaignReviewStatus, CampaignReviewStatus>>> = {
  TCR_PENDING: "TCR_FAILED",
  TCR_ACCEPTED: "PROVIDER_FAILED",
  PROVIDER_ACCEPTED: "MNO_REJECTED",
  MNO_PENDING: "MNO_REJECTED",
  MNO_ACCEPTED: "MNO_PROVISIONING_FAILED",
};

/** The state that a review enters if it fails now. It depends on who decides next: registry, provider or networks. */
export function failureFrom(current: CampaignReviewStatus): CampaignReviewStatus {
  return failures[current] ?? current;
}

/** Checks lengths, in code points, as the registry does. Returns the first fault's code, and all faults in words. */
export function judgeContent(content: ReviewedContent): ReviewFailure | undefined {
  const faults = [
    ...judgeLength("DESCRIPTION_LENGTH", "description", content.description, 40, 4_096),
    ...judgeLength("MESSAGE_FLOW_LENGTH", "messageFlow", content.messageFlow, 40, 2_048),
    ...judgeSamples(content.sampleMessages),
    ...judgeLength("OPT_IN_MESSAGE_LENGTH", "optInMessage", content.optInMessage, 20, 320),
    ...judgeLength("OPT_OUT_MESSAGE_LENGTH", "optOutMessage", content.optOutMessage, 20, 320),
    ...judgeLength("HELP_MESSAGE_LENGTH", "helpMessage", content.helpMessage, 20, 320),
  ];
  const [first] = faults;
  if (first === undefined) return undefined;
  return { code: first.code, reason: faults.map(({ reason }) => reason).join(" ") };
}

function judgeSamples(samples: readonly string[]): ReviewFailure[] {
  const each = samples.flatMap((sample, index) =>
    judgeLength("SAMPLE_LENGTH", `sample message ${index + 1}`, sample, 20, 1_024),
  );
  if (samples.length >= 2 && samples.length <= 5) return each;
  return [{ code: "SAMPLE_COUNT", reason: `There are ${samples.length} sample messages; 2 to 5 are needed.` }, ...each];
}

function judgeLength(code: string, what: string, text: string, fewest: number, most: number): ReviewFailure[] {
  const length = [...text].length;
  if (length >= fewest && length <= most) return [];
  return [{ code, reason: `The ${what} has ${length} characters; ${fewest} to ${most} are needed.` }];
}

/** Members of a brand that the review covers: the business, and its registration. */
export const reviewedOfBrand = [
  "legalBusinessName",
  "provider",
  "providerBrandId",
  "businessType",
  "websiteUrl",
  "street",
  "city",
  "state",
  "postalCode",
  "country",
] as const;

/** Members of a brand that its merchant may change without a new review. */
export const openOfBrand = [
  "externalBrandRef",
  "contactFirstName",
  "contactLastName",
  "contactEmail",
  "contactPhone",
] as const;

/**
 * Members of a campaign that the review covers: its messages, recipients and purpose, and its registration.
 */
export const reviewedOfCampaign = [
  "provider",
  "providerCampaignId",
  "useCase",
  "subUseCases",
  "vertical",
  "description",
  "messageFlow",
  "sampleMessages",
  "optInMessage",
  "optOutMessage",
  "helpMessage",
  "privacyPolicyLink",
  "termsAndConditionsLink",
] as const;

/** Members of a campaign that its merchant may change without a new review. */
export const openOfCampaign = ["campaignReference", "optInKeywords", "optOutKeywords", "helpKeywords"] as const;

/** Lists the members whose values differ. */
export function findChanged<Member extends string>(
  before: Readonly<Record<Member, unknown>>,
  after: Readonly<Record<Member, unknown>>,
  members: readonly Member[],
): Member[] {
  return members.filter((member) => before[member] !== after[member]);
}

/** The status of a brand after its identity was changed; undefined if it was decided for good. */
export function brandStatusAfterEdit(status: BrandStatus): BrandStatus | undefined {
  return status === "DRAFT" || status === "IN_REVIEW" ? status : beginningOf("brand", status, "PENDING");
}

interface CampaignReviewState {
  readonly status: CampaignStatus;
  readonly reviewStatus: CampaignReviewStatus;
}

/** The states in which a campaign's review begins; undefined if no allowed move leads back to them. */
export function beginCampaignReview({ status, reviewStatus }: CampaignReviewState): CampaignReviewState | undefined {
  const begun = beginningOf("campaign", status, "PENDING");
  const begunReview = beginningOf("campaignReview", reviewStatus, "TCR_PENDING");
  return begun && begunReview && { status: begun, reviewStatus: begunReview };
}

function beginningOf<M extends Machine>(machine: M, state: StateOf<M>, beginning: StateOf<M>): StateOf<M> | undefined {
  return state === beginning || canMove(machine, state, beginning) ? beginning : undefined;
}
