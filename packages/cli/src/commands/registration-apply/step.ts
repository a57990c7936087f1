/** One step of a plan: what of a part of the file differs, and what is sent for it. Pure. */

import type { Input, OperationRecord } from "../../model/record.ts";
import type { JsonObject } from "../../output/fields.ts";
import { isSameValue, type View } from "./present.ts";
import type { WantedPart } from "./wanted-part.ts";

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

export interface PlanOptions {
  /** Send what the service does not show even where nothing else differs. */
  sendsHidden: boolean;
}

/** Whether the step sends anything. */
export function isOpen({ action }: Pick<Step, "action">): boolean {
  return action === "create" || action === "change";
}

export interface StepDescription extends PlanOptions {
  record: OperationRecord;
  name: string;
  /** Fields that make the service find the same one, whatever else of it changes. */
  identity: JsonObject | undefined;
}

/** The step for a part of the file, with what differs from how the service has it. */
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
  // Not the whole file: a status that is repeated would end the review that is under way.
  const body = { ...pick(fields, requiredFields(record.inputs)), ...identity, ...pick(fields, changed) };
  return { ...step, action: "change", changes: changed.map(createChange), body };
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
