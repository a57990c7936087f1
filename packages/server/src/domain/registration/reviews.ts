// Reviews of brands and campaigns: the simulated states and verdicts, and the effect of an edit of reviewed values.

import {
  type BrandStatus,
  type CampaignReviewStatus,
  type CampaignStatus,
  canMove,
  type Machine,
  type StateOf,
} from "../transitions.ts";

const HOUR_MS = 60 * 60 * 1_000;

/** The states of a review that succeeds, evenly over its time. */
const stages: readonly CampaignReviewStatus[] = [
  "TCR_PENDING",
  "TCR_ACCEPTED",
  "PROVIDER_ACCEPTED",
  "MNO_PENDING",
  "MNO_ACCEPTED",
  "MNO_PROVISIONED",
];

const STAGE_MS = (24 * HOUR_MS) / (stages.length - 1);

/** The texts of a campaign that a reviewer reads. */
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

/** The state that follows in a review; undefined after its end. The registry judges the content, the others do not. */
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
 * Time at which a review that began at `startedAt` leaves the status, in epoch milliseconds; undefined for a final one.
 */
export function reviewDueAt(startedAt: number, current: CampaignReviewStatus): number | undefined {
  const index = stages.indexOf(current);
  return index < 0 || index === stages.length - 1 ? undefined : startedAt + (index + 1) * STAGE_MS;
}

/** The status that a campaign gets from the state of its review; undefined if the review leaves it open. */
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

/** The state in which a review fails: that of the registry, the provider or the networks, whichever is next. */
export function failureFrom(current: CampaignReviewStatus): CampaignReviewStatus {
  return failures[current] ?? current;
}

/** The registry's verdict on lengths, in code points: the first fault's code, and all faults in words; undefined if good. */
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

/** Members of a brand that a review decides on: the business, and where it is registered. */
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

/** Members of a brand that its merchant may change after the review. */
export const openOfBrand = [
  "externalBrandRef",
  "contactFirstName",
  "contactLastName",
  "contactEmail",
  "contactPhone",
] as const;

/**
 * Members of a campaign that a review decides on: the messages, their recipients and purpose, and where it is
 * registered.
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

/** Members of a campaign that its merchant may change after the review. */
export const openOfCampaign = ["campaignReference", "optInKeywords", "optOutKeywords", "helpKeywords"] as const;

/** The members that differ. */
export function findChanged<Member extends string>(
  before: Readonly<Record<Member, unknown>>,
  after: Readonly<Record<Member, unknown>>,
  members: readonly Member[],
): Member[] {
  return members.filter((member) => before[member] !== after[member]);
}

/** The status of a brand whose identity is changed; undefined if its decision is final. */
export function brandStatusAfterEdit(status: BrandStatus): BrandStatus | undefined {
  return status === "DRAFT" || status === "IN_REVIEW" ? status : beginningOf("brand", status, "PENDING");
}

interface CampaignReviewState {
  readonly status: CampaignStatus;
  readonly reviewStatus: CampaignReviewStatus;
}

/** The states in which the review of a campaign begins; undefined if it is past that, and no move leads back. */
export function beginCampaignReview({ status, reviewStatus }: CampaignReviewState): CampaignReviewState | undefined {
  const begun = beginningOf("campaign", status, "PENDING");
  const begunReview = beginningOf("campaignReview", reviewStatus, "TCR_PENDING");
  return begun && begunReview && { status: begun, reviewStatus: begunReview };
}

function beginningOf<M extends Machine>(machine: M, state: StateOf<M>, beginning: StateOf<M>): StateOf<M> | undefined {
  return state === beginning || canMove(machine, state, beginning) ? beginning : undefined;
}
