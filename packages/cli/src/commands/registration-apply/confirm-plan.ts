import type { Access } from "../../call/access/access.ts";
import { CliError } from "../../failures/errors.ts";
import { CONSEQUENCES } from "../../operation/questions/confirm-cost.ts";
import { COLOURED, type Style } from "../../output/text/style.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { createAsker } from "../../prompts/create-asker.ts";
import { findKeyboard } from "../../prompts/keyboard.ts";
import { type ApplyContext, isReported } from "./apply-context.ts";
import type { Plan } from "./plan.ts";
import { formatCounts, planText } from "./plan-text.ts";
import { isOpen } from "./step.ts";

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
    const message = `the ${what} is not what ${fileName} says (${formatCounts(open)}), and this is not a terminal, so msgctl cannot ask; nothing was changed`;
    throw new CliError(EXIT.inputNeeded, "confirmation_needed", message, {
      hints: ["Give -y to skip the question, or --dry-run to only see the plan."],
    });
  }
  const asker = createAsker({ keyboard, screen: io.stderr, isColoured: style === COLOURED, signal: io.signal });
  const costs = new Set(open.flatMap(({ kind }) => records[kind].cost ?? []));
  asker.tell([`This is done to the ${what}.`, ...[...costs].map((cost) => CONSEQUENCES[cost])].join(" "));
  if (await asker.confirm("Go ahead?", false)) return;
  throw new CliError(EXIT.interrupted, "not_confirmed", "not confirmed; nothing was changed", {
    hints: ["Give -y to skip the question."],
  });
}
