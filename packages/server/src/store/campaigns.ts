import type { Schemas } from "@msgctl/contract";
import { describeRecords } from "./record-statements.ts";
import type { Transaction } from "./store.ts";

/** Lists are JSON texts. */
export interface CampaignRow {
  readonly id: number;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly brandId: number;
  readonly provider: string;
  readonly providerCampaignId: string | null;
  readonly campaignReference: string | null;
  readonly useCase: string;
  readonly subUseCases: string;
  readonly vertical: string | null;
  readonly description: string;
  readonly messageFlow: string;
  readonly sampleMessages: string;
  readonly optInKeywords: string;
  readonly optOutKeywords: string;
  readonly helpKeywords: string;
  readonly optInMessage: string;
  readonly optOutMessage: string;
  readonly helpMessage: string;
  readonly privacyPolicyLink: string | null;
  readonly termsAndConditionsLink: string | null;
  readonly status: Schemas["CampaignStatus"];
  readonly reviewStatus: Schemas["CampaignReviewStatus"];
  readonly reviewFailureCode: string | null;
  readonly reviewFailureReason: string | null;
  readonly rawProviderPayload: string | null;
  /** When the simulated review began that moves it, or that moved it last; null where a caller's status rules. */
  readonly reviewStartedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const campaigns = describeRecords<CampaignRow>("campaigns", "campaign_id", {
  tenantId: "tenant_id",
  merchantId: "merchant_id",
  brandId: "brand_id",
  provider: "provider",
  providerCampaignId: "provider_campaign_id",
  campaignReference: "campaign_reference",
  useCase: "use_case",
  subUseCases: "sub_use_cases",
  vertical: "vertical",
  description: "description",
  messageFlow: "message_flow",
  sampleMessages: "sample_messages",
  optInKeywords: "opt_in_keywords",
  optOutKeywords: "opt_out_keywords",
  helpKeywords: "help_keywords",
  optInMessage: "opt_in_message",
  optOutMessage: "opt_out_message",
  helpMessage: "help_message",
  privacyPolicyLink: "privacy_policy_link",
  termsAndConditionsLink: "terms_and_conditions_link",
  status: "status",
  reviewStatus: "review_status",
  reviewFailureCode: "review_failure_code",
  reviewFailureReason: "review_failure_reason",
  rawProviderPayload: "raw_provider_payload",
  reviewStartedAt: "review_started_at",
  createdAt: "created_at",
  updatedAt: "updated_at",
});

const listStatement = `${campaigns.select} WHERE tenant_id = $1 AND merchant_id = $2 ORDER BY campaign_id DESC`;
const findStatement = `${campaigns.select} WHERE campaign_id = $1 FOR UPDATE`;
const referenceStatement = `${campaigns.select} WHERE tenant_id = $1 AND campaign_reference = $2`;

/** Adds a campaign and returns its id. */
export const insertCampaign = campaigns.insert;
/** Writes all of a campaign. */
export const updateCampaign = campaigns.update;

/** The merchant's campaigns, newest first. */
export function listCampaigns(tx: Transaction, tenantId: number, merchantId: string): Promise<CampaignRow[]> {
  return tx.all<CampaignRow>(listStatement, tenantId, merchantId);
}

/** The campaign, whoever's it is. Held for update. */
export function findCampaign(tx: Transaction, campaignId: number): Promise<CampaignRow | undefined> {
  return tx.get<CampaignRow>(findStatement, campaignId);
}

/** The tenant's one campaign with this reference, whichever merchant has it. */
export function findCampaignByReference(
  tx: Transaction,
  tenantId: number,
  reference: string,
): Promise<CampaignRow | undefined> {
  return tx.get<CampaignRow>(referenceStatement, tenantId, reference);
}
