// For tests of registrations.

import type { BrandRow, CampaignRow, NumberRow } from "../domain/registration/rows.ts";

/** A campaign request whose texts are as short as the contract allows. */
export const shortCampaign = {
  useCase: "CUSTOMER_CARE",
  description: "d",
  messageFlow: "m",
  sampleMessages: ["s"],
  optInKeywords: ["i"],
  optOutKeywords: ["o"],
  helpKeywords: ["h"],
  optInMessage: "i",
  optOutMessage: "o",
  helpMessage: "h",
};

/** A campaign that passes a review. */
export const goodCampaign = {
  useCase: "CUSTOMER_CARE",
  description: "Appointment reminders for patients of Bright Dental who asked for them.",
  messageFlow: "Patients tick a box on the intake form to receive SMS from Bright Dental.",
  sampleMessages: ["Your visit is tomorrow at 9:30. Reply STOP to opt out.", "We received your payment. Thank you."],
  optInKeywords: ["JOIN"],
  optOutKeywords: ["BYE"],
  helpKeywords: ["AID"],
  optInMessage: "Bright Dental: you will receive reminders again.",
  optOutMessage: "Bright Dental: you are opted out, goodbye.",
  helpMessage: "Bright Dental: call us at +12025550142 for help.",
};

interface Owned {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly now: number;
}

/** A brand whose review has begun. */
export function newBrand({ now, ...owner }: Owned): Omit<BrandRow, "id"> {
  return {
    ...owner,
    ...{ provider: "simulated", providerBrandId: null, externalBrandRef: null },
    ...{ legalBusinessName: "Bright Dental LLC", foldedName: "brightdentalllc", businessType: null, websiteUrl: null },
    ...{ street: null, city: null, state: null, postalCode: null, country: "US" },
    ...{ contactFirstName: null, contactLastName: null, contactEmail: null, contactPhone: null },
    ...{ status: "PENDING", verificationStatus: "UNVERIFIED", isVerificationGiven: 0, rawProviderPayload: null },
    ...{ reviewStartedAt: now, createdAt: now, updatedAt: now },
  };
}

/** A campaign whose review has begun. */
export function newCampaign({ now, ...owner }: Owned & { readonly brandId: number }): Omit<CampaignRow, "id"> {
  const { sampleMessages, optInKeywords, optOutKeywords, helpKeywords, ...texts } = goodCampaign;
  return {
    ...owner,
    ...texts,
    ...{ provider: "simulated", providerCampaignId: null, campaignReference: null, subUseCases: "[]", vertical: null },
    sampleMessages: JSON.stringify(sampleMessages),
    optInKeywords: JSON.stringify(optInKeywords),
    optOutKeywords: JSON.stringify(optOutKeywords),
    helpKeywords: JSON.stringify(helpKeywords),
    ...{ privacyPolicyLink: null, termsAndConditionsLink: null, rawProviderPayload: null },
    ...{ status: "PENDING", reviewStatus: "TCR_PENDING", reviewFailureCode: null, reviewFailureReason: null },
    ...{ reviewStartedAt: now, createdAt: now, updatedAt: now },
  };
}

/** A number whose assignment has begun. */
export function newNumber({
  now,
  ...owner
}: Owned & { readonly campaignId: number; readonly phoneNumber: string }): Omit<NumberRow, "id"> {
  return {
    ...owner,
    ...{ provider: "simulated", providerNumberId: null, numberType: null, countryCode: "US", capabilities: '["SMS"]' },
    ...{ status: "ACTIVE", assignmentStatus: "PENDING_ASSIGNMENT" },
    ...{ assignmentStartedAt: now, createdAt: now, updatedAt: now },
  };
}
