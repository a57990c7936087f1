// Stores brands, campaigns and numbers. Their rows have many columns and are written whole. All statements of a table are
// generated from a list of its columns.

import type { Schemas } from "@msgctl/contract";
import { drawId, newIdSql } from "../../store/statement.ts";
import { findCount, type SqlValue, type Transaction } from "../../store/store.ts";

const ofMerchant = "WHERE tenant_id = $1 AND merchant_id = $2";

/** The statements of one table. */
export interface RecordTable<Row extends object> {
  /** `SELECT … FROM table`. Append a WHERE clause. */
  readonly select: string;
  /** Select only some members, or all members except some, because a whole row may be large. */
  selectOnly(...members: readonly (keyof Row)[]): string;
  selectAllBut(...members: readonly (keyof Row)[]): string;
  /** Adds a row and returns its new id, which is derived from `now`, in epoch milliseconds. */
  insert(tx: Transaction, row: Omit<Row, "id">, now: number): Promise<number>;
  /** Writes every column of the row with this id. */
  update(tx: Transaction, row: Row): Promise<void>;
}

type Columns<Row extends object> = { readonly [Member in Exclude<keyof Row, "id">]: string };

/** Makes a table's statements. `columns` maps each member of a row to its column; `idColumn` is that of `id`. */
function describeRecords<Row extends { readonly id: number } & { readonly [M in keyof Row]: SqlValue }>(
  table: string,
  idColumn: string,
  columns: Columns<Row>,
): RecordTable<Row> {
  const pairs = Object.entries<string>(columns) as [Exclude<keyof Row, "id">, string][];
  const names = pairs.map(([, column]) => column);
  const selected = [["id", idColumn] as const, ...pairs];
  const selectWhere = (isWanted: (member: keyof Row) => boolean) => {
    const wanted = selected.filter(([member]) => isWanted(member));
    return `SELECT ${wanted.map(([member, column]) => `${column} AS "${String(member)}"`).join(", ")} FROM ${table}`;
  };
  const newId = newIdSql(table, idColumn, `$${names.length + 1}`);
  const insert = `INSERT INTO ${table} (${names.join(", ")}, ${idColumn})
    VALUES (${names.map((_, index) => `$${index + 1}`).join(", ")}, ${newId}) RETURNING ${idColumn} AS id`;
  const assigned = names.map((column, index) => `${column} = $${index + 1}`);
  const update = `UPDATE ${table} SET ${assigned.join(", ")} WHERE ${idColumn} = $${names.length + 1}`;

  return {
    select: selectWhere(() => true),
    selectOnly: (...members) => selectWhere((member) => members.includes(member)),
    selectAllBut: (...members) => selectWhere((member) => !members.includes(member)),
    async insert(tx, row, now) {
      const values: SqlValue[] = pairs.map(([member]) => row[member as keyof Omit<Row, "id">] as SqlValue);
      const added = await tx.get<{ id: number }>(insert, ...values, drawId(tx.randomness, now));
      if (added === undefined) throw new Error(`a new row of ${table} came back without its id`);
      return added.id;
    },
    async update(tx, row) {
      const values: SqlValue[] = pairs.map(([member]) => row[member] as SqlValue);
      await tx.run(update, ...values, row.id);
    },
  };
}

