// The steps to registered SMS: the state of each step, the reason that blocks sending, and the command to run next.

import type { ResponseOf, Schemas } from "@msgctl/contract";
import { toWords } from "../../elements/state.tsx";
import type { OperationRoute } from "../../shell/route.ts";

export type Registration = ResponseOf<"getRegistrationStatus">;
type Reason = Schemas["RegistrationBlockingReason"];

export const stepNames = ["brand", "campaign", "number"] as const;
export type StepName = (typeof stepNames)[number];

/** `waiting`: an earlier step must be done first. `review`: the registry or a carrier decides; the user can only wait. */
export type Progress = "done" | "review" | "blocked" | "waiting";

export interface Advice {
  /** Description of the blocker. */
  readonly words: string;
  /** Command that removes the blocker, or waits for its end. Undefined if the blocker is unknown. */
  readonly command?: string;
  /** The form that removes the blocker. Undefined if there is nothing to do but wait. */
  readonly form?: AdvisedForm;
}

export interface AdvisedForm extends Omit<OperationRoute, "page"> {
  /** Label of the link to the form. */
  readonly label: string;
}

/** State of a step on the most advanced chain of brand, campaign and number. */
export function progressOf(step: StepName, { readyToSend, blockingReason }: Registration): Progress {
  if (readyToSend || blockingReason === null) return "done";
  const blocked = stepNames.findIndex((name) => blockingReason.startsWith(name.toUpperCase()));
  const at = stepNames.indexOf(step);
  if (at !== blocked) return at < blocked ? "done" : "waiting";
  return blockingReason.endsWith("_PENDING") ? "review" : "blocked";
}

const words: Readonly<Record<Reason, string>> = {
  MERCHANT_INACTIVE: "The merchant is inactive, so it cannot send messages.",
  BRAND_MISSING: "No brand is registered yet. A brand is the business that sends.",
  BRAND_FAILED: "The registry refused the brand: correct it, and register it again.",
  BRAND_SUSPENDED: "The brand is suspended: register it again.",
  BRAND_PENDING: "The registry is reviewing the brand. There is nothing to do but wait.",
  BRAND_UNVERIFIED: "The brand is approved, but its identity is not verified: correct the details of the business.",
  CAMPAIGN_MISSING: "The brand has no campaign yet. A campaign describes the messages and how people consent to them.",
  CAMPAIGN_REJECTED: "The campaign was refused, for the reason below: correct it, and register it again.",
  CAMPAIGN_SUSPENDED: "The campaign is suspended: register another.",
  CAMPAIGN_EXPIRED: "The campaign has expired: register another.",
  CAMPAIGN_PENDING: "The campaign is in review, which takes days. There is nothing to do but wait.",
  NUMBER_MISSING: "There is no number to send from.",
  NUMBER_INACTIVE: "No number is active.",
  NUMBER_NOT_SMS_CAPABLE: "No number can send SMS.",
  NUMBER_UNASSIGNED: "No number is assigned to the campaign.",
  NUMBER_ASSIGNMENT_FAILED: "The carrier refused to assign the number: try again, or use another number.",
  NUMBER_ASSIGNMENT_PENDING: "The carrier is assigning the number. There is nothing to do but wait.",
};

/** Describes the blocker and how to remove it. Undefined if nothing blocks sending. */
export function adviseOn(registration: Registration): Advice | undefined {
  const { blockingReason: reason } = registration;
  if (reason === null) return undefined;
  const known: Readonly<Record<string, string>> = words;
  const command = commandFor(reason, registration);
  const form = formFor(reason, registration);
  return {
    words: Object.hasOwn(known, reason) ? (known[reason] ?? "") : toWords(reason),
    ...(command === undefined ? {} : { command }),
    ...(form === undefined ? {} : { form }),
  };
}

function formFor(reason: string, { merchantId, numbers, campaigns }: Registration): AdvisedForm | undefined {
  if (reason.endsWith("_PENDING")) return undefined;
  const values = { "merchant-id": merchantId };
  if (reason === "MERCHANT_INACTIVE") {
    return { operationId: "upsertMerchant", label: "Activate the merchant", values: { ...values, active: "true" } };
  }
  if (reason.startsWith("BRAND_")) return { operationId: "registerBrand", label: "Register the brand", values };
  if (reason.startsWith("CAMPAIGN_"))
    return { operationId: "registerCampaign", label: "Register the campaign", values };
  if (reason === "NUMBER_UNASSIGNED" || reason === "NUMBER_ASSIGNMENT_FAILED") {
    const { number, campaign } = findAssignable(numbers, campaigns);
    return {
      operationId: "assignNumber",
      label: "Assign the number",
      values: { ...values, "number-id": String(number?.id ?? ""), "campaign-id": String(campaign?.id ?? "") },
    };
  }
  if (!reason.startsWith("NUMBER_")) return undefined;
  const phoneNumber = numbers[0]?.phoneNumber ?? "";
  return {
    operationId: "registerNumber",
    label: "Register the number",
    values: { ...values, "phone-number": phoneNumber },
  };
}

/** Finds a number that can send SMS and a campaign to assign it to. */
function findAssignable(numbers: Registration["numbers"], campaigns: Registration["campaigns"]) {
  return {
    number: numbers.find(({ status, capabilities }) => status === "ACTIVE" && capabilities.includes("SMS")),
    campaign: campaigns.find(({ status }) => status === "ACTIVE"),
  };
}

function commandFor(reason: string, registration: Registration): string | undefined {
  const { merchantId, numbers, campaigns } = registration;
  if (reason.endsWith("_PENDING")) return `msgctl registration wait ${merchantId}`;
  if (reason === "MERCHANT_INACTIVE") {
    return `msgctl merchants upsert --merchant-id ${merchantId} --display-name <displayName> --active`;
  }
  if (reason.startsWith("BRAND_")) return `msgctl registration brand ${merchantId} --legal-business-name <name>`;
  if (reason.startsWith("CAMPAIGN_")) return "msgctl registration campaign --help";
  if (reason === "NUMBER_UNASSIGNED" || reason === "NUMBER_ASSIGNMENT_FAILED") {
    const { number, campaign } = findAssignable(numbers, campaigns);
    return (
      `msgctl registration assign ${merchantId} ${number?.id ?? "<numberId>"} ` +
      `--campaign-id ${campaign?.id ?? "<campaignId>"}`
    );
  }
  if (!reason.startsWith("NUMBER_")) return undefined;
  const flags = { NUMBER_INACTIVE: " --status ACTIVE", NUMBER_NOT_SMS_CAPABLE: " --capabilities SMS" };
  const flag = Object.entries(flags).find(([name]) => name === reason)?.[1] ?? "";
  const number = numbers[0]?.phoneNumber ?? "<phoneNumber>";
  return `msgctl registration number ${merchantId} --phone-number ${number}${flag}`;
}
