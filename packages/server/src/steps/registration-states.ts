import type { Registration } from "../rules/readiness.ts";
import { listBrandStates } from "../store/brands.ts";
import { listCampaignStates } from "../store/campaigns.ts";
import { listNumberStates } from "../store/numbers.ts";
import type { Transaction } from "../store/store.ts";
import { readTextList } from "../store/text-lists.ts";

/** The states of everything a merchant has registered, and nothing else: it is read before each SMS. */
export async function readRegistration(tx: Transaction, tenantId: number, merchantId: string): Promise<Registration> {
  return {
    brands: await listBrandStates(tx, tenantId, merchantId),
    campaigns: await listCampaignStates(tx, tenantId, merchantId),
    numbers: (await listNumberStates(tx, tenantId, merchantId)).map(readCapabilities),
  };
}

/** The row, with its capabilities as a list. */
export function readCapabilities<Row extends { readonly capabilities: string }>(row: Row) {
  return { ...row, capabilities: readTextList(row.capabilities) };
}
