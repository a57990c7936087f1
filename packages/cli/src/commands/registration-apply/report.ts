/** What a run prints with --dry-run and at its end. */
import type { Access } from "../../call/access/access.ts";
import { CliError } from "../../failures/errors.ts";
import { accessFlags } from "../../operation/hints.ts";
import { COLOURED, PLAIN } from "../../output/text/style.ts";
import { programName } from "../../process/config.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { ApplyContext } from "./apply-context.ts";
import type { Applied } from "./apply-steps.ts";
import type { Plan } from "./plan.ts";
import { planText } from "./plan-text.ts";
import type { Present } from "./present.ts";
import { applyData, planData } from "./result.ts";
import type { Step } from "./step.ts";
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

/** Prints the current state of the registration. @throws {CliError} If steps are blocked. */
export async function finish(applied: Applied, plan: Plan, present: Present, run: ApplyContext): Promise<void> {
  const { line } = run;
  const blocked = plan.steps.filter(({ action }) => action === "blocked");
  const { steps, ...head } = applyData(plan, applied, present);
  // people saw each step as it was done
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
  return new CliError(EXIT.partial, "steps_blocked", "part of the file is not possible yet", {
    faults: blocked.map(({ part, name, remarks: [message = ""] }) => ({
      where: `${formatPlace(part, "")}, ${name}`,
      message,
    })),
    hints: [`Run the same command again once that is the brand of the file: ${status} shows the brands.`],
  });
}

function allAsItIs({ steps }: Plan): string {
  const isUnknown = steps.some(({ action }) => action === "unknown");
  if (!isUnknown) return "Nothing to do: the registration matches the file.";
  return "Nothing to do, as far as the service shows it. Give --send-hidden to send rawProviderPayload anyway.";
}
