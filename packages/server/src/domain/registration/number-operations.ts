// Registers numbers and assigns them to campaigns.

import { defined } from "../../platform/defined.ts";
import type { OperationContext } from "../context.ts";
import type { Handlers, OperationInput, OperationResult, Reference } from "../handler.ts";
import { countryOfPhoneNumber } from "../phone-numbers.ts";
import { type FieldFault, Refusal } from "../refusal.ts";
import { lockOwnMerchant, requireMerchant, requirePhoneNumber, tenantImports } from "../tenancy/access.ts";
import { move } from "../transitions.ts";
import { ownProvider, requireRoom } from "./brand-operations.ts";
import { scheduleAssignment } from "./progress.ts";
import {
  type CampaignRow,
  countNumbers,
  findCampaign,
  findNumber,
  findNumberByPhone,
  insertNumber,
  listCampaignNumbers,
  type NumberRow,
  readTextList,
  updateNumber,
} from "./rows.ts";
import { countsAgainstLimit, findAssignmentObstacle, isAssignedTo, isCountry, numberLimit } from "./rules.ts";

type NumberRequest = OperationInput<"registerNumber">["body"];
export type NumberView = OperationResult<"registerNumber">;

export const numberHandlers: Handlers<"registerNumber" | "assignNumber"> = {
  registerNumber: {
    authorize(caller, { path, body }) {
      requireMerchant(caller, path.merchantId);
      tenantImports(caller, body, ["status", "assignmentStatus"]);
    },
    schedules: true,
    findFaults: ({ body }) => findFaults(Object(body)),
    async write(context, { path, body }) {
      const { tx, caller } = context;
      const merchantId = await lockOwnMerchant(context, path.merchantId);
      const phoneNumber = requirePhoneNumber(body.phoneNumber);
      const known = await findNumberByPhone(tx, caller.tenantId, phoneNumber);
      if (known !== undefined && known.merchantId !== merchantId) {
        // a number has one merchant, so the request must be refused; only the tenant's credential learns which merchant
        const whose = caller.merchantId === null ? `for merchant ${known.merchantId} of this tenant` : "already";
        throw new Refusal("number_already_registered", `${phoneNumber} is registered ${whose}.`);
      }
      if (known === undefined) {
        requireRoom("numbers", await countNumbers(tx, caller.tenantId, merchantId), merchantId);
      }
      const before = known ?? { id: 0, ...blank(context, merchantId, phoneNumber) };
      const row = await withCampaign(context, before, merge(before, body, context.now), body);
      return reply(await save(context, known, row));
    },
    replay: replayNumber,
  },

  assignNumber: {
    authorize: (caller, { path }) => requireMerchant(caller, path.merchantId),
    schedules: true,
    async write(context, { path, body }) {
      const merchantId = await lockOwnMerchant(context, path.merchantId);
      const number = await findNumber(context.tx, path.numberId);
      if (number === undefined || !belongsTo(number, context, merchantId)) {
        throw new Refusal("number_not_found", `${merchantId} has no number ${path.numberId}.`);
      }
      const campaign = await requireCampaign(context, merchantId, body.campaignId);
      if (isAssignedTo(number, campaign.id)) return reply(number);
      const assigned = beginAssignment({ ...number, updatedAt: context.now }, campaign, context.now);
      await requireBelowLimit(context, assigned, campaign);
      return reply(await save(context, number, assigned));
    },
    replay: replayNumber,
  },
};

function reply(number: NumberRow): { result: NumberView; reference: Reference } {
  return { result: viewNumber(number), reference: { numberId: number.id } };
}

async function replayNumber({ tx }: OperationContext, reference: Reference): Promise<NumberView> {
  const number = await findNumber(tx, Number(reference.numberId));
  if (number === undefined) throw new Error("a registered number is gone");
  return viewNumber(number);
}

