// The states of brands, campaigns and numbers as their columns hold them.

export type BrandStatus = "DRAFT" | "PENDING" | "IN_REVIEW" | "APPROVED" | "FAILED" | "SUSPENDED";

export type BrandVerificationStatus = "SELF_DECLARED" | "UNVERIFIED" | "VERIFIED" | "VETTED_VERIFIED";

export type CampaignStatus = "PENDING" | "ACTIVE" | "EXPIRED" | "SUSPENDED" | "FAILED";

export type CampaignReviewStatus =
  | "TCR_PENDING"
  | "TCR_ACCEPTED"
  | "TCR_FAILED"
  | "TCR_SUSPENDED"
  | "TCR_EXPIRED"
  | "PROVIDER_ACCEPTED"
  | "PROVIDER_FAILED"
  | "MNO_PENDING"
  | "MNO_ACCEPTED"
  | "MNO_REJECTED"
  | "MNO_PROVISIONED"
  | "MNO_PROVISIONING_FAILED";

export type NumberStatus = "PENDING" | "ACTIVE" | "SUSPENDED" | "RELEASED";

export type NumberAssignmentStatus =
  | "UNASSIGNED"
  | "PENDING_ASSIGNMENT"
  | "ASSIGNED"
  | "FAILED_ASSIGNMENT"
  | "PENDING_UNASSIGNMENT"
  | "FAILED_UNASSIGNMENT";
