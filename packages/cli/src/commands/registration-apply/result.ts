/** The outcome of a plan as data and as lines for people. Pure. */

import { printable } from "../../output/printable.ts";
import { MASK } from "../../output/secrets.ts";
import type { Style } from "../../output/text/style.ts";
import type { Applied, Outcome, StepResult } from "./apply-steps.ts";
import type { Plan } from "./plan.ts";
import { formatTitle } from "./plan-text.ts";
import type { Present, View } from "./present.ts";
import { isOpen, type Step } from "./step.ts";

/** The answer of the command; in a mere plan, steps with something to do have the outcome `planned`. */
export interface ApplyData {
  merchantId: string;
  /** Null after a failure, if it was not read again. */
  readyToSend: boolean | null;
  blockingReason: string | null;
  /** Number of steps that change something. */
  changes: number;
  steps: readonly StepData[];
}

export interface StepData {
  step: Step["kind"];
  /** Path in the file. */
  path: string;
  name: string;
  action: Step["action"];
  outcome: Outcome | "planned";
  id: View["id"] | null;
  status: unknown;
  changes: readonly { field: string; from: unknown; to: unknown }[];
  remarks: readonly string[];
}

export function planData(plan: Plan, present: Present): ApplyData {
  const steps = plan.steps.map((step) => stepData(step, isOpen(step) ? "planned" : "kept", step.view));
  return { ...createHead(plan, present), steps };
}

/** `present` is the current state; undefined if unknown. */
export function applyData(plan: Plan, { results }: Applied, present: Present | undefined): ApplyData {
  const steps = results.map(({ step, outcome, view }) => stepData(step, outcome, view));
  return { ...createHead(plan, present), steps };
}

function createHead({ merchantId, steps }: Plan, present: Present | undefined): Omit<ApplyData, "steps"> {
  return {
    merchantId,
    readyToSend: present?.readyToSend ?? null,
    blockingReason: present?.blockingReason ?? null,
    changes: steps.filter(isOpen).length,
  };
}

function stepData(step: Step, outcome: StepData["outcome"], view: View | undefined): StepData {
  const { kind, part, name, action, changes, remarks } = step;
  return {
    ...{ step: kind, path: part.path, name, action, outcome },
    id: view?.id ?? null,
    status: readState(step, view) ?? null,
    changes: changes.map(({ field, from, to, isHidden }) => ({ field, from, to: isHidden ? MASK : to })),
    remarks,
  };
}

function readState({ kind }: Step, view: View | undefined): unknown {
  return kind === "number" || kind === "assignment" ? view?.assignmentStatus : view?.status;
}

/** `+ campaign bright-campaign-1: done (id 401, PENDING)` */
export function doneLine({ step, view }: StepResult, style: Style): string {
  const isNew = step.action === "create";
  const state = view === undefined ? "" : printable(` (id ${view.id}, ${String(readState(step, view))})`);
  const text = `${isNew ? "+" : "~"} ${formatTitle(step)}: done${state}`;
  return isNew ? style.green(text) : style.yellow(text);
}
