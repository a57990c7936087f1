// What brands, campaigns and numbers are known by, and what they have to be.

import type { CampaignStatus, NumberAssignmentStatus, NumberStatus } from "./transitions.ts";
import { canMove } from "./transitions.ts";

/** A business's name as far as it tells one from another: case, spaces and punctuation do not count. */
export function foldBusinessName(name: string): string {
  const plain = name.normalize("NFKC").toLowerCase();
  const letters = plain.replace(/[^\p{L}\p{N}]+/gu, "");
  // a name of signs only is told apart by them
  return letters === "" ? plain.trim() : letters;
}

interface BrandIdentity {
  readonly provider: string;
  readonly providerBrandId: string | null;
  readonly externalBrandRef: string | null;
  readonly foldedName: string;
}

/**
 * The brand that a request means, among the merchant's own, newest first: by provider and its id, else by the caller's
 * reference, else by provider and name. One that has another id or reference than the request names is another brand.
 */
export function findSameBrand<Brand extends BrandIdentity>(
  brands: readonly Brand[],
  asked: Omit<BrandIdentity, "provider"> & { readonly provider: string | undefined; readonly ownProvider: string },
): Brand | undefined {
  const provider = asked.provider ?? asked.ownProvider;
  const { providerBrandId, externalBrandRef, foldedName } = asked;
  if (providerBrandId !== null) {
    const known = brands.find((brand) => brand.provider === provider && brand.providerBrandId === providerBrandId);
    if (known !== undefined) return known;
  }
  const open = brands.filter((brand) => providerBrandId === null || brand.providerBrandId === null);
  if (externalBrandRef !== null) {
    const known = open.find((brand) => brand.externalBrandRef === externalBrandRef);
    if (known !== undefined) return known;
  }
  return open.find(
    (brand) =>
      brand.provider === provider &&
      brand.foldedName === foldedName &&
      (externalBrandRef === null || brand.externalBrandRef === null),
  );
}

/** What a merchant may have of each: more than one business registers, and so little that all of it can be read at once. */
export const registrationLimits = { brands: 20, campaigns: 50, numbers: 500 } as const;

/** How many sub-use-cases a campaign of the use case has, at least and at most; 0 for those that have none. */
export function subUseCaseRange(useCase: string): { readonly fewest: number; readonly most: number } {
  if (useCase === "MIXED") return { fewest: 2, most: 5 };
  return useCase === "LOW_VOLUME" ? { fewest: 1, most: 5 } : { fewest: 0, most: 0 };
}

/** Numbers that a campaign may have. */
export function numberLimit(useCase: string): number {
  return useCase === "SOLE_PROPRIETOR" ? 1 : 50;
}

/** Whether a number in this state of assignment takes one of its campaign's places. */
export function takesPlace(status: NumberAssignmentStatus): boolean {
  return status !== "UNASSIGNED" && status !== "FAILED_ASSIGNMENT";
}

export interface AssignableNumber {
  readonly id: number;
  readonly status: NumberStatus;
  readonly assignmentStatus: NumberAssignmentStatus;
  readonly campaignId: number | null;
}

/** Why the number's assignment to the campaign cannot begin, in words; undefined when it can. */
export function findAssignmentObstacle(
  number: AssignableNumber,
  campaign: { readonly id: number; readonly status: CampaignStatus },
): string | undefined {
  if (number.status === "SUSPENDED" || number.status === "RELEASED") {
    return `Number ${number.id} is ${number.status} and cannot be assigned.`;
  }
  if (campaign.status === "FAILED" || campaign.status === "EXPIRED" || campaign.status === "SUSPENDED") {
    return `Campaign ${campaign.id} is ${campaign.status} and takes no numbers.`;
  }
  if (canMove("numberAssignment", number.assignmentStatus, "PENDING_ASSIGNMENT")) return undefined;
  const of = number.campaignId === null ? "" : ` of campaign ${number.campaignId}`;
  return `Number ${number.id} is ${number.assignmentStatus}${of}: register it as UNASSIGNED first, then assign it.`;
}

/** Whether the number is the campaign's already, or on its way there, so that an assignment has nothing to do. */
export function isAssignedTo(number: AssignableNumber, campaignId: number): boolean {
  const { assignmentStatus } = number;
  return (
    number.campaignId === campaignId && (assignmentStatus === "ASSIGNED" || assignmentStatus === "PENDING_ASSIGNMENT")
  );
}
