// Moves a brand, a campaign or a number's assignment on, whoever says so: the simulated review, or the operator.

import { decidedStatus } from "../rules/campaign-review.ts";
import { type BrandStatus, type CampaignReviewStatus, canMove, move, reach } from "../rules/transitions.ts";
import { type BrandRow, updateBrand } from "../store/brands.ts";
import { type CampaignRow, updateCampaign } from "../store/campaigns.ts";
import { type NumberRow, updateNumber } from "../store/numbers.ts";
import type { Transaction } from "../store/store.ts";

/** Moves the brand. An approved one is VERIFIED, unless a caller said how it is. */
export async function moveBrand(
  tx: Transaction,
  brand: BrandRow,
  { status, now }: { status: BrandStatus; now: number },
): Promise<BrandRow> {
  const { verificationStatus } = brand;
  const isVerified =
    status === "APPROVED" &&
    brand.isVerificationGiven === 0 &&
    canMove("brandVerification", verificationStatus, "VERIFIED");
  const moved = {
    ...brand,
    status: move("brand", brand.status, status),
    verificationStatus: isVerified ? move("brandVerification", verificationStatus, "VERIFIED") : verificationStatus,
    updatedAt: now,
  };
  await updateBrand(tx, moved);
  return moved;
}

/** Moves the campaign's review, past steps between if need be, and the campaign where that decides it. */
export async function moveCampaignReview(
  tx: Transaction,
  campaign: CampaignRow,
  change: {
    reviewStatus: CampaignReviewStatus;
    /** Without one, what is there stays. */
    failure?: { readonly code: string | null; readonly reason: string | null } | undefined;
    now: number;
  },
): Promise<CampaignRow> {
  const { failure, now } = change;
  const decided = decidedStatus(change.reviewStatus);
  const moved = {
    ...campaign,
    reviewStatus: reach("campaignReview", campaign.reviewStatus, change.reviewStatus),
    status: decided === undefined ? campaign.status : move("campaign", campaign.status, decided),
    ...(failure && { reviewFailureCode: failure.code, reviewFailureReason: failure.reason }),
    updatedAt: now,
  };
  await updateCampaign(tx, moved);
  return moved;
}

/** Ends the assignment that was begun here. */
export async function endAssignment(
  tx: Transaction,
  number: NumberRow,
  { assignmentStatus, now }: { assignmentStatus: "ASSIGNED" | "FAILED_ASSIGNMENT"; now: number },
): Promise<NumberRow> {
  const ended = {
    ...number,
    assignmentStatus: move("numberAssignment", number.assignmentStatus, assignmentStatus),
    assignmentStartedAt: null,
    updatedAt: now,
  };
  await updateNumber(tx, ended);
  return ended;
}