function blank({ caller, now }: OperationContext, merchantId: string, phoneNumber: string): Omit<NumberRow, "id"> {
  return {
    tenantId: caller.tenantId,
    merchantId,
    phoneNumber,
    provider: ownProvider,
    providerNumberId: null,
    numberType: null,
    countryCode: countryOfPhoneNumber(phoneNumber) ?? null,
    capabilities: '["SMS"]',
    status: "ACTIVE",
    assignmentStatus: "UNASSIGNED",
    campaignId: null,
    assignmentStartedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Replaces old values by given ones, except the campaign. A given assignment status ends an assignment in progress.
 */
function merge(before: NumberRow, body: NumberRequest, now: number): NumberRow {
  const { capabilities, campaignId: _campaignId, phoneNumber: _phoneNumber, ...texts } = body;
  return {
    ...before,
    ...defined(texts),
    capabilities: capabilities === undefined ? before.capabilities : JSON.stringify([...new Set(capabilities)]),
    campaignId: body.assignmentStatus === "UNASSIGNED" ? null : before.campaignId,
    assignmentStartedAt: body.assignmentStatus === undefined ? before.assignmentStartedAt : null,
    updatedAt: now,
  };
}

/** Sets the campaign that the request names: with the given assignment status, or by beginning an assignment. */
async function withCampaign(
  context: OperationContext,
  before: NumberRow,
  row: NumberRow,
  body: NumberRequest,
): Promise<NumberRow> {
  const isStatusGiven = body.assignmentStatus !== undefined;
  if (body.campaignId === undefined) {
    // the number counts against its campaign's limit again, which other numbers may have reached by now
    const returns = countsAgainstLimit(row.assignmentStatus) && !countsAgainstLimit(before.assignmentStatus);
    if (returns && row.campaignId !== null) {
      await requireBelowLimit(context, row, await requireCampaign(context, row.merchantId, row.campaignId));
    }
    return row;
  }
  const campaign = await requireCampaign(context, row.merchantId, body.campaignId);
  if (!isStatusGiven && isAssignedTo(row, campaign.id)) return row;
  const assigned = isStatusGiven ? { ...row, campaignId: campaign.id } : beginAssignment(row, campaign, context.now);
  await requireBelowLimit(context, assigned, campaign);
  return assigned;
}

async function requireCampaign(
  context: OperationContext,
  merchantId: string,
  campaignId: number,
): Promise<CampaignRow> {
  const campaign = await findCampaign(context.tx, campaignId);
  if (campaign !== undefined && belongsTo(campaign, context, merchantId)) return campaign;
  throw new Refusal("campaign_not_found", `${merchantId} has no campaign ${campaignId}.`);
}

function belongsTo(
  row: { readonly tenantId: number; readonly merchantId: string },
  { caller }: OperationContext,
  merchantId: string,
): boolean {
  return row.tenantId === caller.tenantId && row.merchantId === merchantId;
}

function beginAssignment(number: NumberRow, campaign: CampaignRow, now: number): NumberRow {
  const obstacle = findAssignmentObstacle(number, campaign);
  if (obstacle !== undefined) throw new Refusal("illegal_transition", obstacle);
  const assignmentStatus = move("numberAssignment", number.assignmentStatus, "PENDING_ASSIGNMENT");
  return { ...number, assignmentStatus, campaignId: campaign.id, assignmentStartedAt: now };
}

/** Throws unless the number can send SMS and the campaign has room for it. */
async function requireBelowLimit({ tx }: OperationContext, number: NumberRow, campaign: CampaignRow): Promise<void> {
  const capabilities = readTextList(number.capabilities);
  if (!capabilities.includes("SMS")) {
    const detail = `Number ${nameOf(number)} has the capabilities ${capabilities.join(", ")}; SMS is needed.`;
    throw new Refusal("number_not_sms_capable", detail);
  }
  if (!countsAgainstLimit(number.assignmentStatus)) return;
  const others = (await listCampaignNumbers(tx, campaign.id)).filter(
    ({ id, assignmentStatus }) => id !== number.id && countsAgainstLimit(assignmentStatus),
  );
  const limit = numberLimit(campaign.useCase);
  if (others.length < limit) return;
  const detail = `Campaign ${campaign.id} already has ${others.length} of ${limit} ${limit === 1 ? "number" : "numbers"}.`;
  throw new Refusal("campaign_number_limit", detail);
}

/** Names the number by its id or, before it is stored, by its phone number. */
function nameOf({ id, phoneNumber }: NumberRow): string {
  return id === 0 ? phoneNumber : String(id);
}

async function save({ tx, now }: OperationContext, before: NumberRow | undefined, row: NumberRow): Promise<NumberRow> {
  const { id: _none, ...fresh } = row;
  const saved = before === undefined ? { ...row, id: await insertNumber(tx, fresh, now) } : row;
  if (before !== undefined) await updateNumber(tx, saved);
  if (saved.assignmentStartedAt !== (before?.assignmentStartedAt ?? null)) await scheduleAssignment(tx, saved);
  return saved;
}

/** Finds faults that the schema cannot express. */
function findFaults({ countryCode, assignmentStatus, campaignId }: Record<string, unknown>): FieldFault[] {
  const faults: FieldFault[] = [];
  if (typeof countryCode === "string" && !isCountry(countryCode)) {
    const detail = `Expected an ISO 3166-1 code such as US; there is no ${countryCode.slice(0, 40)}.`;
    faults.push({ pointer: "/countryCode", code: "not_allowed", detail });
  }
  if (assignmentStatus === "UNASSIGNED" && campaignId !== undefined) {
    const detail =
      "Expected another assignmentStatus, or none, because campaignId is given: UNASSIGNED has no campaign.";
    faults.push({ pointer: "/assignmentStatus", code: "not_allowed", detail });
  }
  return faults;
}

export function viewNumber(number: NumberRow): NumberView {
  return {
    merchantId: number.merchantId,
    provider: number.provider,
    providerNumberId: number.providerNumberId,
    phoneNumber: number.phoneNumber,
    numberType: number.numberType,
    countryCode: number.countryCode,
    assignmentStatus: number.assignmentStatus,
    status: number.status,
    id: number.id,
    capabilities: readTextList(number.capabilities),
    campaignId: number.campaignId,
    updatedAt: new Date(number.updatedAt).toISOString(),
  };
}
