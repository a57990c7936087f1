import type { Schemas } from "@msgctl/contract";
import { describeRecords } from "./record-statements.ts";
import type { Transaction } from "./store.ts";

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
  /** When the current simulated assignment began; null if the status is a caller's, or it has ended. */
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

const ofMerchant = "WHERE tenant_id = $1 AND merchant_id = $2";
const listStatement = `${numbers.select} ${ofMerchant} ORDER BY number_id DESC`;
const countStatement = `SELECT COUNT(*) AS count FROM numbers ${ofMerchant}`;
const statesStatement = `SELECT DISTINCT campaign_id AS "campaignId", status, assignment_status AS "assignmentStatus",
  capabilities FROM numbers ${ofMerchant}`;
const findStatement = `${numbers.select} WHERE number_id = $1 FOR UPDATE`;
const phoneStatement = `${numbers.select} WHERE tenant_id = $1 AND phone_number = $2 FOR UPDATE`;
const campaignStatement = `${numbers.select} WHERE campaign_id = $1`;

/** Adds a number and returns its id. */
export const insertNumber = numbers.insert;
/** Writes a whole number. */
export const updateNumber = numbers.update;

/** The merchant's numbers, newest first. */
export function listNumbers(tx: Transaction, tenantId: number, merchantId: string): Promise<NumberRow[]> {
  return tx.all<NumberRow>(listStatement, tenantId, merchantId);
}

/** How many numbers the merchant has. */
export async function countNumbers(tx: Transaction, tenantId: number, merchantId: string): Promise<number> {
  const row = await tx.get<{ count: number }>(countStatement, tenantId, merchantId);
  return row?.count ?? 0;
}

/** The distinct states of the merchant's numbers. `capabilities` is a JSON list. */
export function listNumberStates(
  tx: Transaction,
  tenantId: number,
  merchantId: string,
): Promise<Pick<NumberRow, "campaignId" | "status" | "assignmentStatus" | "capabilities">[]> {
  return tx.all(statesStatement, tenantId, merchantId);
}

/** The number, of any tenant. Held for update. */
export function findNumber(tx: Transaction, numberId: number): Promise<NumberRow | undefined> {
  return tx.get<NumberRow>(findStatement, numberId);
}

/** The tenant's row of an E.164 number, whichever merchant has it. Held for update. */
export function findNumberByPhone(
  tx: Transaction,
  tenantId: number,
  phoneNumber: string,
): Promise<NumberRow | undefined> {
  return tx.get<NumberRow>(phoneStatement, tenantId, phoneNumber);
}

/** Every number that names the campaign, in any assignment status. */
export function listCampaignNumbers(tx: Transaction, campaignId: number): Promise<NumberRow[]> {
  return tx.all<NumberRow>(campaignStatement, campaignId);
}
