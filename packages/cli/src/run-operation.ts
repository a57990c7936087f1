/** What happens once a command line is read: check, call, show. Loaded only when an operation really runs. */
import type { Access } from "./access/access.ts";
import { resolveAccess } from "./access/resolve-access.ts";
import { withProfileDefaults } from "./access/setting-keys.ts";
import type { Catalog } from "./catalog.ts";
import { readSettings } from "./config.ts";
import { type Answer, type Call, call } from "./connection.ts";
import { CliError, type Fault, InputError } from "./errors.ts";
import { type GlobalOptions, readGlobalOptions } from "./global-flags.ts";
import { type Failed, fillHint } from "./hints.ts";
import type { Io } from "./io.ts";
import { readQuery } from "./output/query.ts";
import { type Shown, show } from "./output/show.ts";
import { converse } from "./prompts/dialogue.ts";
import { findKeyboard } from "./prompts/keyboard.ts";
import { withSpinner } from "./prompts/spinner.ts";
import type { OperationRecord } from "./record.ts";
import { PREVIEW_OUTPUT, previewOf } from "./request/preview.ts";
import { previewAccess } from "./request/preview-access.ts";
import { createRequestReader, type RequestReader } from "./request/request-reader.ts";
import { traceTo } from "./request/trace.ts";
import type { RawValues, ReadRequest } from "./request.ts";
import { shellWord } from "./shell-word.ts";

export interface Invocation {
  record: OperationRecord;
  values: RawValues;
  /** What commander read for the global flags. */
  flags: Record<string, unknown>;
}

/** Runs one operation. @throws {CliError} Whose exit code says how it ended. */
export async function runOperation(invocation: Invocation, io: Io, context: Context): Promise<void> {
  const { record, flags } = invocation;
  const settings = readSettings(io.env);
  const { options, faults } = readGlobalOptions(withProfileDefaults(flags, settings), settings, record);
  const query = await readQuery(options.query, faults);
  const { preview } = options;
  const reader = await createRequestReader(record, options, io);
  const read = reader(invocation.values);
  const isConfirmed = record.cost === undefined || options.yes || preview !== undefined;
  const wrong = [...faults, ...read.wrong];
  const isOpen = wrong.length === 0 && (read.missing.length > 0 || !isConfirmed);
  const keyboard = isOpen ? findKeyboard(io, options) : undefined;
  if (keyboard === undefined) refuse(record, wrong, read.missing);
  // before any question: whoever answers them all must not learn then that there is nowhere to send it
  const resolve = () => resolveAccess(options, settings, io.cwd);
  const access = await (preview === undefined
    ? resolve()
    : previewAccess(resolve, [options.baseUrl, settings.baseUrl]));
  const { values, request } =
    keyboard === undefined
      ? { values: invocation.values, request: read.request }
      : await ask({ ...invocation, ...read, reader, isConfirmed, options, access }, keyboard, io);
  const { timeoutMs, idempotencyKey, retries } = options;
  const sending = { record, request, access, timeoutMs, signal: io.signal, idempotencyKey, retries };
  const { isColoured } = context;
  if (preview !== undefined) return showPreview(sending, preview, { options, query, isColoured }, io);
  const hooks = options.verbose ? traceTo(io.stderr, request.query) : undefined;
  const called = call({ ...sending, hooks });
  const waited =
    options.quiet || options.verbose ? called : withSpinner({ screen: io.stderr, label: record.summary }, called);
  const answer = await waited.catch(async (error: unknown) => {
    throw await withContractHint(
      error,
      { record, values, body: request.body, access: accessFlags(options) },
      context.catalog,
    );
  });
  await showAnswer(answer, { output: record.output, options, query, isColoured }, io);
}

function refuse(record: OperationRecord, wrong: readonly Fault[], missing: readonly Fault[]): void {
  if (wrong.length + missing.length === 0) return;
  throw new InputError(wrong, missing, [`Run \`msgctl ${record.group} ${record.name} --help\`.`]);
}

async function showPreview(
  call: Call,
  preview: "request" | "curl",
  how: Pick<Shown, "options" | "query" | "isColoured">,
  io: Io,
): Promise<void> {
  const { output, quiet, showSecrets } = how.options;
  const { text, data, remarks } = await previewOf(call, { preview, showSecrets }, io.env);
  if (how.query !== undefined || (output !== "table" && output !== "raw")) {
    return show({ ...how, data, output: PREVIEW_OUTPUT, remarks }, io);
  }
  io.stdout.write(text);
  if (!quiet) for (const remark of remarks) io.stderr.write(`${remark}\n`);
}

interface Unanswered extends Invocation, ReadRequest {
  reader: RequestReader;
  isConfirmed: boolean;
  options: GlobalOptions;
  access: Access;
}

/** Asks for what is missing and for the confirmation; gives the values and the request that they make. */
async function ask(unanswered: Unanswered, keyboard: NodeJS.ReadableStream, io: Io) {
  const { record, options, access, reader } = unanswered;
  const asked = { ...unanswered, baseUrl: access.baseUrl, quiet: options.quiet };
  const values = await converse(asked, keyboard, io);
  const { request, wrong, missing } = reader(values);
  refuse(record, wrong, missing);
  return { values, request };
}

export interface Context {
  catalog: Catalog;
  /** Whether standard output is coloured. */
  isColoured: boolean;
}

/** The failure of a call with what the contract advises for its code. */
export async function withContractHint(error: unknown, command: Omit<Failed, "error">, catalog: Catalog) {
  if (!(error instanceof CliError) || error.details.status === undefined) return error;
  const hint = await catalog.hint(error.code);
  if (hint === undefined) return error;
  const hints = [fillHint(hint, { ...command, error }), ...(error.details.hints ?? [])];
  return new CliError(error.exitCode, error.code, error.message, { ...error.details, hints });
}

/** What another command must be given to reach the same service as the same caller. */
export function accessFlags({ profile, baseUrl }: Pick<GlobalOptions, "profile" | "baseUrl">): string {
  const flags = { "--profile": profile, "--base-url": baseUrl };
  return Object.entries(flags)
    .map(([flag, value]) => (value === undefined ? "" : ` ${flag} ${shellWord(value)}`))
    .join("");
}

async function showAnswer(answer: Answer, how: Omit<Shown, "data" | "remarks">, io: Io): Promise<void> {
  const remarks = answer.replayed ? ["Already done under this idempotency key; this is its present state."] : [];
  await show({ ...how, data: answer.data, remarks }, io);
}
