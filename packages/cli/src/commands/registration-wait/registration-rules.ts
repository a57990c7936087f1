/** Decides for each reason that blocks a merchant's sending whether waiting can help. */

/** Reasons that a review or a carrier resolves in time. Reasons that msgctl does not know are treated like these. */
const PASSING = ["BRAND_PENDING", "CAMPAIGN_PENDING", "NUMBER_ASSIGNMENT_PENDING"] as const;

const STATUS = "`msgctl registration status <merchantId>` says why";
const BRAND = "register it again with `msgctl registration brand <merchantId> --legal-business-name <name>`.";
const CAMPAIGN = "`msgctl registration campaign <merchantId> --help`";
const ASSIGN = "`msgctl registration assign <merchantId> <numberId> --campaign-id <campaignId>`.";

/** Reasons that persist until somebody acts, with the action. */
const REMEDIES = {
  MERCHANT_INACTIVE:
    "Activate it: `msgctl merchants upsert --merchant-id <merchantId> --display-name <displayName> --active`.",
  BRAND_MISSING: "Register a brand: `msgctl registration brand <merchantId> --legal-business-name <name>`.",
  BRAND_FAILED: `${STATUS} the brand failed; ${BRAND}`,
  BRAND_SUSPENDED: `${STATUS} the brand is suspended; ${BRAND}`,
  BRAND_UNVERIFIED: `The brand is approved and not verified; ${BRAND}`,
  CAMPAIGN_MISSING: `Register a campaign: ${CAMPAIGN} shows what it needs.`,
  CAMPAIGN_REJECTED: `${STATUS} the campaign was rejected; correct it, ${CAMPAIGN} shows how.`,
  CAMPAIGN_SUSPENDED: `${STATUS} the campaign is suspended; register another, ${CAMPAIGN} shows how.`,
  CAMPAIGN_EXPIRED: `The campaign has expired; register another, ${CAMPAIGN} shows how.`,
  NUMBER_MISSING: "Register a number: `msgctl registration number <merchantId> --phone-number <phoneNumber>`.",
  NUMBER_INACTIVE:
    "No number is active: `msgctl registration number <merchantId> --phone-number <phoneNumber> --status ACTIVE`.",
  NUMBER_NOT_SMS_CAPABLE:
    "No number can send SMS: `msgctl registration number <merchantId> --phone-number <phoneNumber> --capabilities SMS`.",
  NUMBER_UNASSIGNED: `Assign a number to the campaign: ${ASSIGN}`,
  NUMBER_ASSIGNMENT_FAILED: `The carrier refused the number: ${STATUS}; assign it again with ${ASSIGN}`,
} as const;

/** All reasons that msgctl knows. */
export const KNOWN_REASONS: readonly string[] = [...PASSING, ...Object.keys(REMEDIES)];

/** Returns the remedy for a reason, with placeholders such as `<merchantId>`; undefined if waiting can help. */
export function remedyFor(reason: string): string | undefined {
  return Object.entries(REMEDIES).find(([known]) => known === reason)?.[1];
}
