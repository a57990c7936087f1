import type { BrandRow } from "./brands.ts";
import type { CampaignRow } from "./campaigns.ts";
import type { NumberRow } from "./numbers.ts";
import type { Transaction } from "./store.ts";
import { openOf } from "./waiting.ts";

interface WaitingRow {
  readonly id: number;
  readonly tenantId: number;
  readonly merchantId: string;
  /** Since when it waits, in epoch milliseconds. */
  readonly since: number;
}

type WaitingBrand = WaitingRow & { readonly kind: "brand" } & Pick<
    BrandRow,
    "legalBusinessName" | "businessType" | "country" | "provider" | "providerBrandId" | "externalBrandRef" | "status"
  >;

type WaitingCampaign = WaitingRow & { readonly kind: "campaign" } & Pick<
    CampaignRow,
    "useCase" | "brandId" | "provider" | "providerCampaignId" | "campaignReference" | "reviewStatus"
  > & { readonly legalBusinessName: string /** How it begins. */; readonly description: string };

type WaitingNumber = WaitingRow & { readonly kind: "number" } & Pick<
    NumberRow,
    "phoneNumber" | "provider" | "providerNumberId" | "campaignId" | "assignmentStatus"
  >;

export type WaitingRegistration = WaitingBrand | WaitingCampaign | WaitingNumber;

interface Asked {
  readonly tenantId: number | undefined;
  readonly limit: number;
}

/** The brands, campaigns and numbers of live tenants, or of one of them, that wait for a decision, the oldest first. */
export async function listWaitingRegistrations(tx: Transaction, asked: Asked): Promise<WaitingRegistration[]> {
  const brands = await list<Omit<WaitingBrand, "kind">>(
    tx,
    asked,
    `SELECT o.brand_id AS id, o.tenant_id AS "tenantId", o.merchant_id AS "merchantId", o.review_started_at AS since,
            o.legal_business_name AS "legalBusinessName", o.business_type AS "businessType", o.country, o.provider,
            o.provider_brand_id AS "providerBrandId", o.external_brand_ref AS "externalBrandRef", o.status
       FROM (SELECT * FROM brands WHERE ${openOf("brands")}) o`,
  );
  const campaigns = await list<Omit<WaitingCampaign, "kind">>(
    tx,
    asked,
    `SELECT o.campaign_id AS id, o.tenant_id AS "tenantId", o.merchant_id AS "merchantId", o.review_started_at AS since,
            o.use_case AS "useCase", substr(o.description, 1, 200) AS description, o.brand_id AS "brandId",
            b.legal_business_name AS "legalBusinessName", o.provider, o.provider_campaign_id AS "providerCampaignId",
            o.merchant_reference AS "campaignReference", o.review_status AS "reviewStatus"
       FROM (SELECT * FROM campaigns WHERE ${openOf("campaigns")}) o JOIN brands b ON b.brand_id = o.brand_id`,
  );
  const numbers = await list<Omit<WaitingNumber, "kind">>(
    tx,
    asked,
    `SELECT o.number_id AS id, o.tenant_id AS "tenantId", o.merchant_id AS "merchantId",
            o.assignment_started_at AS since, o.phone_number AS "phoneNumber", o.provider,
            o.provider_number_id AS "providerNumberId", o.campaign_id AS "campaignId",
            o.assignment_status AS "assignmentStatus"
       FROM (SELECT * FROM numbers WHERE ${openOf("numbers")}) o`,
  );
  const all: WaitingRegistration[] = [
    ...brands.map((brand) => ({ kind: "brand", ...brand }) as const),
    ...campaigns.map((campaign) => ({ kind: "campaign", ...campaign }) as const),
    ...numbers.map((number) => ({ kind: "number", ...number }) as const),
  ];
  return all.sort((one, other) => one.since - other.since).slice(0, asked.limit);
}

function list<Row extends WaitingRow>(tx: Transaction, { tenantId, limit }: Asked, select: string): Promise<Row[]> {
  const ofTenant = tenantId === undefined ? "" : "AND o.tenant_id = $2";
  return tx.all<Row>(
    `${select} JOIN tenants t ON t.tenant_id = o.tenant_id WHERE t.mode = 'live' ${ofTenant} ORDER BY since, id LIMIT $1`,
    limit,
    ...(tenantId === undefined ? [] : [tenantId]),
  );
}
