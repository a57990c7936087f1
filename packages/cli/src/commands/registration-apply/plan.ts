/** Plans the steps that bring the service's state to the file's state. Pure: sends and reads nothing. */
import type { Fault } from "../../failures/errors.ts";
import type { OperationRecord } from "../../model/record.ts";
import type { JsonObject } from "../../output/fields.ts";
import type { RegistrationRecords } from "./apply-context.ts";
import { type Match, matchBrand, matchCampaign, matchNumber, type Present, type View } from "./present.ts";
import { type Change, createStep, isOpen, type PlanOptions, type Step } from "./step.ts";
import type { Wanted, WantedNumber } from "./wanted.ts";
import { formatPlace, type WantedPart } from "./wanted-part.ts";

export interface Plan {
  merchantId: string;
  /** Steps in execution order. */
  steps: readonly Step[];
}

export type Planned = { ok: true; plan: Plan } | { ok: false; faults: Fault[] };

/** Returns the plan. If the file conflicts with the service's state, returns the file's faults instead. */
export function planRegistration(
  wanted: Wanted,
  present: Present,
  records: RegistrationRecords,
  options: PlanOptions,
): Planned {
  const faults: Fault[] = [];
  const found = ({ conflict, ...match }: Match & { view?: View | undefined }, part: WantedPart, field: string) => {
    if (conflict !== undefined) faults.push({ where: formatPlace(part, field), message: conflict });
    return match.view;
  };
  const { brand } = wanted;
  const brandView = brand && found(matchBrand(brand.fields, present.brands), brand, "legalBusinessName");
  const home = findHome(brand, brandView, present.brands);
  const campaignViews = new Map(
    wanted.campaigns.map((part) => {
      return [part.path, found(matchCampaign(part.fields, present.campaigns), part, "campaignReference")] as const;
    }),
  );
  if (home.kind === "none") {
    const first = wanted.campaigns.find(({ path }) => campaignViews.get(path) === undefined);
    if (first !== undefined) {
      faults.push({
        where: formatPlace(first, ""),
        message: "the merchant has no brand yet; a campaign belongs to one",
      });
    }
  }
  if (faults.length > 0) return { ok: false, faults };
  const campaigns = wanted.campaigns.map((part) => {
    return planCampaign(part, campaignViews.get(part.path), { record: records.campaign, home, ...options });
  });
  const numbers = wanted.numbers.map((part) => planNumber(part, campaigns, present, records, options));
  return {
    ok: true,
    plan: {
      merchantId: wanted.merchantId,
      steps: [
        ...(brand === undefined ? [] : [planBrand(brand, brandView, records.brand, options)]),
        ...campaigns,
        ...numbers.map(({ number }) => number),
        ...numbers.flatMap(({ assignment }) => (assignment === undefined ? [] : [assignment])),
      ],
    },
  };
}

/** The brand under which the service would register a new campaign: the newest approved brand, else the newest one. */
type Home =
  | { kind: "none" }
  /** It is the file's brand, or the file has no brand and any is right. */
  | { kind: "right"; brandId: View["id"] | undefined }
  | { kind: "other"; view: View; brandId: View["id"] | undefined };

function findHome(brand: WantedPart | undefined, view: View | undefined, newestFirst: readonly View[]): Home {
  if (brand === undefined) return newestFirst.length === 0 ? { kind: "none" } : { kind: "right", brandId: undefined };
  const { status } = brand.fields;
  const findStatus = (candidate: View) => (candidate === view ? (status ?? candidate.status) : candidate.status);
  const brandId = view?.id;
  // a brand that the file creates will be the newest
  if (view === undefined && status === "APPROVED") return { kind: "right", brandId };
  const approved = newestFirst.find((candidate) => findStatus(candidate) === "APPROVED");
  const home = approved ?? (view === undefined ? undefined : newestFirst[0]);
  return home === undefined || home === view ? { kind: "right", brandId } : { kind: "other", view: home, brandId };
}

function planBrand(part: WantedPart, view: View | undefined, record: OperationRecord, options: PlanOptions): Step {
  const identity = view && {
    provider: view.provider,
    ...given(view, "providerBrandId"),
    ...given(part.fields, "providerBrandId"),
  };
  return createStep("brand", part, view, { record, identity, name: String(part.fields.legalBusinessName), ...options });
}

interface CampaignPlanning extends PlanOptions {
  record: OperationRecord;
  home: Home;
}

