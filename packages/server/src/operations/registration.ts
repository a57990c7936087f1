// How far a merchant's 10DLC registration is.

import { findBlockingReason, type Registration } from "../rules/readiness.ts";
import { type BrandRow, listBrands } from "../store/brands.ts";
import { type CampaignRow, listCampaigns } from "../store/campaigns.ts";
import { findMerchant } from "../store/merchants.ts";
import { listNumbers, type NumberRow } from "../store/numbers.ts";
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
      const rows = await readRows(tx, caller.tenantId, merchantId);
      const blockingReason = findBlockingReason({ ...toRegistration(rows), isActive: merchant.active === 1 }) ?? null;
      return {
        merchantId,
        readyToSend: blockingReason === null,
        blockingReason,
        brands: rows.brands.map(viewBrand),
        campaigns: rows.campaigns.map(viewCampaign),
        numbers: rows.numbers.map(viewNumber),
      };
    },
  },
};

interface RegistrationRows {
  readonly brands: readonly BrandRow[];
  readonly campaigns: readonly CampaignRow[];
  readonly numbers: readonly NumberRow[];
}

/** All that a merchant has registered, as far as readiness asks for it. */
export async function readRegistration(tx: Transaction, tenantId: number, merchantId: string): Promise<Registration> {
  return toRegistration(await readRows(tx, tenantId, merchantId));
}

async function readRows(tx: Transaction, tenantId: number, merchantId: string): Promise<RegistrationRows> {
  return {
    brands: await listBrands(tx, tenantId, merchantId),
    campaigns: await listCampaigns(tx, tenantId, merchantId),
    numbers: await listNumbers(tx, tenantId, merchantId),
  };
}

function toRegistration({ brands, campaigns, numbers }: RegistrationRows): Registration {
  return {
    brands,
    campaigns,
    numbers: numbers.map((number) => ({ ...number, capabilities: readList(number.capabilities) })),
  };
}
