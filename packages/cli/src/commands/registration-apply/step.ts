/** One step of a plan: how a part of the file differs from the service's state, and what is sent to change that. Pure. */

import type { Input, OperationRecord } from "../../model/record.ts";
import type { JsonObject } from "../../output/fields.ts";
import { isSameValue, type View } from "./present.ts";
import type { WantedPart } from "./wanted-part.ts";

/**
 * `unknown`: only fields that the service never returns may differ. `blocked`: at present the service would not do what
 * the file says.
 */
export type Action = "create" | "change" | "nothing" | "unknown" | "blocked";

export type StepKind = "brand" | "campaign" | "number" | "assignment";

export interface Change {
  field: string;
  /** Null if the service has no value. */
  from: unknown;
  to: unknown;
  /** Set if the service never returns the field. */
  isHidden?: true;
}

export interface Step {
  kind: StepKind;
  /** The part of the file that the step applies. */
  part: WantedPart;
  /** Display name. */
  name: string;
  action: Action;
  /** The object at the service before the run; undefined if the step creates it. */
  view: View | undefined;
  changes: readonly Change[];
  /** Body of the request, without ids that only an earlier step returns. */
  body: JsonObject;
  /** Path of the campaign whose id the step needs. */
  campaign: string | undefined;
  /** Remarks for people. */
  remarks: readonly string[];
}

export interface PlanOptions {
  /** Whether to send fields that the service never returns even if nothing else differs (--send-hidden). */
  sendsHidden: boolean;
}

/** Whether the step sends anything. */
export function isOpen({ action }: Pick<Step, "action">): boolean {
  return action === "create" || action === "change";
}

export interface StepDescription extends PlanOptions {
  record: OperationRecord;
  name: string;
  /** Fields by which the service finds the object to change. */
  identity: JsonObject | undefined;
}

/** Creates the step for a part of the file, with the differences from the service's state. */
export function createStep(kind: StepKind, part: WantedPart, view: View | undefined, described: StepDescription): Step {
  const { record, name, identity, sendsHidden } = described;
  const { fields } = part;
  const step = { kind, part, name, view, campaign: undefined, remarks: [] };
  const createChange = (field: string): Change => {
    const isHidden = isHiddenField(field, record);
    return { field, from: view?.[field] ?? null, to: fields[field], ...(isHidden && { isHidden }) };
  };
  const names = Object.keys(fields);
  if (view === undefined) return { ...step, action: "create", changes: names.map(createChange), body: fields };
  const hidden = names.filter((field) => isHiddenField(field, record));
  const differing = names.filter((field) => !hidden.includes(field) && !isSameValue(field, fields[field], view[field]));
  if (differing.length === 0 && (hidden.length === 0 || !sendsHidden)) {
    return {
      ...step,
      action: hidden.length === 0 ? "nothing" : "unknown",
      changes: hidden.map(createChange),
      body: {},
    };
  }
  const changed = [...differing, ...hidden];
  // Send only the changed fields: repeating a status would end a review in progress.
  const body = { ...pick(fields, requiredFields(record.inputs)), ...identity, ...pick(fields, changed) };
  return { ...step, action: "change", changes: changed.map(createChange), body };
}

/** Whether the service's answer lacks the field. */
function isHiddenField(field: string, { output }: OperationRecord): boolean {
  return !output.fields.includes(field);
}

function requiredFields(inputs: readonly Input[]): string[] {
  return inputs.filter((input) => input.in === "body" && input.required).map(({ path }) => path[0] ?? "");
}

function pick(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
