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
  /** When the current or last simulated review began; null if the status is a caller's. */
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
  campaignReference: "merchant_reference",
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

/** Columns that may exceed a few hundred bytes. */
const longTexts = [
  "description",
  "message_flow",
  "sample_messages",
  "opt_in_keywords",
  "opt_out_keywords",
  "help_keywords",
  "opt_in_message",
  "opt_out_message",
  "help_message",
  "privacy_policy_link",
  "terms_and_conditions_link",
  "review_failure_reason",
];

const ofMerchant = "WHERE tenant_id = $1 AND merchant_id = $2";
const listStatement = `${campaigns.selectAllBut("rawProviderPayload")} ${ofMerchant} ORDER BY campaign_id DESC`;
const shownStatement = `${campaigns.selectAllBut("rawProviderPayload")} WHERE campaign_id = $1`;
/** A text's length is stored at the start of the row, so the text itself is not read. */
const sizeStatement = `SELECT SUM(${longTexts.map((column) => `COALESCE(octet_length(${column}), 0)`).join(" + ")}) AS bytes
  FROM campaigns ${ofMerchant}`;
const countStatement = `SELECT COUNT(*) AS count FROM campaigns ${ofMerchant}`;
const statesStatement = `${campaigns.selectOnly("id", "brandId", "status")} ${ofMerchant} ORDER BY campaign_id DESC`;
const wordsStatement = `${campaigns.selectOnly("id", "status", "optInKeywords", "optOutKeywords", "helpKeywords")}
  ${ofMerchant} ORDER BY campaign_id DESC`;
const findStatement = `${campaigns.select} WHERE campaign_id = $1 FOR UPDATE`;
const messagesStatement = `${campaigns.selectOnly("optInMessage", "optOutMessage", "helpMessage")} WHERE campaign_id = $1`;
const providerStatement = `${campaigns.select} ${ofMerchant} AND provider = $3 AND provider_campaign_id = $4
  ORDER BY campaign_id DESC LIMIT 1 FOR UPDATE`;
const referenceStatement = `${campaigns.select} ${ofMerchant} AND merchant_reference = $3 FOR UPDATE`;

/** Adds a campaign and returns its id. */
export const insertCampaign = campaigns.insert;
/** Writes a whole campaign. */
export const updateCampaign = campaigns.update;

/** A campaign without the columns that are never shown. */
export type ShownCampaignRow = Omit<CampaignRow, "rawProviderPayload">;

/** The merchant's campaigns, newest first. */
export function listCampaigns(tx: Transaction, tenantId: number, merchantId: string): Promise<ShownCampaignRow[]> {
  return tx.all<ShownCampaignRow>(listStatement, tenantId, merchantId);
}

/** The campaign, of any tenant, without the columns that are never shown. */
export function findShownCampaign(tx: Transaction, campaignId: number): Promise<ShownCampaignRow | undefined> {
  return tx.get<ShownCampaignRow>(shownStatement, campaignId);
}

/** The total bytes of the texts of the merchant's campaigns, without reading them. */
export async function measureCampaigns(tx: Transaction, tenantId: number, merchantId: string): Promise<number> {
  const row = await tx.get<{ bytes: number | null }>(sizeStatement, tenantId, merchantId);
  return row?.bytes ?? 0;
}

/** How many campaigns the merchant has. */
export async function countCampaigns(tx: Transaction, tenantId: number, merchantId: string): Promise<number> {
  const row = await tx.get<{ count: number }>(countStatement, tenantId, merchantId);
  return row?.count ?? 0;
}

/** The states of the merchant's campaigns, newest first. */
export function listCampaignStates(
  tx: Transaction,
  tenantId: number,
  merchantId: string,
): Promise<Pick<CampaignRow, "id" | "brandId" | "status">[]> {
  return tx.all(statesStatement, tenantId, merchantId);
}

/** The words that recipients may reply with, each list a JSON text. */
export type CampaignWordsRow = Pick<CampaignRow, "id" | "status" | "optInKeywords" | "optOutKeywords" | "helpKeywords">;

/** The words of the merchant's campaigns, newest first. */
export function listCampaignWords(tx: Transaction, tenantId: number, merchantId: string): Promise<CampaignWordsRow[]> {
  return tx.all<CampaignWordsRow>(wordsStatement, tenantId, merchantId);
}

/** The campaign's replies to its words. */
export function findCampaignMessages(
  tx: Transaction,
  campaignId: number,
): Promise<Pick<CampaignRow, "optInMessage" | "optOutMessage" | "helpMessage"> | undefined> {
  return tx.get(messagesStatement, campaignId);
}

/** The campaign, of any tenant. Held for update. */
export function findCampaign(tx: Transaction, campaignId: number): Promise<CampaignRow | undefined> {
  return tx.get<CampaignRow>(findStatement, campaignId);
}

/** The merchant's newest campaign with the provider's own id. Held for update. */
export function findCampaignByProvider(
  tx: Transaction,
  { tenantId, merchantId }: { tenantId: number; merchantId: string },
  { provider, providerCampaignId }: { provider: string; providerCampaignId: string },
): Promise<CampaignRow | undefined> {
  return tx.get<CampaignRow>(providerStatement, tenantId, merchantId, provider, providerCampaignId);
}

/** The merchant's one campaign with this reference. Held for update. */
export function findCampaignByReference(
  tx: Transaction,
  { tenantId, merchantId }: { tenantId: number; merchantId: string },
  reference: string,
): Promise<CampaignRow | undefined> {
  return tx.get<CampaignRow>(referenceStatement, tenantId, merchantId, reference);
}
