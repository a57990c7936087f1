/** The steps of a number: register, release from another campaign, assign. Pure. */
import type { JsonObject } from "../../output/fields.ts";
import { matchNumber, type Present, type View } from "./present.ts";
import type { RegistrationRecords } from "./registration-records.ts";
import { type Change, createStep, type PlanOptions, type Step } from "./step.ts";
import type { WantedNumber } from "./wanted.ts";

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

/** Adds an assignment that the file says was made elsewhere to the number's own request. */
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

/** Releases the number from its campaign, since the service assigns only numbers without one. */
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

/** The identifying fields, since a step with nothing to do has no body yet. */
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
