/** `msgctl registration apply`: read the file, read the present state, show the plan, ask, do it, say how far it is. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Fetch } from "@msgctl/sdk";
import type { Access } from "../../call/access/access.ts";
import { resolveAccess } from "../../call/access/resolve-access.ts";
import { call } from "../../call/connection.ts";
import { CliError, type Fault, UsageError } from "../../failures/errors.ts";
import type { CommandContext } from "../../model/catalog.ts";
import type { CommandLine } from "../../model/command.ts";
import type { OperationRecord } from "../../model/record.ts";
import type { RequestParts } from "../../model/request.ts";
import { accessFlags, withContractHint } from "../../operation/hints.ts";
import { type OpenLine, openLine } from "../../operation/open-line.ts";
import { isNothingConfigured } from "../../operation/preview/preview-access.ts";
import { traceTo } from "../../operation/preview/trace.ts";
import { CONSEQUENCES } from "../../operation/questions/confirm-cost.ts";
import { isObject } from "../../output/fields.ts";
import { JSON_FORMATS } from "../../output/format.ts";
import { COLOURED, PLAIN, type Style } from "../../output/text/style.ts";
import { hasColour, programName } from "../../process/config.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Io } from "../../process/io.ts";
import { createAsker } from "../../prompts/inquirer-asker.ts";
import { findKeyboard } from "../../prompts/keyboard.ts";
import { withSpinner } from "../../prompts/spinner.ts";
import { type Applied, applySteps, type StepResult } from "./apply-steps.ts";
import { readMarked } from "./marked-document.ts";
import { type Plan, planRegistration } from "./plan.ts";
import { formatCounts, planText } from "./plan-text.ts";
import { NOTHING_PRESENT, type Present } from "./present.ts";
import { loadRecords, type RegistrationRecords } from "./registration-records.ts";
import { applyData, doneLine, planData } from "./result.ts";
import { isOpen, type Step } from "./step.ts";
import { stepFailure } from "./step-failure.ts";
import { formatPlace, readWanted, type Wanted } from "./wanted.ts";

interface Run {
  line: OpenLine;
  flags: CommandLine;
  io: Io;
  context: CommandContext;
  records: RegistrationRecords;
  /** How the file is called in messages. */
  fileName: string;
  transport: Fetch | undefined;
}

/** Runs it. @throws {CliError} Unless all is as the file says by the end. */
export async function runApply(flags: CommandLine, io: Io, context: CommandContext, transport?: Fetch): Promise<void> {
  const line = await openLine(flags, io, context, { requests: "several" });
  line.refuse([]);
  const path = flags.arguments.get("file") ?? "";
  const fileName = path === "-" ? "standard input" : path;
  const records = await loadRecords(context.catalog);
  const run = { line, flags, io, context, records, fileName, transport };
  const wanted = await readFileText(await readText(path, io), run);
  const isPreview = line.options.preview !== undefined;
  const access = findAccess(line, io, isPreview);
  const present = access === undefined ? NOTHING_PRESENT : await readPresent(wanted.merchantId, access, run);
  const options = { sendsHidden: flags.flags.sendHidden === true };
  const planned = planRegistration(wanted, present, records, options);
  if (!planned.ok) throw wrongFile(fileName, planned.faults);
  if (isPreview) return showPlan(planned.plan, present, access, run);
  // only a preview goes without
  if (access !== undefined) await apply(planned.plan, present, access, run);
}

async function readText(path: string, io: Io): Promise<string> {
  try {
    return path === "-" ? await io.readStdin() : readFileSync(resolve(io.cwd, path), "utf8");
  } catch {
    throw new UsageError(`${JSON.stringify(path)} cannot be read`, [
      "Give the path of a YAML or JSON file, or - for standard input.",
    ]);
  }
}