export interface BrandRow {
  readonly id: number;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly provider: string;
  readonly providerBrandId: string | null;
  readonly externalBrandRef: string | null;
  readonly legalBusinessName: string;
  /** The legal name in the form that is compared: see `foldBusinessName`. */
  readonly foldedName: string;
  readonly businessType: string | null;
  readonly websiteUrl: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
  readonly contactFirstName: string | null;
  readonly contactLastName: string | null;
  readonly contactEmail: string | null;
  readonly contactPhone: string | null;
  readonly status: Schemas["BrandStatus"];
  readonly verificationStatus: Schemas["BrandVerificationStatus"];
  /** Whether a caller set the verification; then reviews do not change it. */
  readonly isVerificationGiven: 0 | 1;
  readonly rawProviderPayload: string | null;
  /** Start of the current or last simulated review; null if a caller set the status. */
  readonly reviewStartedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const brands = describeRecords<BrandRow>("brands", "brand_id", {
  tenantId: "tenant_id",
  merchantId: "merchant_id",
  provider: "provider",
  providerBrandId: "provider_brand_id",
  externalBrandRef: "external_brand_ref",
  legalBusinessName: "legal_business_name",
  foldedName: "folded_name",
  businessType: "business_type",
  websiteUrl: "website_url",
  street: "street",
  city: "city",
  state: "state",
  postalCode: "postal_code",
  country: "country",
  contactFirstName: "contact_first_name",
  contactLastName: "contact_last_name",
  contactEmail: "contact_email",
  contactPhone: "contact_phone",
  status: "status",
  verificationStatus: "verification_status",
  isVerificationGiven: "is_verification_given",
  rawProviderPayload: "raw_provider_payload",
  reviewStartedAt: "review_started_at",
  createdAt: "created_at",
  updatedAt: "updated_at",
});

const listBrandsStatement = `${brands.selectAllBut("rawProviderPayload")} ${ofMerchant} ORDER BY brand_id DESC`;
const knownStatement = `${brands.selectOnly("id", "provider", "providerBrandId", "externalBrandRef", "foldedName", "status")}
  ${ofMerchant} ORDER BY brand_id DESC`;
const listBrandStatesStatement = `${brands.selectOnly("id", "status", "verificationStatus")} ${ofMerchant}`;

/** Adds a brand and returns its id. */
export const insertBrand = brands.insert;
/** Saves all columns of a brand. */
export const updateBrand = brands.update;

/** A brand without the columns that are never shown. */
export type ShownBrandRow = Omit<BrandRow, "rawProviderPayload">;

/** Lists the merchant's brands, newest first. */
export function listBrands(tx: Transaction, tenantId: number, merchantId: string): Promise<ShownBrandRow[]> {
  return tx.all<ShownBrandRow>(listBrandsStatement, tenantId, merchantId);
}

/** The fields that identify a brand, in requests for brands and campaigns. */
export type KnownBrandRow = Pick<
  BrandRow,
  "id" | "provider" | "providerBrandId" | "externalBrandRef" | "foldedName" | "status"
>;

/** Lists the identifying fields of the merchant's brands, newest first. */
export function listKnownBrands(tx: Transaction, tenantId: number, merchantId: string): Promise<KnownBrandRow[]> {
  return tx.all<KnownBrandRow>(knownStatement, tenantId, merchantId);
}

/** Lists the states of the merchant's brands. */
export function listBrandStates(
  tx: Transaction,
  tenantId: number,
  merchantId: string,
): Promise<Pick<BrandRow, "id" | "status" | "verificationStatus">[]> {
  return tx.all(listBrandStatesStatement, tenantId, merchantId);
}

/** Finds a brand of any tenant. Locks it for update. */
export function findBrand(tx: Transaction, brandId: number): Promise<BrandRow | undefined> {
  return tx.get<BrandRow>(`${brands.select} WHERE brand_id = $1 FOR UPDATE`, brandId);
}

/** A campaign. Lists are stored as JSON texts. */
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
  /** Start of the current or last simulated review; null if a caller set the status. */
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

const listCampaignsStatement = `${campaigns.selectAllBut("rawProviderPayload")} ${ofMerchant} ORDER BY campaign_id DESC`;
const shownStatement = `${campaigns.selectAllBut("rawProviderPayload")} WHERE campaign_id = $1`;
/** Adds up text lengths without reading the texts: engines store the length apart from the text. */
const sizeStatement = `SELECT SUM(${longTexts.map((column) => `COALESCE(octet_length(${column}), 0)`).join(" + ")}) AS bytes
  FROM campaigns ${ofMerchant}`;
const listCampaignStatesStatement = `${campaigns.selectOnly("id", "brandId", "status")} ${ofMerchant} ORDER BY campaign_id DESC`;
const wordsStatement = `${campaigns.selectOnly("id", "status", "optInKeywords", "optOutKeywords", "helpKeywords")}
  ${ofMerchant} ORDER BY campaign_id DESC`;
const messagesStatement = `${campaigns.selectOnly("optInMessage", "optOutMessage", "helpMessage")} WHERE campaign_id = $1`;

/** Adds a campaign and returns its id. */
export const insertCampaign = campaigns.insert;
/** Saves all columns of a campaign. */
export const updateCampaign = campaigns.update;

/** A campaign without the columns that are never shown. */
export type ShownCampaignRow = Omit<CampaignRow, "rawProviderPayload">;

/** Lists the merchant's campaigns, newest first. */
export function listCampaigns(tx: Transaction, tenantId: number, merchantId: string): Promise<ShownCampaignRow[]> {
  return tx.all<ShownCampaignRow>(listCampaignsStatement, tenantId, merchantId);
}

/** Finds a campaign of any tenant, without the columns that are never shown. */
export function findShownCampaign(tx: Transaction, campaignId: number): Promise<ShownCampaignRow | undefined> {
  return tx.get<ShownCampaignRow>(shownStatement, campaignId);
}

/** Adds up the bytes of the merchant's campaign texts, without reading the texts. */
export function measureCampaigns(tx: Transaction, tenantId: number, merchantId: string): Promise<number> {
  return findCount(tx, sizeStatement, tenantId, merchantId);
}

/** Counts the merchant's campaigns. */
export function countCampaigns(tx: Transaction, tenantId: number, merchantId: string): Promise<number> {
  return findCount(tx, `SELECT COUNT(*) AS count FROM campaigns ${ofMerchant}`, tenantId, merchantId);
}

/** Lists the states of the merchant's campaigns, newest first. */
export function listCampaignStates(
  tx: Transaction,
  tenantId: number,
  merchantId: string,
): Promise<Pick<CampaignRow, "id" | "brandId" | "status">[]> {
  return tx.all(listCampaignStatesStatement, tenantId, merchantId);
}

/** The keywords that recipients may reply with, as JSON lists. */
export type CampaignWordsRow = Pick<CampaignRow, "id" | "status" | "optInKeywords" | "optOutKeywords" | "helpKeywords">;

/** Lists the keywords of the merchant's campaigns, newest first. */
export function listCampaignWords(tx: Transaction, tenantId: number, merchantId: string): Promise<CampaignWordsRow[]> {
  return tx.all<CampaignWordsRow>(wordsStatement, tenantId, merchantId);
}

/** Finds the campaign's replies to its keywords. */
export function findCampaignMessages(
  tx: Transaction,
  campaignId: number,
): Promise<Pick<CampaignRow, "optInMessage" | "optOutMessage" | "helpMessage"> | undefined> {
  return tx.get(messagesStatement, campaignId);
}

/** Finds a campaign of any tenant. Locks it for update. */
export function findCampaign(tx: Transaction, campaignId: number): Promise<CampaignRow | undefined> {
  return tx.get<CampaignRow>(`${campaigns.select} WHERE campaign_id = $1 FOR UPDATE`, campaignId);
}

/** Finds the merchant's newest campaign with this provider's id. Locks it for update. */
export function findCampaignByProvider(
  tx: Transaction,
  { tenantId, merchantId }: { tenantId: number; merchantId: string },
  { provider, providerCampaignId }: { provider: string; providerCampaignId: string },
): Promise<CampaignRow | undefined> {
  return tx.get<CampaignRow>(
    `${campaigns.select} ${ofMerchant} AND provider = $3 AND provider_campaign_id = $4
  ORDER BY campaign_id DESC LIMIT 1 FOR UPDATE`,
    tenantId,
    merchantId,
    provider,
    providerCampaignId,
  );
}

/** Finds the merchant's only campaign with this reference. Locks it for update. */
export function findCampaignByReference(
  tx: Transaction,
  { tenantId, merchantId }: { tenantId: number; merchantId: string },
  reference: string,
): Promise<CampaignRow | undefined> {
  return tx.get<CampaignRow>(
    `${campaigns.select} ${ofMerchant} AND merchant_reference = $3 FOR UPDATE`,
    tenantId,
    merchantId,
    reference,
  );
}

export interface NumberRow {
  readonly id: number;
  readonly tenantId: number;
  readonly merchantId: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly provider: string;
  readonly providerNumberId: string | null;
  readonly numberType: string | null;
  readonly countryCode: string | null;
  /** A JSON list. */
  readonly capabilities: string;
  readonly status: Schemas["NumberStatus"];
  readonly assignmentStatus: Schemas["NumberAssignmentStatus"];
  readonly campaignId: number | null;
  /** Start of the current simulated assignment; null if it has ended or a caller set the status. */
  readonly assignmentStartedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const numbers = describeRecords<NumberRow>("numbers", "number_id", {
  tenantId: "tenant_id",
  merchantId: "merchant_id",
  phoneNumber: "phone_number",
  provider: "provider",
  providerNumberId: "provider_number_id",
  numberType: "number_type",
  countryCode: "country_code",
  capabilities: "capabilities",
  status: "status",
  assignmentStatus: "assignment_status",
  campaignId: "campaign_id",
  assignmentStartedAt: "assignment_started_at",
  createdAt: "created_at",
  updatedAt: "updated_at",
});

/** Adds a number and returns its id. */
export const insertNumber = numbers.insert;
/** Saves all columns of a number. */
export const updateNumber = numbers.update;

/** Lists the merchant's numbers, newest first. */
export function listNumbers(tx: Transaction, tenantId: number, merchantId: string): Promise<NumberRow[]> {
  return tx.all<NumberRow>(`${numbers.select} ${ofMerchant} ORDER BY number_id DESC`, tenantId, merchantId);
}

/** Counts the merchant's numbers. */
export function countNumbers(tx: Transaction, tenantId: number, merchantId: string): Promise<number> {
  return findCount(tx, `SELECT COUNT(*) AS count FROM numbers ${ofMerchant}`, tenantId, merchantId);
}

/** Lists the distinct states of the merchant's numbers. `capabilities` is a JSON list. */
export function listNumberStates(
  tx: Transaction,
  tenantId: number,
  merchantId: string,
): Promise<Pick<NumberRow, "campaignId" | "status" | "assignmentStatus" | "capabilities">[]> {
  return tx.all(
    `SELECT DISTINCT campaign_id AS "campaignId", status, assignment_status AS "assignmentStatus",
  capabilities FROM numbers ${ofMerchant}`,
    tenantId,
    merchantId,
  );
}

/** Finds a number of any tenant. Locks it for update. */
export function findNumber(tx: Transaction, numberId: number): Promise<NumberRow | undefined> {
  return tx.get<NumberRow>(`${numbers.select} WHERE number_id = $1 FOR UPDATE`, numberId);
}

/** Finds the tenant's row of an E.164 number, whichever merchant has it. Locks it for update. */
export function findNumberByPhone(
  tx: Transaction,
  tenantId: number,
  phoneNumber: string,
): Promise<NumberRow | undefined> {
  return tx.get<NumberRow>(
    `${numbers.select} WHERE tenant_id = $1 AND phone_number = $2 FOR UPDATE`,
    tenantId,
    phoneNumber,
  );
}

/** Lists all numbers with this campaign, in any assignment status. */
export function listCampaignNumbers(tx: Transaction, campaignId: number): Promise<NumberRow[]> {
  return tx.all<NumberRow>(`${numbers.select} WHERE campaign_id = $1`, campaignId);
}

/** Parses a list of texts stored in one column. */
export function readTextList(json: string): string[] {
  return JSON.parse(json) as string[];
}
