/** Output of a run: the plan, the question, and the outcome as data and as lines for people. */
import type { Access } from "../../call/access/access.ts";
import { CliError } from "../../failures/errors.ts";
import { accessFlags } from "../../operation/hints.ts";
import { CONSEQUENCES } from "../../operation/questions/confirm-cost.ts";
import { printable } from "../../output/printable.ts";
import { MASK } from "../../output/secrets.ts";
import { COLOURED, PLAIN, type Style } from "../../output/text/style.ts";
import { programName } from "../../process/config.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { createAsker } from "../../prompts/create-asker.ts";
import { findKeyboard } from "../../prompts/keyboard.ts";
import { type ApplyContext, isReported } from "./apply-context.ts";
import type { Applied, Outcome, StepResult } from "./apply-steps.ts";
import type { Plan } from "./plan.ts";
import { formatCounts, formatTitle, planText } from "./plan-text.ts";
import type { Present, View } from "./present.ts";
import { isOpen, type Step } from "./step.ts";
import { formatPlace } from "./wanted-part.ts";

/** Prints the plan instead of applying it. */
export async function showPlan(
  plan: Plan,
  present: Present,
  access: Access | undefined,
  run: ApplyContext,
): Promise<void> {
  const { line, io, context } = run;
  const { output, query, quiet } = line.options;
  const remarks = [
    ...(access === undefined
      ? ["No credential or address is configured: the plan assumes that nothing is registered yet."]
      : []),
    "Nothing was sent.",
  ];
  if (query !== undefined || (output !== "table" && output !== "raw")) {
    return line.print(planData(plan, present), remarks);
  }
  const style = context.isColoured ? COLOURED : PLAIN;
  io.stdout.write(planText(plan, { style, width: io.stdout.isTTY ? io.stdout.columns : undefined }));
  if (!quiet) for (const remark of remarks) io.stderr.write(`${remark}\n`);
}

/** Prints the outcome, with the current state of the registration. @throws {CliError} If steps are blocked. */
export async function finish(applied: Applied, plan: Plan, present: Present, run: ApplyContext): Promise<void> {
  const { line } = run;
  const blocked = plan.steps.filter(({ action }) => action === "blocked");
  const { steps, ...head } = applyData(plan, applied, present);
  // in the output for people, each step was already printed when it was done
  const isForPeople = line.options.output === "table" && line.options.query === undefined;
  const remarks = blocked.length === 0 ? endRemarks(applied, plan, present, run) : [];
  await line.print(isForPeople ? head : { ...head, steps }, remarks);
  if (blocked.length > 0) throw blockedSteps(plan, blocked, run);
}

function endRemarks({ results }: Applied, plan: Plan, present: Present, { line, io }: ApplyContext): string[] {
  const didNothing = results.every(({ outcome }) => outcome === "kept");
  const wait = `\`${programName(io.env)} registration wait ${plan.merchantId}${accessFlags(line.options)}\``;
  return [
    ...(didNothing ? [allAsItIs(plan)] : []),
    present.readyToSend
      ? "The merchant is ready to send."
      : `The merchant is not ready to send yet: ${present.blockingReason ?? "the reason is not known"}. Run ${wait} to wait until it is.`,
  ];
}

function blockedSteps({ merchantId }: Plan, blocked: readonly Step[], { line }: ApplyContext): CliError {
  const status = `\`msgctl registration status ${merchantId}${accessFlags(line.options)}\``;
  return new CliError(EXIT.partial, "steps_blocked", "part of the file cannot be applied yet", {
    faults: blocked.map(({ part, name, remarks: [message = ""] }) => ({
      where: `${formatPlace(part, "")}, ${name}`,
      message,
    })),
    hints: [`Run the same command again once a new campaign would go to the file's brand: ${status} shows the brands.`],
  });
}

function allAsItIs({ steps }: Plan): string {
  const isUnknown = steps.some(({ action }) => action === "unknown");
  if (!isUnknown) return "Nothing to do: the registration matches the file.";
  return "Nothing to do, except perhaps in rawProviderPayload, which the service never shows: --send-hidden sends it anyway.";
}

/** Shows the plan and asks whether to apply it. @throws {CliError} Unless the answer is yes. */
export async function confirmPlan(plan: Plan, { baseUrl }: Access, style: Style, run: ApplyContext): Promise<void> {
  const { line, io, records, fileName } = run;
  const { options } = line;
  const keyboard = options.yes ? undefined : findKeyboard(io, options);
  const open = plan.steps.filter(isOpen);
  if (isReported(run) || keyboard !== undefined) {
    io.stderr.write(`${planText(plan, { style, width: io.stderr.isTTY ? io.stderr.columns : undefined })}\n`);
  }
  if (options.yes) return;
  const what = `registration of ${plan.merchantId} at ${baseUrl}`;
  if (keyboard === undefined) {
    const message = `the ${what} differs from ${fileName} (${formatCounts(open)}), and this is not a terminal, so msgctl cannot ask; nothing was changed`;
    throw new CliError(EXIT.inputNeeded, "confirmation_needed", message, {
      hints: ["Give -y to skip the question, or --dry-run to only see the plan."],
    });
  }
  const asker = createAsker({ keyboard, screen: io.stderr, isColoured: style === COLOURED, signal: io.signal });
  const costs = new Set(open.flatMap(({ kind }) => records[kind].cost ?? []));
  asker.tell([`These steps change the ${what}.`, ...[...costs].map((cost) => CONSEQUENCES[cost])].join(" "));
  if (await asker.confirm("Go ahead?", false)) return;
  throw new CliError(EXIT.interrupted, "not_confirmed", "not confirmed; nothing was changed", {
    hints: ["Give -y to skip the question."],
  });
}

/** The answer of the command. With --dry-run, steps with something to do have the outcome `planned`. */
export interface ApplyData {
  merchantId: string;
  /** Null if the state was not read again after a failure. */
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

/** `present` is the current state; undefined if it is unknown. */
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

/** Formats the line for a step that is done: `+ campaign bright-campaign-1: done (id 401, PENDING)`. */
export function doneLine({ step, view }: StepResult, style: Style): string {
  const isNew = step.action === "create";
  const state = view === undefined ? "" : printable(` (id ${view.id}, ${String(readState(step, view))})`);
  const text = `${isNew ? "+" : "~"} ${formatTitle(step)}: done${state}`;
  return isNew ? style.green(text) : style.yellow(text);
}
