/** From what a file says and what the service has to the steps between them. Pure: nothing is sent, nothing is read. */
import type { Fault } from "../errors.ts";
import type { JsonObject } from "../output/fields.ts";
import type { Input, OperationRecord } from "../record.ts";
import { isSameValue, type Match, matchBrand, matchCampaign, matchNumber, type Present, type View } from "./present.ts";
import type { RegistrationRecords } from "./registration-records.ts";
import { placeOf, type Wanted, type WantedNumber, type WantedPart } from "./wanted.ts";

/**
 * `unknown`: the file gives what the service never shows, and nothing else differs. `blocked`: the service would do
 * another thing than the file says, for now.
 */
export type Action = "create" | "change" | "nothing" | "unknown" | "blocked";

export type StepKind = "brand" | "campaign" | "number" | "assignment";

export interface Change {
  field: string;
  /** Null where the service has none. */
  from: unknown;
  to: unknown;
  /** The service does not show what it has. */
  isHidden?: true;
}

export interface Step {
  kind: StepKind;
  /** The part of the file that it is about. */
  part: WantedPart;
  /** What people call it. */
  name: string;
  action: Action;
  /** As the service has it before the run. */
  view: View | undefined;
  changes: readonly Change[];
  /** What is sent, but for ids that an earlier step gives. */
  body: JsonObject;
  /** Path of the campaign whose id the step needs. */
  campaign: string | undefined;
  /** For people. */
  remarks: readonly string[];
}

export interface Plan {
  merchantId: string;
  /** In the order in which they are done. */
  steps: readonly Step[];
}

export interface PlanOptions {
  /** Send what the service does not show even where nothing else differs. */
  sendsHidden: boolean;
}

export type Planned = { ok: true; plan: Plan } | { ok: false; faults: Fault[] };

/** Whether the step sends anything. */
export function isOpen({ action }: Pick<Step, "action">): boolean {
  return action === "create" || action === "change";
}

