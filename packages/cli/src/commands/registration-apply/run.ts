/** `msgctl registration apply`: reads the file and the current state, shows the plan, asks, applies it and reports. */

import type { Access } from "../../call/access/access.ts";
import { resolveAccess } from "../../call/access/resolve-access.ts";
import { CliError, type Fault, UsageError } from "../../failures/errors.ts";
import { readMessage } from "../../failures/thrown.ts";
import { readText } from "../../flags/read-text.ts";
import type { CommandContext } from "../../model/catalog.ts";
import type { CommandLine } from "../../model/command.ts";
import { type OpenLine, openLine } from "../../operation/open-line.ts";
import { isNothingConfigured } from "../../operation/preview/preview-access.ts";
import { COLOURED, PLAIN } from "../../output/text/style.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Io } from "../../process/io.ts";
import { type ApplyContext, isReported, isScreenColoured, loadRecords, readPresent, send } from "./apply-context.ts";
import { applySteps, type StepResult, stepFailure } from "./apply-steps.ts";
import { readMarked } from "./marked-document.ts";
import { type Plan, planRegistration } from "./plan.ts";
import { NOTHING_PRESENT, type Present } from "./present.ts";
import { applyData, confirmPlan, doneLine, finish, showPlan } from "./report.ts";
import { isOpen } from "./step.ts";
import { readWanted, type Wanted } from "./wanted.ts";

/** Runs the command. @throws {CliError} Unless everything matches the file at the end. */
export async function runApply(flags: CommandLine, io: Io, context: CommandContext): Promise<void> {
  const line = await openLine(flags, io, context);
  line.refuse([]);
  const path = flags.arguments.get("file") ?? "";
  const fileName = path === "-" ? "standard input" : path;
  const records = await loadRecords(context.catalog);
  const run = { line, flags, io, context, records, fileName };
  const wanted = await readFileText(await readFileOf(path, io), run);
  const isPreview = line.options.preview !== undefined;
  const access = findAccess(line, io, isPreview);
  const present = access === undefined ? NOTHING_PRESENT : await readPresent(wanted.merchantId, access, run);
  const options = { sendsHidden: flags.flags.sendHidden === true };
  const planned = planRegistration(wanted, present, records, options);
  if (!planned.ok) throw wrongFile(fileName, planned.faults);
  if (isPreview) return showPlan(planned.plan, present, access, run);
  // only a preview works without a credential
  if (access !== undefined) await apply(planned.plan, present, access, run);
}

async function readFileOf(path: string, io: Io): Promise<string> {
  try {
    return await readText(path, io);
  } catch (error) {
    throw new UsageError(`${JSON.stringify(path)} ${readMessage(error)}`, [
      "Give the path of a YAML or JSON file, or - for standard input.",
    ]);
  }
}

async function readFileText(text: string, { records, fileName }: ApplyContext): Promise<Wanted> {
  const marked = await readMarked(text);
  if (!marked.ok) throw wrongFile(fileName, marked.faults);
  const read = readWanted(marked.root, records);
  if (!read.ok) throw wrongFile(fileName, read.faults);
  return read.wanted;
}

function wrongFile(name: string, faults: readonly Fault[]): CliError {
  const count = faults.length === 1 ? "a fault" : `${faults.length} faults`;
  return new CliError(EXIT.usage, "invalid_input", `${name} has ${count}; nothing was sent`, {
    faults,
    hints: ["Run `msgctl registration campaign --help`, or that of brand and number, for what each field takes."],
  });
}

/** Returns undefined if a preview has no credential: the plan then assumes that nothing is registered. */
function findAccess({ options, settings }: OpenLine, io: Io, isPreview: boolean): Access | undefined {
  try {
    return resolveAccess(options, settings, io.cwd);
  } catch (error) {
    if (isPreview && isNothingConfigured(error)) return undefined;
    throw error;
  }
}

async function apply(plan: Plan, present: Present, access: Access, run: ApplyContext): Promise<void> {
  const { line, io, records } = run;
  const style = isScreenColoured(run) ? COLOURED : PLAIN;
  const open = plan.steps.filter(isOpen);
  if (open.length === 0) {
    const results = plan.steps.map((step): StepResult => ({ step, outcome: "kept", view: step.view }));
    return finish({ results, failure: undefined }, plan, present, run);
  }
  await confirmPlan(plan, access, style, run);
  const applied = await applySteps(plan, records, {
    send: (request, { name, kind }) => send({ ...request, label: `${kind} ${name}` }, access, run),
    onDone: (result) => {
      if (isReported(run)) io.stderr.write(`${doneLine(result, style)}\n`);
    },
    signal: io.signal,
  });
  if (applied.failure !== undefined) {
    if (line.options.output !== "table") await line.print(applyData(plan, applied, undefined));
    throw stepFailure(applied);
  }
  return finish(applied, plan, await readPresent(plan.merchantId, access, run), run);
}
