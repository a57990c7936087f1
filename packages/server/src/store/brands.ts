import type { Schemas } from "@msgctl/contract";
import { describeRecords } from "./record-statements.ts";
import type { Transaction } from "./store.ts";

export interface BrandRow {
  readonly id: number;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly provider: string;
  readonly providerBrandId: string | null;
  readonly externalBrandRef: string | null;
  readonly legalBusinessName: string;
  /** The part of the legal name that tells one business from another. */
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
  /** Whether a caller set the verification, so that reviews leave it alone. */
  readonly isVerificationGiven: 0 | 1;
  readonly rawProviderPayload: string | null;
  /** When the current or last simulated review began; null if the status is a caller's. */
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

const ofMerchant = "WHERE tenant_id = $1 AND merchant_id = $2";
const listStatement = `${brands.selectAllBut("rawProviderPayload")} ${ofMerchant} ORDER BY brand_id DESC`;
const knownStatement = `${brands.selectOnly("id", "provider", "providerBrandId", "externalBrandRef", "foldedName", "status")}
  ${ofMerchant} ORDER BY brand_id DESC`;
const statesStatement = `${brands.selectOnly("id", "status", "verificationStatus")} ${ofMerchant}`;
const findStatement = `${brands.select} WHERE brand_id = $1 FOR UPDATE`;

/** Adds a brand and returns its id. */
export const insertBrand = brands.insert;
/** Writes a whole brand. */
export const updateBrand = brands.update;

/** A brand without the columns that are never shown. */
export type ShownBrandRow = Omit<BrandRow, "rawProviderPayload">;

/** The merchant's brands, newest first. */
export function listBrands(tx: Transaction, tenantId: number, merchantId: string): Promise<ShownBrandRow[]> {
  return tx.all<ShownBrandRow>(listStatement, tenantId, merchantId);
}

/** What distinguishes the merchant's brands, and decides which one a campaign belongs to. */
export type KnownBrandRow = Pick<
  BrandRow,
  "id" | "provider" | "providerBrandId" | "externalBrandRef" | "foldedName" | "status"
>;

/** The merchant's brands, newest first, with what distinguishes them. */
export function listKnownBrands(tx: Transaction, tenantId: number, merchantId: string): Promise<KnownBrandRow[]> {
  return tx.all<KnownBrandRow>(knownStatement, tenantId, merchantId);
}

/** The states of the merchant's brands. */
export function listBrandStates(
  tx: Transaction,
  tenantId: number,
  merchantId: string,
): Promise<Pick<BrandRow, "id" | "status" | "verificationStatus">[]> {
  return tx.all(statesStatement, tenantId, merchantId);
}

/** The brand, of any tenant. Held for update. */
export function findBrand(tx: Transaction, brandId: number): Promise<BrandRow | undefined> {
  return tx.get<BrandRow>(findStatement, brandId);
}
