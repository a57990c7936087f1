// Whether a merchant's 10DLC registration is complete, and what stands in the way if not.

import type { Schemas } from "@msgctl/contract";
import type {
  BrandStatus,
  BrandVerificationStatus,
  CampaignStatus,
  NumberAssignmentStatus,
  NumberStatus,
} from "./transitions.ts";

/** What becomes of an SMS of a merchant whose registration is not complete: sent, or filtered as carriers do. */
export type RegistrationPolicy = "open" | "strict";

export interface BrandState {
  readonly id: number;
  readonly status: BrandStatus;
  readonly verificationStatus: BrandVerificationStatus;
}

export interface CampaignState {
  readonly id: number;
  readonly brandId: number;
  readonly status: CampaignStatus;
}

export interface NumberState {
  readonly campaignId: number | null;
  readonly status: NumberStatus;
  readonly assignmentStatus: NumberAssignmentStatus;
  readonly capabilities: readonly string[];
}

export interface Registration {
  readonly brands: readonly BrandState[];
  readonly campaigns: readonly CampaignState[];
  readonly numbers: readonly NumberState[];
}

export type BlockingReason = Schemas["RegistrationBlockingReason"];

/** In the order of precedence, which is also how far a chain has come: the later its reason, the better the chain. */
export const blockingReasons = [
  "MERCHANT_INACTIVE",
  "BRAND_MISSING",
  "BRAND_FAILED",
  "BRAND_SUSPENDED",
  "BRAND_PENDING",
  "BRAND_UNVERIFIED",
  "CAMPAIGN_MISSING",
  "CAMPAIGN_REJECTED",
  "CAMPAIGN_SUSPENDED",
  "CAMPAIGN_EXPIRED",
  "CAMPAIGN_PENDING",
  "NUMBER_MISSING",
  "NUMBER_INACTIVE",
  "NUMBER_NOT_SMS_CAPABLE",
  "NUMBER_UNASSIGNED",
  "NUMBER_ASSIGNMENT_FAILED",
  "NUMBER_ASSIGNMENT_PENDING",
] as const satisfies readonly BlockingReason[];

/** Undefined where nothing blocks. */
type Finding = BlockingReason | undefined;

/** What stands between the merchant's best chain and readiness; undefined when one whole chain is good. */
export function findBlockingReason(merchant: Registration & { readonly isActive: boolean }): Finding {
  return merchant.isActive ? findRegistrationGap(merchant) : "MERCHANT_INACTIVE";
}

/** The same without a look at the merchant: what carriers ask before they take its SMS. */
export function findRegistrationGap({ brands, campaigns, numbers }: Registration): Finding {
  return furthest(brands, "BRAND_MISSING", (brand) => {
    const own = campaigns.filter(({ brandId }) => brandId === brand.id);
    return brandReason(brand) ?? furthest(own, "CAMPAIGN_MISSING", (campaign) => campaignReason(campaign, numbers));
  });
}

/** The reason of the one that has come furthest, undefined if one has come all the way; `missing` where there is none. */
function furthest<T>(items: readonly T[], missing: BlockingReason, reasonOf: (item: T) => Finding): Finding {
  let best = missing;
  for (const item of items) {
    const reason = reasonOf(item);
    if (reason === undefined) return undefined;
    if (blockingReasons.indexOf(reason) > blockingReasons.indexOf(best)) best = reason;
  }
  return best;
}

const brandReasons: Readonly<Record<BrandStatus, Finding>> = {
  DRAFT: "BRAND_PENDING",
  PENDING: "BRAND_PENDING",
  IN_REVIEW: "BRAND_PENDING",
  APPROVED: undefined,
  FAILED: "BRAND_FAILED",
  SUSPENDED: "BRAND_SUSPENDED",
};

function brandReason({ status, verificationStatus }: BrandState): Finding {
  const isVerified = verificationStatus === "VERIFIED" || verificationStatus === "VETTED_VERIFIED";
  return brandReasons[status] ?? (isVerified ? undefined : "BRAND_UNVERIFIED");
}

const campaignReasons: Readonly<Record<CampaignStatus, Finding>> = {
  PENDING: "CAMPAIGN_PENDING",
  ACTIVE: undefined,
  EXPIRED: "CAMPAIGN_EXPIRED",
  SUSPENDED: "CAMPAIGN_SUSPENDED",
  FAILED: "CAMPAIGN_REJECTED",
};

/** Any number of the merchant could be the campaign's: one of another campaign is unassigned to this one. */
function campaignReason({ id, status }: CampaignState, numbers: readonly NumberState[]): Finding {
  return campaignReasons[status] ?? furthest(numbers, "NUMBER_MISSING", (number) => numberReason(number, id));
}

const assignmentReasons: Readonly<Record<NumberAssignmentStatus, Finding>> = {
  UNASSIGNED: "NUMBER_UNASSIGNED",
  PENDING_ASSIGNMENT: "NUMBER_ASSIGNMENT_PENDING",
  ASSIGNED: undefined,
  FAILED_ASSIGNMENT: "NUMBER_ASSIGNMENT_FAILED",
  PENDING_UNASSIGNMENT: "NUMBER_UNASSIGNED",
  // it could not be taken off the campaign, so it still is the campaign's
  FAILED_UNASSIGNMENT: undefined,
};

function numberReason(number: NumberState, campaignId: number): Finding {
  if (number.status !== "ACTIVE") return "NUMBER_INACTIVE";
  if (!number.capabilities.includes("SMS")) return "NUMBER_NOT_SMS_CAPABLE";
  return number.campaignId === campaignId ? assignmentReasons[number.assignmentStatus] : "NUMBER_UNASSIGNED";
}
