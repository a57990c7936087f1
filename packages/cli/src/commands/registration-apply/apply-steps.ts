/**
 * Applies the steps of a plan in order, and describes a failure in terms of the file. The caller decides how a request is
 * sent.
 */

import { createHash } from "node:crypto";
import { ApiError } from "@msgctl/sdk";
import { CliError, type Fault } from "../../failures/errors.ts";
import type { OperationRecord } from "../../model/record.ts";
import type { RequestParts } from "../../model/request.ts";
import { compactJson } from "../../output/json/json.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { RegistrationRecords } from "./apply-context.ts";
import type { Plan } from "./plan.ts";
import { formatTitle } from "./plan-text.ts";
import type { View } from "./present.ts";
import { isOpen, type Step } from "./step.ts";
import { formatPlace } from "./wanted-part.ts";

/** The outcome of a step. `failed`: it ended the run. `left`: it comes after the failed step. `kept`: nothing to do. */
export type Outcome = "done" | "failed" | "left" | "kept";

export interface StepResult {
  step: Step;
  outcome: Outcome;
  /** The current state of the step's object; undefined if the service does not have it. */
  view: View | undefined;
}

export interface Applied {
  results: readonly StepResult[];
  /** The step that ended the run, and its error. */
  failure: { step: Step; error: unknown } | undefined;
}

export interface Request {
  record: OperationRecord;
  request: RequestParts;
  idempotencyKey: string;
}

export interface Sending {
  send(request: Request, step: Step): Promise<unknown>;
  /** Called when a step is done. */
  onDone(result: StepResult): void;
  signal: AbortSignal;
}

/** Applies the steps in order, and stops at the first that fails. */
export async function applySteps(plan: Plan, records: RegistrationRecords, sending: Sending): Promise<Applied> {
  const results: StepResult[] = [];
  let failure: Applied["failure"];
  for (const step of plan.steps) {
    if (!isOpen(step)) {
      results.push({ step, outcome: "kept", view: findView(step, results) });
      continue;
    }
    if (failure !== undefined) {
      results.push({ step, outcome: "left", view: findView(step, results) });
      continue;
    }
    try {
      if (sending.signal.aborted) throw interrupted();
      const request = createRequest(step, plan, records, results);
      const view = (await sending.send(request, step)) as View;
      const result: StepResult = { step, outcome: "done", view };
      results.push(result);
      sending.onDone(result);
    } catch (error) {
      failure = { step, error };
      results.push({ step, outcome: "failed", view: findView(step, results) });
    }
  }
  return { results, failure };
}

function createRequest(
  step: Step,
  { merchantId }: Plan,
  records: RegistrationRecords,
  results: readonly StepResult[],
): Request {
  const record = records[step.kind];
  const before = findView(step, results);
  const campaign = results.find(({ step: { kind, part } }) => kind === "campaign" && part.path === step.campaign);
  const body = { ...step.body, ...(campaign?.view !== undefined && { campaignId: campaign.view.id }) };
  const path = { merchantId, ...(step.kind === "assignment" && before !== undefined && { numberId: before.id }) };
  const request = { path, query: {}, headers: {}, body };
  return { record, request, idempotencyKey: stepKey(record.operationId, request, before) };
}

/** Returns the latest view of the step's object. An earlier step may have changed it: a number has up to two steps. */
function findView({ part, view }: Step, results: readonly StepResult[]): View | undefined {
  return results.findLast((result) => result.step.part.path === part.path)?.view ?? view;
}

function interrupted(): CliError {
  return new CliError(EXIT.interrupted, "interrupted", "interrupted");
}

/**
 * Returns the idempotency key of a request. The same change to the same state gets the same key, so a resumed run repeats
 * nothing. If the state differs, so does the key: setting a value again after somebody changed it back is a new request.
 */
export function stepKey(operationId: string, { path, body }: RequestParts, view: View | undefined): string {
  const before = view === undefined ? null : [String(view.id), view.updatedAt];
  const sent = Object.entries(body ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = compactJson([operationId, Object.entries(path).sort(), sent, before]);
  return `apply-${createHash("sha256").update(text).digest("hex").slice(0, 40)}`;
}

export const GO_ON = "Run the same command again: it continues with the remaining steps, and repeats nothing.";

/**
 * The error that ends the run. A refusal after a completed step exits with code 8; any other failure (the network, the
 * credential, the user) keeps its own code.
 */
export function stepFailure({ results, failure }: Applied): unknown {
  if (failure === undefined || !(failure.error instanceof CliError)) return failure?.error;
  const { step, error } = failure;
  const done = results.filter(({ outcome }) => outcome === "done");
  const left = results.filter(({ outcome }) => outcome === "left");
  const isPartial = done.length > 0 && error.exitCode === EXIT.refused;
  const { idempotencyKey: _ofOneStep, hints = [], ...details } = error.details;
  const remains = left.length === 0 ? "" : `; left: ${left.map((result) => formatTitle(result.step)).join(", ")}`;
  const message = `${formatPlace(step.part, "")}, ${formatTitle(step)}: ${error.message}`;
  return new CliError(isPartial ? EXIT.partial : error.exitCode, error.code, message, {
    ...details,
    faults: toFaults(error, step),
    hints: [
      // omit hints about --idempotency-key: the command makes its own keys and accepts none
      ...hints.filter((hint) => !hint.includes("--idempotency-key")),
      `${done.length === 0 ? "Nothing was done" : `Done: ${done.map((result) => formatTitle(result.step)).join(", ")}`}${remains}.`,
      GO_ON,
    ],
  });
}

/** Maps faults to their places in the file. A pointer that matches no field of the file is unchanged. */
function toFaults({ details: { cause, faults = [] } }: CliError, { part }: Step): Fault[] {
  if (!(cause instanceof ApiError)) return [...faults];
  return cause.errors.map(({ pointer, detail }) => {
    const [field = "", index] = pointer.split("/").slice(1);
    const isKnown = Object.hasOwn(part.fields, field) || pointer.split("/").length === 2;
    const place = index === undefined ? field : `${field}[${index}]`;
    return { where: isKnown ? formatPlace(part, place) : pointer, message: detail };
  });
}
