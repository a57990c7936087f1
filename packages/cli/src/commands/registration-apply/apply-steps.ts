/** Applies the steps of a plan in order. The caller decides how a request is sent. */
import { CliError } from "../../failures/errors.ts";
import type { OperationRecord } from "../../model/record.ts";
import type { RequestParts } from "../../model/request.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Plan } from "./plan.ts";
import type { View } from "./present.ts";
import type { RegistrationRecords } from "./registration-records.ts";
import { isOpen, type Step } from "./step.ts";
import { stepKey } from "./step-key.ts";

/** The outcome of a step: `failed` ended the run, `left` comes after the failed one, `kept` had nothing to do. */
export type Outcome = "done" | "failed" | "left" | "kept";

export interface StepResult {
  step: Step;
  outcome: Outcome;
  /** The service's current state; undefined if it has none. */
  view: View | undefined;
}

export interface Applied {
  results: readonly StepResult[];
  /** The step that ended the run, and why. */
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

/** Applies the steps up to the first that fails. */
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

/** The latest view of the step's object in this run: a number is assigned after its own step. */
function findView({ part, view }: Step, results: readonly StepResult[]): View | undefined {
  return results.findLast((result) => result.step.part.path === part.path)?.view ?? view;
}

function interrupted(): CliError {
  return new CliError(EXIT.interrupted, "interrupted", "interrupted");
}