async function readFileText(text: string, { records, fileName }: Run): Promise<Wanted> {
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

/** A preview needs none: it then supposes that nothing is registered. */
function findAccess({ options, settings }: OpenLine, io: Io, isPreview: boolean): Access | undefined {
  try {
    return resolveAccess(options, settings, io.cwd);
  } catch (error) {
    if (isPreview && isNothingConfigured(error)) return undefined;
    throw error;
  }
}

interface Calling {
  record: OperationRecord;
  request: RequestParts;
  idempotencyKey: string | undefined;
  label: string;
}

async function send({ record, request, idempotencyKey, label }: Calling, access: Access, run: Run): Promise<unknown> {
  const { line, io, transport, context } = run;
  const { timeoutMs, retries, verbose, quiet } = line.options;
  const hooks = verbose ? traceTo(io.stderr, request.query) : undefined;
  const called = call({
    ...{ record, request, access, timeoutMs, retries, idempotencyKey },
    ...{ signal: io.signal, hooks, transport },
  });
  try {
    const answer = await (quiet || verbose ? called : withSpinner({ screen: io.stderr, label }, called));
    return answer.data;
  } catch (error) {
    const values = new Map(Object.entries(request.path).map(([name, value]) => [kebabCase(name), String(value)]));
    const failed = { record, values, body: request.body, access: accessFlags(line.options) };
    throw await withContractHint(error, failed, context.catalog);
  }
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

async function readPresent(merchantId: string, access: Access, run: Run): Promise<Present> {
  const { status: record } = run.records;
  const request = { path: { merchantId }, query: {}, headers: {}, body: undefined };
  const label = "Read the registration";
  const answer = await send({ record, request, idempotencyKey: undefined, label }, access, run);
  if (isPresent(answer)) return answer;
  throw new CliError(EXIT.service, "unexpected_reply", "the service did not answer with a registration");
}

function isPresent(answer: unknown): answer is Present {
  return isObject(answer) && LISTS.every((name) => Array.isArray(answer[name]));
}

const LISTS = ["brands", "campaigns", "numbers"] as const;

async function showPlan(plan: Plan, present: Present, access: Access | undefined, run: Run): Promise<void> {
  const { line, io, context } = run;
  const { output, query, quiet } = line.options;
  const remarks = [
    ...(access === undefined
      ? ["No credential or address is configured: the plan supposes that nothing is registered yet."]
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

async function apply(plan: Plan, present: Present, access: Access, run: Run): Promise<void> {
  const { line, io, records } = run;
  const style = isScreenColoured(run) ? COLOURED : PLAIN;
  const open = plan.steps.filter(isOpen);
  if (open.length === 0) {
    const results = plan.steps.map((step): StepResult => ({ step, outcome: "kept", view: step.view }));
    return finish({ results, failure: undefined }, plan, present, run);
  }
  await confirm(plan, access, style, run);
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

/** Whether people are told what happens. A program has it in the answer, and reads an error on standard error alone. */
function isReported({ line: { options } }: Run): boolean {
  return !options.quiet && !JSON_FORMATS.includes(options.output);
}

function isScreenColoured({ flags, io }: Run): boolean {
  return flags.globalFlags.color !== false && hasColour(io.env, io.stderr);
}

/** Shows the plan, and asks whether to do it. */
async function confirm(plan: Plan, { baseUrl }: Access, style: Style, run: Run): Promise<void> {
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
    const message = `the ${what} is not what ${fileName} says (${formatCounts(open)}), and nobody can be asked; nothing was changed`;
    throw new CliError(EXIT.inputNeeded, "confirmation_needed", message, {
      hints: ["Give -y to do it without being asked, or --dry-run to see the plan alone."],
    });
  }
  const asker = createAsker({ keyboard, screen: io.stderr, isColoured: style === COLOURED, signal: io.signal });
  const costs = new Set(open.flatMap(({ kind }) => records[kind].cost ?? []));
  asker.tell([`This is done to the ${what}.`, ...[...costs].map((cost) => CONSEQUENCES[cost])].join(" "));
  if (await asker.confirm("Go ahead?", false)) return;
  throw new CliError(EXIT.interrupted, "not_confirmed", "not confirmed; nothing was changed", {
    hints: ["Give -y to go ahead without being asked."],
  });
}

async function finish(applied: Applied, plan: Plan, present: Present, run: Run): Promise<void> {
  const { line } = run;
  const blocked = plan.steps.filter(({ action }) => action === "blocked");
  const { steps, ...head } = applyData(plan, applied, present);
  // for people each step was told as it was done
  const isForPeople = line.options.output === "table" && line.options.query === undefined;
  const remarks = blocked.length === 0 ? endRemarks(applied, plan, present, run) : [];
  await line.print(isForPeople ? head : { ...head, steps }, remarks);
  if (blocked.length > 0) throw blockedSteps(plan, blocked, run);
}

function endRemarks({ results }: Applied, plan: Plan, present: Present, { line, io }: Run): string[] {
  const didNothing = results.every(({ outcome }) => outcome === "kept");
  const wait = `\`${programName(io.env)} registration wait ${plan.merchantId}${accessFlags(line.options)}\``;
  return [
    ...(didNothing ? [allAsItIs(plan)] : []),
    present.readyToSend
      ? "The merchant is ready to send."
      : `The merchant is not ready to send yet: ${present.blockingReason ?? "the reason is not known"}. Run ${wait} to wait for it.`,
  ];
}

function blockedSteps({ merchantId }: Plan, blocked: readonly Step[], { line }: Run): CliError {
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
  if (!isUnknown) return "Nothing to do: all is as the file says.";
  return "Nothing to do, as far as the service shows it; --send-hidden sends rawProviderPayload all the same.";
}