function planCampaign(part: WantedPart, view: View | undefined, { record, home, ...options }: CampaignPlanning): Step {
  const { fields } = part;
  const name = String(fields.campaignReference ?? fields.providerCampaignId);
  const identity = view && {
    provider: view.provider,
    ...given(fields, "providerCampaignId"),
    ...given(fields, "campaignReference"),
  };
  const step = createStep("campaign", part, view, { record, identity, name, ...options });
  if (view === undefined) {
    if (home.kind !== "other") return step;
    const { id, legalBusinessName } = home.view;
    const remark = `a new campaign goes to the newest approved brand, else to the newest; now that is ${id} (${legalBusinessName})`;
    return { ...step, action: "blocked", remarks: [remark] };
  }
  const remarks = [];
  if (home.kind !== "none" && home.brandId !== undefined && view.brandId !== home.brandId) {
    remarks.push(`it belongs to brand ${view.brandId}, and a campaign cannot be moved to another brand`);
  }
  if (view.reviewFailureCode !== null && view.status === "FAILED") {
    remarks.push(`its review failed: ${view.reviewFailureReason ?? view.reviewFailureCode}`);
    if (isOpen(step) && step.body.status === undefined && step.body.reviewStatus === undefined)
      remarks.push("the change starts a new review");
  }
  return { ...step, remarks };
}

function given(fields: JsonObject, name: string): JsonObject {
  const value = fields[name];
  return value === null || value === undefined ? {} : { [name]: value };
}

export interface NumberSteps {
  number: Step;
  assignment: Step | undefined;
}

/** Plans a number's own step and its assignment; `campaigns` are the campaign steps of the same plan. */
export function planNumber(
  part: WantedNumber,
  campaigns: readonly Step[],
  present: Present,
  records: RegistrationRecords,
  options: PlanOptions,
): NumberSteps {
  const view = matchNumber(part.fields, present.numbers);
  const campaign = campaigns.find((step) => step.part.path === part.campaign);
  const identity = view && { provider: view.provider };
  const name = String(part.fields.phoneNumber);
  const number = createStep("number", part, view, { record: records.number, identity, name, ...options });
  if (campaign === undefined) return { number, assignment: undefined };
  const isThere = view !== undefined && campaign.view !== undefined && view.campaignId === campaign.view.id;
  if (campaign.action === "blocked") {
    const blocked = { ...number, name: `${name} to ${campaign.name}`, action: "blocked" } as const;
    const remarks = ["its campaign is not registered yet"];
    if (part.fields.assignmentStatus !== undefined)
      return { number: { ...number, action: "blocked", remarks }, assignment: undefined };
    return { number, assignment: { ...blocked, kind: "assignment", changes: [], remarks } };
  }
  const from = findCampaignName(view, campaigns, present);
  const move = { field: "campaign", from, to: campaign.name };
  if (part.fields.assignmentStatus !== undefined)
    return { number: withGivenAssignment(number, campaign, move, isThere), assignment: undefined };
  const assignmentStatus = view?.assignmentStatus;
  const isUnderWay = isThere && (assignmentStatus === "ASSIGNED" || assignmentStatus === "PENDING_ASSIGNMENT");
  const isFree = view === undefined || assignmentStatus === "UNASSIGNED" || assignmentStatus === "FAILED_ASSIGNMENT";
  return {
    number: isUnderWay || isFree ? number : withRelease(number),
    assignment: {
      ...{ kind: "assignment", part, name: `${name} to ${campaign.name}`, view, body: {}, campaign: part.campaign },
      action: isUnderWay ? "nothing" : view === undefined || from === null ? "create" : "change",
      changes: isUnderWay ? [] : [move],
      remarks: assignmentStatus === "FAILED_ASSIGNMENT" ? ["the last assignment failed"] : [],
    },
  };
}

/**
 * If the file gives `assignmentStatus`, the number was assigned outside msgctl. The request that registers the number then
 * records the assignment.
 */
function withGivenAssignment(number: Step, campaign: Step, move: Change, isThere: boolean): Step {
  const isSame = isThere && !number.changes.some(({ field }) => field === "assignmentStatus");
  if (isSame) return number;
  const { assignmentStatus } = number.part.fields;
  return {
    ...number,
    action: number.view === undefined ? "create" : "change",
    changes: isThere ? number.changes : [...number.changes, move],
    body: { ...findIdentity(number), ...number.body, assignmentStatus },
    campaign: campaign.part.path,
  };
}

/** Releases the number from its campaign, since the service assigns only numbers that have no campaign. */
function withRelease(number: Step): Step {
  const from = number.view?.assignmentStatus ?? null;
  return {
    ...number,
    action: "change",
    changes: [...number.changes, { field: "assignmentStatus", from, to: "UNASSIGNED" }],
    body: { ...findIdentity(number), ...number.body, assignmentStatus: "UNASSIGNED" },
    remarks: ["removed from its current campaign, so that it can be assigned again"],
  };
}

/** Returns the fields that identify the number. They come from the file and the view: a step with no change has no body. */
function findIdentity({ part, view }: Step): JsonObject {
  return { phoneNumber: part.fields.phoneNumber, ...(view && { provider: view.provider }) };
}

function findCampaignName(view: View | undefined, campaigns: readonly Step[], present: Present): string | null {
  const id = view?.campaignId ?? null;
  if (id === null) return null;
  const step = campaigns.find((candidate) => candidate.view?.id === id);
  const other = present.campaigns.find((candidate) => candidate.id === id);
  return step?.name ?? String(other?.campaignReference ?? other?.providerCampaignId ?? id);
}