/** The plan; or what is wrong with the file, given what the service has. */
export function planRegistration(
  wanted: Wanted,
  present: Present,
  records: RegistrationRecords,
  options: PlanOptions,
): Planned {
  const faults: Fault[] = [];
  const found = ({ conflict, ...match }: Match & { view?: View | undefined }, part: WantedPart, field: string) => {
    if (conflict !== undefined) faults.push({ where: placeOf(part, field), message: conflict });
    return match.view;
  };
  const { brand } = wanted;
  const brandView = brand && found(matchBrand(brand.fields, present.brands), brand, "legalBusinessName");
  const home = homeOfCampaigns(brand, brandView, present.brands);
  const campaignViews = new Map(
    wanted.campaigns.map((part) => {
      return [part.path, found(matchCampaign(part.fields, present.campaigns), part, "campaignReference")] as const;
    }),
  );
  if (home.kind === "none") {
    const first = wanted.campaigns.find(({ path }) => campaignViews.get(path) === undefined);
    if (first !== undefined) {
      faults.push({ where: placeOf(first, ""), message: "the merchant has no brand yet; a campaign belongs to one" });
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

/** The brand under which the service registers a new campaign: the newest that is approved, else the newest. */
type Home =
  | { kind: "none" }
  /** The file's, or whichever there is where the file has none. */
  | { kind: "right"; brandId: View["id"] | undefined }
  | { kind: "other"; view: View; brandId: View["id"] | undefined };

function homeOfCampaigns(brand: WantedPart | undefined, view: View | undefined, newestFirst: readonly View[]): Home {
  if (brand === undefined) return newestFirst.length === 0 ? { kind: "none" } : { kind: "right", brandId: undefined };
  const { status } = brand.fields;
  const statusOf = (candidate: View) => (candidate === view ? (status ?? candidate.status) : candidate.status);
  const brandId = view?.id;
  // a new brand will be the newest
  if (view === undefined && status === "APPROVED") return { kind: "right", brandId };
  const approved = newestFirst.find((candidate) => statusOf(candidate) === "APPROVED");
  const home = approved ?? (view === undefined ? undefined : newestFirst[0]);
  return home === undefined || home === view ? { kind: "right", brandId } : { kind: "other", view: home, brandId };
}

function planBrand(part: WantedPart, view: View | undefined, record: OperationRecord, options: PlanOptions): Step {
  const identity = view && {
    provider: view.provider,
    ...given(view, "providerBrandId"),
    ...given(part.fields, "providerBrandId"),
  };
  return stepOf("brand", part, view, { record, identity, name: String(part.fields.legalBusinessName), ...options });
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
  const step = stepOf("campaign", part, view, { record, identity, name, ...options });
  if (view === undefined) {
    if (home.kind !== "other") return step;
    const { id, legalBusinessName } = home.view;
    const remark = `the service would register it under brand ${id} (${legalBusinessName}), as long as that is the newest approved one, or the newest`;
    return { ...step, action: "blocked", remarks: [remark] };
  }
  const remarks = [];
  if (home.kind !== "none" && home.brandId !== undefined && view.brandId !== home.brandId) {
    remarks.push(`it belongs to brand ${view.brandId}, and the service moves no campaign to another`);
  }
  if (view.reviewFailureCode !== null && view.status === "FAILED") {
    remarks.push(`its review failed: ${view.reviewFailureReason ?? view.reviewFailureCode}`);
    if (isOpen(step) && step.body.status === undefined && step.body.reviewStatus === undefined)
      remarks.push("changed, it goes to review again");
  }
  return { ...step, remarks };
}

interface NumberSteps {
  number: Step;
  assignment: Step | undefined;
}

function planNumber(
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
  const number = stepOf("number", part, view, { record: records.number, identity, name, ...options });
  if (campaign === undefined) return { number, assignment: undefined };
  const isThere = view !== undefined && campaign.view !== undefined && view.campaignId === campaign.view.id;
  if (campaign.action === "blocked") {
    const blocked = { ...number, name: `${name} to ${campaign.name}`, action: "blocked" } as const;
    const remarks = ["its campaign is not registered yet"];
    if (part.fields.assignmentStatus !== undefined)
      return { number: { ...number, action: "blocked", remarks }, assignment: undefined };
    return { number, assignment: { ...blocked, kind: "assignment", changes: [], remarks } };
  }
  const from = nameOfCampaign(view, campaigns, present);
  const move = { field: "campaign", from, to: campaign.name };
  if (part.fields.assignmentStatus !== undefined)
    return { number: told(number, campaign, move, isThere), assignment: undefined };
  const assignmentStatus = view?.assignmentStatus;
  const isUnderWay = isThere && (assignmentStatus === "ASSIGNED" || assignmentStatus === "PENDING_ASSIGNMENT");
  const isFree = view === undefined || assignmentStatus === "UNASSIGNED" || assignmentStatus === "FAILED_ASSIGNMENT";
  return {
    number: isUnderWay || isFree ? number : released(number),
    assignment: {
      ...{ kind: "assignment", part, name: `${name} to ${campaign.name}`, view, body: {}, campaign: part.campaign },
      action: isUnderWay ? "nothing" : view === undefined || from === null ? "create" : "change",
      changes: isUnderWay ? [] : [move],
      remarks: assignmentStatus === "FAILED_ASSIGNMENT" ? ["the last assignment failed"] : [],
    },
  };
}

/** With the assignment that the file says happened elsewhere, which the number's own request carries. */
function told(number: Step, campaign: Step, move: Change, isThere: boolean): Step {
  const isSame = isThere && !number.changes.some(({ field }) => field === "assignmentStatus");
  if (isSame) return number;
  const { assignmentStatus } = number.part.fields;
  return {
    ...number,
    action: number.view === undefined ? "create" : "change",
    changes: isThere ? number.changes : [...number.changes, move],
    body: { ...identityOf(number), ...number.body, assignmentStatus },
    campaign: campaign.part.path,
  };
}

/** Taken off the campaign that it has, since the service assigns only what has none. */
function released(number: Step): Step {
  const from = number.view?.assignmentStatus ?? null;
  return {
    ...number,
    action: "change",
    changes: [...number.changes, { field: "assignmentStatus", from, to: "UNASSIGNED" }],
    body: { ...identityOf(number), ...number.body, assignmentStatus: "UNASSIGNED" },
    remarks: ["taken off its present campaign, so that it can be assigned anew"],
  };
}

/** A step that had nothing to do has no body yet. */
function identityOf({ part, view }: Step): JsonObject {
  return { phoneNumber: part.fields.phoneNumber, ...(view && { provider: view.provider }) };
}

function nameOfCampaign(view: View | undefined, campaigns: readonly Step[], present: Present): string | null {
  const id = view?.campaignId ?? null;
  if (id === null) return null;
  const step = campaigns.find((candidate) => candidate.view?.id === id);
  const other = present.campaigns.find((candidate) => candidate.id === id);
  return step?.name ?? String(other?.campaignReference ?? other?.providerCampaignId ?? id);
}

interface StepDescription extends PlanOptions {
  record: OperationRecord;
  name: string;
  /** Fields that make the service find the same one, whatever else of it changes. */
  identity: JsonObject | undefined;
}

function stepOf(kind: StepKind, part: WantedPart, view: View | undefined, described: StepDescription): Step {
  const { record, name, identity, sendsHidden } = described;
  const { fields } = part;
  const step = { kind, part, name, view, campaign: undefined, remarks: [] };
  const changeOf = (field: string): Change => {
    const isHidden = isHiddenField(field, record);
    return { field, from: view?.[field] ?? null, to: fields[field], ...(isHidden && { isHidden }) };
  };
  const names = Object.keys(fields);
  if (view === undefined) return { ...step, action: "create", changes: names.map(changeOf), body: fields };
  const hidden = names.filter((field) => isHiddenField(field, record));
  const differing = names.filter((field) => !hidden.includes(field) && !isSameValue(field, fields[field], view[field]));
  if (differing.length === 0 && (hidden.length === 0 || !sendsHidden)) {
    return { ...step, action: hidden.length === 0 ? "nothing" : "unknown", changes: hidden.map(changeOf), body: {} };
  }
  const changed = [...differing, ...hidden];
  // Not the whole file: a status that is repeated would end the review that is under way.
  const body = { ...pick(fields, requiredFields(record.inputs)), ...identity, ...pick(fields, changed) };
  return { ...step, action: "change", changes: changed.map(changeOf), body };
}

/** What a view of the service lacks. */
function isHiddenField(field: string, { output }: OperationRecord): boolean {
  return !output.fields.includes(field);
}

function requiredFields(inputs: readonly Input[]): string[] {
  return inputs.filter((input) => input.in === "body" && input.required).map(({ path }) => path[0] ?? "");
}

function pick(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

function given(fields: JsonObject, name: string): JsonObject {
  const value = fields[name];
  return value === null || value === undefined ? {} : { [name]: value };
}
