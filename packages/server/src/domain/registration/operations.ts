// Operations on 10DLC registration, and the one that reports a merchant's progress.

import type { Transaction } from "../../store/store.ts";
import type { OperationContext } from "../context.ts";
import type { Handlers, OperationResult } from "../handler.ts";
import { findMerchant } from "../merchants/rows.ts";
import { merchantNotFound, requireMerchant } from "../tenancy/access.ts";
import { brandHandlers, viewBrand } from "./brand-operations.ts";
import { type CampaignView, campaignHandlers, viewCampaign } from "./campaign-operations.ts";
import { numberHandlers, viewNumber } from "./number-operations.ts";
import { readCapabilities } from "./progress.ts";
import {
  findShownCampaign,
  listBrands,
  listCampaignStates,
  listCampaigns,
  listNumbers,
  measureCampaigns,
} from "./rows.ts";
import { type CampaignState, findBlockingReason } from "./rules.ts";

/** Campaign texts handled in one turn of the event loop: about 3 ms of work. Most merchants have less. */
const LARGEST_AT_ONCE_BYTES = 65_536;

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
    async read(context, { path: { merchantId } }) {
      const campaigns = await listCampaigns(context.tx, context.caller.tenantId, merchantId);
      return { ...(await readStatus(context, merchantId, campaigns)), campaigns: campaigns.map(viewCampaign) };
    },
    itemwise: {
      member: "campaigns",
      async isNeeded({ tx, caller }, { path: { merchantId } }) {
        return (await measureCampaigns(tx, caller.tenantId, merchantId)) > LARGEST_AT_ONCE_BYTES;
      },
      async read(context, { path: { merchantId } }) {
        const { tx, caller } = context;
        const states = await listCampaignStates(tx, caller.tenantId, merchantId);
        const frame = await readStatus(context, merchantId, states);
        return { frame, ids: states.map(({ id }) => id), readItem: (id) => readCampaign(tx, id) };
      },
    },
  },
};

/** Reads the registration status. Needs only the campaigns' states, and returns no campaigns. */
async function readStatus(
  { tx, caller }: OperationContext,
  merchantId: string,
  campaigns: readonly CampaignState[],
): Promise<OperationResult<"getRegistrationStatus">> {
  const merchant = await findMerchant(tx, caller.tenantId, merchantId);
  if (merchant === undefined) throw merchantNotFound(merchantId);
  const brands = await listBrands(tx, caller.tenantId, merchantId);
  const numbers = await listNumbers(tx, caller.tenantId, merchantId);
  const registration = { brands, campaigns, numbers: numbers.map(readCapabilities) };
  const blockingReason = findBlockingReason({ ...registration, isActive: merchant.active === 1 }) ?? null;
  return {
    merchantId,
    readyToSend: blockingReason === null,
    blockingReason,
    brands: brands.map(viewBrand),
    campaigns: [],
    numbers: numbers.map(viewNumber),
  };
}

async function readCampaign(tx: Transaction, campaignId: number): Promise<CampaignView> {
  const campaign = await findShownCampaign(tx, campaignId);
  if (campaign === undefined) throw new Error("a campaign is missing from the snapshot that lists it");
  return viewCampaign(campaign);
}
