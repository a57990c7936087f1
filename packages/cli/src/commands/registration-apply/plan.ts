/** Plans the steps from the service's state to the file's. Pure: nothing is sent, nothing is read. */
import type { Fault } from "../../failures/errors.ts";
import type { OperationRecord } from "../../model/record.ts";
import type { JsonObject } from "../../output/fields.ts";
import { planNumber } from "./number-steps.ts";
import { type Match, matchBrand, matchCampaign, type Present, type View } from "./present.ts";
import type { RegistrationRecords } from "./registration-records.ts";
import { createStep, isOpen, type PlanOptions, type Step } from "./step.ts";
import type { Wanted } from "./wanted.ts";
import { formatPlace, type WantedPart } from "./wanted-part.ts";

export interface Plan {
  merchantId: string;
  /** In execution order. */
  steps: readonly Step[];
}

export type Planned = { ok: true; plan: Plan } | { ok: false; faults: Fault[] };

/** Returns the plan, or what is wrong with the file given the service's state. */
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

/** The brand under which the service registers a new campaign: the newest approved one, else the newest. */
type Home =
  | { kind: "none" }
  /** The file's brand, or any brand if the file has none. */
  | { kind: "right"; brandId: View["id"] | undefined }
  | { kind: "other"; view: View; brandId: View["id"] | undefined };

function findHome(brand: WantedPart | undefined, view: View | undefined, newestFirst: readonly View[]): Home {
  if (brand === undefined) return newestFirst.length === 0 ? { kind: "none" } : { kind: "right", brandId: undefined };
  const { status } = brand.fields;
  const findStatus = (candidate: View) => (candidate === view ? (status ?? candidate.status) : candidate.status);
  const brandId = view?.id;
  // a new brand will be the newest
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
    const remark = `a new campaign goes to the newest approved brand, else to the newest: that is now ${id} (${legalBusinessName})`;
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
