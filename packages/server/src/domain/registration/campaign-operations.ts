// Registers a campaign: finds the existing one that a request means, merges changes, and decides whether a review begins.

import { defined } from "../../platform/defined.ts";
import type { OperationContext } from "../context.ts";
import type { Handlers, OperationInput, OperationResult } from "../handler.ts";
import { type FieldFault, Refusal, refuseFaults } from "../refusal.ts";
import { lockOwnMerchant, requireMerchant, tenantImports } from "../tenancy/access.ts";
import { findEdits, ownProvider, refuseEdits, requireRoom } from "./brand-operations.ts";
import { scheduleCampaignReview } from "./progress.ts";
import { beginCampaignReview, decidedStatus, openOfCampaign, reviewedOfCampaign } from "./reviews.ts";
import {
  type CampaignRow,
  countCampaigns,
  findCampaign,
  findCampaignByProvider,
  findCampaignByReference,
  insertCampaign,
  type KnownBrandRow,
  listCampaignNumbers,
  listKnownBrands,
  readTextList,
  type ShownCampaignRow,
  updateCampaign,
} from "./rows.ts";
import { countsAgainstLimit, numberLimit, subUseCaseRange } from "./rules.ts";

type CampaignRequest = OperationInput<"registerCampaign">["body"];
export type CampaignView = OperationResult<"registerCampaign">;

export const campaignHandlers: Handlers<"registerCampaign"> = {
  registerCampaign: {
    authorize(caller, { path, body }) {
      requireMerchant(caller, path.merchantId);
      tenantImports(caller, body, importedMembers);
    },
    schedules: true,
    findFaults: ({ body }) => findPartFaults(Object(body)),
    async write(context, { path, body }) {
      const { tx } = context;
      const merchantId = await lockOwnMerchant(context, path.merchantId);
      const known = await findKnown(context, merchantId, body);
      const subUseCases = body.subUseCases ?? (known === undefined ? [] : readTextList(known.subUseCases));
      const faults = [
        ...findPartFaults({ useCase: body.useCase, subUseCases }),
        ...(known === undefined ? [] : await findLimitFaults(context, known, body.useCase)),
      ];
      if (faults.length > 0) throw refuseFaults(faults);
      const campaign = known === undefined ? await add(context, merchantId, body) : change(context, known, body);
      if (known !== undefined) {
        await updateCampaign(tx, campaign);
        if (campaign.reviewStartedAt !== known.reviewStartedAt) await scheduleCampaignReview(tx, campaign);
      }
      return { result: viewCampaign(campaign), reference: { campaignId: campaign.id } };
    },
    async replay({ tx }, reference) {
      const campaign = await findCampaign(tx, Number(reference.campaignId));
      if (campaign === undefined) throw new Error("a registered campaign is gone");
      return viewCampaign(campaign);
    },
  },
};

/** Members that only the campaign's provider decides; only the tenant may import them. */
const importedMembers = ["status", "reviewStatus", "reviewFailureCode", "reviewFailureReason", "rawProviderPayload"];

/** Finds the campaign by the provider's id, else by the caller's reference, which is unique per merchant. */
async function findKnown(
  { tx, caller }: OperationContext,
  merchantId: string,
  { provider = ownProvider, providerCampaignId, campaignReference }: CampaignRequest,
): Promise<CampaignRow | undefined> {
  const owner = { tenantId: caller.tenantId, merchantId };
  const byProvider =
    providerCampaignId === undefined
      ? undefined
      : await findCampaignByProvider(tx, owner, { provider, providerCampaignId });
  if (campaignReference === undefined) return byProvider;
  const byReference = await findCampaignByReference(tx, owner, campaignReference);
  if (byReference === undefined) return byProvider;
  const isSame =
    byProvider === undefined
      ? providerCampaignId === undefined || byReference.providerCampaignId === null
      : byProvider.id === byReference.id;
  if (isSame) return byReference;
  const detail = `${campaignReference} is the reference of another campaign.`;
  throw new Refusal("campaign_reference_conflict", detail);
}

async function add(context: OperationContext, merchantId: string, body: CampaignRequest): Promise<CampaignRow> {
  const { tx, caller, now } = context;
  requireRoom("campaigns", await countCampaigns(tx, caller.tenantId, merchantId), merchantId);
  const brand = chooseBrand(await listKnownBrands(tx, caller.tenantId, merchantId));
  if (brand === undefined) {
    throw new Refusal("brand_not_found", `${merchantId} has no brand; a campaign belongs to one.`);
  }
  const blank: Blank = {
    tenantId: caller.tenantId,
    merchantId,
    brandId: brand.id,
    provider: ownProvider,
    providerCampaignId: null,
    campaignReference: null,
    subUseCases: "[]",
    vertical: null,
    privacyPolicyLink: null,
    termsAndConditionsLink: null,
    status: "PENDING",
    reviewStatus: "TCR_PENDING",
    reviewFailureCode: null,
    reviewFailureReason: null,
    rawProviderPayload: null,
    reviewStartedAt: now,
    createdAt: now,
    updatedAt: now,
  };
  const row = merge(blank, body, now);
  const campaign = { ...row, id: await insertCampaign(tx, row, now) };
  await scheduleCampaignReview(tx, campaign);
  return campaign;
}

/** Chooses the newest approved brand, else the newest brand. */
function chooseBrand(newestFirst: readonly KnownBrandRow[]): KnownBrandRow | undefined {
  return newestFirst.find(({ status }) => status === "APPROVED") ?? newestFirst[0];
}

