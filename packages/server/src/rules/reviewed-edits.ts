// What a review looks at of a brand or campaign, and whether it can look again. A decision stands for what was reviewed:
// where no move of the tables leads back to a review's beginning, that cannot be changed any more.

import {
  type BrandStatus,
  type CampaignReviewStatus,
  type CampaignStatus,
  canMove,
  type Machine,
  type StateOf,
} from "./transitions.ts";

/** Who the business is, and where it was registered as that. */
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

/** What of a brand says nothing about the business. */
export const openOfBrand = [
  "externalBrandRef",
  "contactFirstName",
  "contactLastName",
  "contactEmail",
  "contactPhone",
] as const;

/** What is sent to whom and how they came to agree, and where it was registered as that. */
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

/** What of a campaign its replies and its owner use. */
export const openOfCampaign = ["campaignReference", "optInKeywords", "optOutKeywords", "helpKeywords"] as const;

/** Those of the members that differ. */
export function findChanged<Member extends string>(
  before: Readonly<Record<Member, unknown>>,
  after: Readonly<Record<Member, unknown>>,
  members: readonly Member[],
): Member[] {
  return members.filter((member) => before[member] !== after[member]);
}

/** The status of a brand whose identity is changed; undefined where it was decided about, and stays so. */
export function brandStatusAfterEdit(status: BrandStatus): BrandStatus | undefined {
  return status === "DRAFT" || status === "IN_REVIEW" ? status : beginningOf("brand", status, "PENDING");
}

/** The states in which the review of a campaign begins; undefined where it is past that, and nothing leads back. */
export function beginCampaignReview({
  status,
  reviewStatus,
}: {
  readonly status: CampaignStatus;
  readonly reviewStatus: CampaignReviewStatus;
}): { readonly status: CampaignStatus; readonly reviewStatus: CampaignReviewStatus } | undefined {
  const begun = beginningOf("campaign", status, "PENDING");
  const begunReview = beginningOf("campaignReview", reviewStatus, "TCR_PENDING");
  return begun && begunReview && { status: begun, reviewStatus: begunReview };
}

function beginningOf<M extends Machine>(machine: M, state: StateOf<M>, beginning: StateOf<M>): StateOf<M> | undefined {
  return state === beginning || canMove(machine, state, beginning) ? beginning : undefined;
}
