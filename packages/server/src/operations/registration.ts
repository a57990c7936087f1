// How far a merchant's 10DLC registration is.

import { findBlockingReason, type Registration } from "../rules/readiness.ts";
import { listBrandStates, listBrands } from "../store/brands.ts";
import { listCampaignStates, listCampaigns } from "../store/campaigns.ts";
import { findMerchant } from "../store/merchants.ts";
import { listNumberStates, listNumbers } from "../store/numbers.ts";
import type { Transaction } from "../store/store.ts";
import { requireMerchant } from "./access.ts";
import { brandHandlers, viewBrand } from "./brands.ts";
import { campaignHandlers, readList, viewCampaign } from "./campaigns.ts";
import { merchantNotFound } from "./merchants.ts";
import { numberHandlers, viewNumber } from "./numbers.ts";
import type { Handlers } from "./operation.ts";

type RegistrationId =
  | "registerBrand"
  | "registerCampaign"
  | "registerNumber"
  | "assignNumber"
  | "getRegistrationStatus";

export const registrationHandlers: Handlers<RegistrationId> = {
  ...brandHandlers,
  ...campaignHandlers,
  ...numberHandlers,
  getRegistrationStatus: {
    authorize: (caller, { path }) => requireMerchant(caller, path.merchantId),
    async read({ tx, caller }, { path: { merchantId } }) {
      const merchant = await findMerchant(tx, caller.tenantId, merchantId);
      if (merchant === undefined) throw merchantNotFound(merchantId);
      const brands = await listBrands(tx, caller.tenantId, merchantId);
      const campaigns = await listCampaigns(tx, caller.tenantId, merchantId);
      const numbers = await listNumbers(tx, caller.tenantId, merchantId);
      const registration = { brands, campaigns, numbers: numbers.map(readCapabilities) };
      const blockingReason = findBlockingReason({ ...registration, isActive: merchant.active === 1 }) ?? null;
      return {
        merchantId,
        readyToSend: blockingReason === null,
        blockingReason,
        brands: brands.map(viewBrand),
        campaigns: campaigns.map(viewCampaign),
        numbers: numbers.map(viewNumber),
      };
    },
  },
};

/** How far all is that a merchant has registered, and no more of it: this is asked before each SMS. */
export async function readRegistration(tx: Transaction, tenantId: number, merchantId: string): Promise<Registration> {
  return {
    brands: await listBrandStates(tx, tenantId, merchantId),
    campaigns: await listCampaignStates(tx, tenantId, merchantId),
    numbers: (await listNumberStates(tx, tenantId, merchantId)).map(readCapabilities),
  };
}

function readCapabilities<Row extends { readonly capabilities: string }>(row: Row) {
  return { ...row, capabilities: readList(row.capabilities) };
}