/** Members that a request may omit. */
type Blank = Omit<
  CampaignRow,
  | "id"
  | "useCase"
  | "description"
  | "messageFlow"
  | "sampleMessages"
  | "optInKeywords"
  | "optOutKeywords"
  | "helpKeywords"
  | "optInMessage"
  | "optOutMessage"
  | "helpMessage"
>;

type Merged = Pick<CampaignRow, "status" | "reviewStatus" | "reviewStartedAt" | "subUseCases">;

/** Replaces old values by the request's. A status in the request ends the review; a review result decides the status. */
function merge<Row extends Merged>(before: Row, body: CampaignRequest, now: number) {
  const { sampleMessages, optInKeywords, optOutKeywords, helpKeywords, subUseCases, ...texts } = body;
  const decided = body.reviewStatus === undefined ? undefined : decidedStatus(body.reviewStatus);
  const isGiven = body.status !== undefined || body.reviewStatus !== undefined;
  return {
    ...before,
    ...defined(texts),
    status: body.status ?? decided ?? before.status,
    reviewStatus: body.reviewStatus ?? before.reviewStatus,
    reviewStartedAt: isGiven ? null : before.reviewStartedAt,
    sampleMessages: JSON.stringify(sampleMessages),
    optInKeywords: JSON.stringify(optInKeywords),
    optOutKeywords: JSON.stringify(optOutKeywords),
    helpKeywords: JSON.stringify(helpKeywords),
    subUseCases: subUseCases === undefined ? before.subUseCases : JSON.stringify(subUseCases),
    updatedAt: now,
  };
}

/** Changes a campaign. A FAILED one is reviewed again if its review ran here, or if its merchant edits reviewed fields. */
function change({ caller, now }: OperationContext, before: CampaignRow, body: CampaignRequest): CampaignRow {
  const after = merge(before, body, now);
  const edits = findEdits(caller, before, after, reviewedOfCampaign);
  const begun = beginCampaignReview(before);
  if (edits.length > 0 && begun === undefined) {
    const subject = `Campaign ${before.id} is ${before.status} (${before.reviewStatus})`;
    const instead = "another campaign, with a campaignReference of its own";
    throw refuseEdits(edits, { subject, open: openOfCampaign, instead });
  }
  const isCorrected = before.status === "FAILED" && (after.reviewStartedAt !== null || edits.length > 0);
  if (!isCorrected) return after;
  return {
    ...after,
    ...begun,
    reviewFailureCode: body.reviewFailureCode ?? null,
    reviewFailureReason: body.reviewFailureReason ?? null,
    reviewStartedAt: now,
  };
}

/** Checks the number of sub-use-cases. Ignores values of the wrong type, which the schema check reports. */
function findPartFaults({ useCase, subUseCases }: { useCase?: unknown; subUseCases?: unknown }): FieldFault[] {
  if (typeof useCase !== "string" || !Array.isArray(subUseCases)) return [];
  const { fewest, most } = subUseCaseRange(useCase);
  const count = new Set(subUseCases).size;
  if (count >= fewest && count <= most) return [];
  const allowed = most === 0 ? "none" : `${fewest} to ${most} different values`;
  const detail = `Expected ${allowed} for the use case ${useCase}; received ${count}.`;
  return [{ pointer: "/subUseCases", code: count < fewest ? "too_few" : "too_many", detail }];
}

/** A campaign cannot change to a use case that allows fewer numbers than the campaign has. */
async function findLimitFaults({ tx }: OperationContext, { id }: CampaignRow, useCase: string): Promise<FieldFault[]> {
  const limit = numberLimit(useCase);
  const numbers = await listCampaignNumbers(tx, id);
  const count = numbers.filter(({ assignmentStatus }) => countsAgainstLimit(assignmentStatus)).length;
  if (count <= limit) return [];
  const detail = `Expected a use case that allows ${count} numbers, as many as the campaign has; ${useCase} allows ${limit}.`;
  return [{ pointer: "/useCase", code: "not_allowed", detail }];
}

export function viewCampaign(campaign: ShownCampaignRow): CampaignView {
  return {
    merchantId: campaign.merchantId,
    provider: campaign.provider,
    providerCampaignId: campaign.providerCampaignId,
    campaignReference: campaign.campaignReference,
    useCase: campaign.useCase,
    vertical: campaign.vertical,
    description: campaign.description,
    messageFlow: campaign.messageFlow,
    optInMessage: campaign.optInMessage,
    optOutMessage: campaign.optOutMessage,
    helpMessage: campaign.helpMessage,
    privacyPolicyLink: campaign.privacyPolicyLink,
    termsAndConditionsLink: campaign.termsAndConditionsLink,
    status: campaign.status,
    reviewStatus: campaign.reviewStatus,
    reviewFailureCode: campaign.reviewFailureCode,
    reviewFailureReason: campaign.reviewFailureReason,
    id: campaign.id,
    brandId: campaign.brandId,
    sampleMessages: readTextList(campaign.sampleMessages),
    optInKeywords: readTextList(campaign.optInKeywords),
    optOutKeywords: readTextList(campaign.optOutKeywords),
    helpKeywords: readTextList(campaign.helpKeywords),
    subUseCases: readTextList(campaign.subUseCases),
    updatedAt: new Date(campaign.updatedAt).toISOString(),
  };
}
