/** Runs a parsed command line: checks it, makes the call, shows the answer. Loaded only when an operation runs. */
import type { Access } from "../call/access/access.ts";
import { resolveAccess } from "../call/access/resolve-access.ts";
import { withProfileDefaults } from "../call/access/setting-keys.ts";
import { type Answer, type Call, call } from "../call/connection.ts";
import { keepListedIds } from "../call/listed-ids.ts";
import { noteSentKeys, type SentKeys } from "../call/sent-keys.ts";
import { CliError, type Fault, InputError } from "../failures/errors.ts";
import { type GlobalOptions, readGlobalOptions } from "../flags/global-options.ts";
import type { Catalog, CommandContext } from "../model/catalog.ts";
import type { OperationRecord, WaitRecipe } from "../model/record.ts";
import type { RawValues } from "../model/request.ts";
import { type Query, readQuery } from "../output/query/query.ts";
import { type Shown, show } from "../output/show.ts";
import { programName, readSettings, type Settings } from "../process/config.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import { findKeyboard } from "../prompts/keyboard.ts";
import { withSpinner } from "../prompts/spinner.ts";
import { accessFlags, withContractHint } from "./hints.ts";
import { lookAgain } from "./look-again.ts";
import { previewAccess } from "./preview/preview-access.ts";
import { showPreview } from "./preview/show-preview.ts";
import { traceTo } from "./preview/trace.ts";
import { converse } from "./questions/dialogue.ts";
import { createOffer } from "./questions/offer.ts";
import { fillValues, findFillable, withoutFillable, withPlaceholders } from "./request/filled-values.ts";
import { createRequestReader } from "./request/request-reader.ts";
import { readWait } from "./wait-options.ts";

export interface Invocation {
  record: OperationRecord;
  values: RawValues;
  /** Values of the global flags and the wait flags as commander read them. */
  flags: Record<string, unknown>;
}

/** Runs an operation. @throws {CliError} Unless it succeeds; the error has the exit code. */
export async function runOperation(invocation: Invocation, io: Io, context: OperationContext): Promise<void> {
  const prepared = await prepare(invocation, io, context);
  const { preview } = prepared.options;
  if (preview !== undefined) return showPreview(prepared.sending, preview, prepared, io);
  const noted = prepared.record.idempotent ? noteSentKeys(prepared) : undefined;
  const answer = await send(prepared, noted, io, context);
  if (prepared.wait === undefined) await showAnswer(answer, prepared, noted, io, context);
  else await context.awaitCreated({ ...prepared, ...prepared.wait, ...answer }, io, context.catalog);
  keepListedIds(answer.data, prepared);
}

/** A complete and valid line, with all that its request needs. */
interface Prepared extends Invocation, Omit<Shown, "data" | "remarks"> {
  settings: Settings;
  options: GlobalOptions;
  access: Access;
  sending: Call;
  /** How to wait for the work that the operation starts; undefined without --wait. */
  wait: { recipe: WaitRecipe; timeoutMs: number } | undefined;
}

/** @throws {InputError} With every wrong value and, if the user cannot be asked, every missing one. */
async function prepare(invocation: Invocation, io: Io, { catalog, isColoured }: CommandContext): Promise<Prepared> {
  const { record, flags } = invocation;
  const settings = readSettings(io.env);
  const { wait, faults: waitFaults } = readWait(flags, record);
  // --columns applies to the printed answer: with --wait, that of the polled operation
  const { output } = wait === undefined ? record : await catalog.record(wait.recipe.operation);
  const printed = { output, idempotent: record.idempotent };
  const { options, faults } = readGlobalOptions(withProfileDefaults(flags, settings), settings, printed);
  faults.push(...waitFaults);
  const query = await readQuery(options.query, faults);
  const bodyReader = await createRequestReader(record, options, io);
  const reader = options.preview === "request" ? withPlaceholders(bodyReader, record) : bodyReader;
  const read = reader(invocation.values);
  // nothing can be filled in for --curl, since the printed command has to run unchanged
  const fillable = options.preview === undefined ? findFillable(record, read.missing) : [];
  const missing = withoutFillable(read.missing, fillable);
  const isConfirmed = record.cost === undefined || options.yes || options.preview !== undefined;
  const wrong = [...faults, ...read.wrong];
  const isOpen = wrong.length === 0 && (missing.length > 0 || !isConfirmed);
  const keyboard = isOpen ? findKeyboard(io, options) : undefined;
  if (keyboard === undefined) {
    refuse(record, wrong, missing);
    if (!isConfirmed) requireConfirmable(record);
  }
  // find the address before asking questions: otherwise a missing one would be reported only after all answers
  const resolve = () => resolveAccess(options, settings, io.cwd);
  const isPreview = options.preview !== undefined;
  const access = await (isPreview ? previewAccess(resolve, [options.baseUrl, settings.baseUrl]) : resolve());
  const service = { access, options, io, catalog };
  const filled = await fillValues(invocation.values, fillable, service);
  const { baseUrl } = access;
  const incomplete = { record, flags, values: filled, missing, isConfirmed, baseUrl, quiet: options.quiet };
  const offer = createOffer(service);
  const values = keyboard === undefined ? filled : await converse({ ...incomplete, offer }, keyboard, io);
  const whole = values === invocation.values ? read : reader(values);
  refuse(record, whole.wrong, whole.missing);
  const { timeoutMs, idempotencyKey, retries } = options;
  const sending = { record, request: whole.request, access, timeoutMs, signal: io.signal, idempotencyKey, retries };
  return { record, values, flags, settings, options, query, output, isColoured, access, sending, wait };
}

async function send(
  { record, values, options, sending }: Prepared,
  noted: SentKeys | undefined,
  io: Io,
  { catalog }: CommandContext,
): Promise<Answer> {
  const trace = options.verbose ? traceTo(io.stderr, sending.request.query) : undefined;
  const called = call({ ...sending, hooks: noted === undefined ? trace : noted.around(trace) });
  const isQuiet = options.quiet || options.verbose;
  const waited = isQuiet ? called : withSpinner({ screen: io.stderr, label: record.summary }, called);
  return waited.catch(async (error: unknown) => {
    const failed = { record, values, body: sending.request.body, access: accessFlags(options) };
    throw await withContractHint(error, failed, catalog);
  });
}

/** Shows the answer. If that fails after a write, the error carries the idempotency key, since the write happened. */
async function showAnswer(
  answer: Answer,
  prepared: Prepared,
  noted: SentKeys | undefined,
  io: Io,
  { catalog }: CommandContext,
): Promise<void> {
  const remarks = answer.replayed ? ["Already done with this idempotency key; this is the current state."] : [];
  try {
    if (!answer.replayed) remarks.push(...(await lookAgainRemarks(answer.data, prepared, noted?.key(), io, catalog)));
    await show({ ...prepared, data: answer.data, remarks, isPaged: true }, io);
  } catch (error) {
    const idempotencyKey = noted?.key();
    if (!(error instanceof CliError) || idempotencyKey === undefined) throw error;
    throw new CliError(error.exitCode, error.code, error.message, { ...error.details, idempotencyKey });
  }
}

/** Returns remarks on how to check the result, for people at a terminal. */
async function lookAgainRemarks(
  data: unknown,
  { record, values, flags, options, query }: Prepared,
  idempotencyKey: string | undefined,
  io: Io,
  catalog: Catalog,
): Promise<string[]> {
  const isForPeople = io.stderr.isTTY && options.output === "table" && query === undefined && !options.quiet;
  if (!isForPeople || record.cost !== "billable" || idempotencyKey === undefined) return [];
  const program = programName(io.env);
  const access = accessFlags(options);
  return lookAgain({ record, values, flags, data, idempotencyKey, program, access }, catalog);
}

function refuse(record: OperationRecord, wrong: readonly Fault[], missing: readonly Fault[]): void {
  if (wrong.length + missing.length === 0) return;
  throw new InputError(wrong, missing, [`Run \`msgctl ${record.group} ${record.name} --help\`.`]);
}

/**
 * Refuses an irreversible operation if nobody can confirm it. A billable operation needs no confirmation in a script: the
 * script's author intended it.
 */
function requireConfirmable({ cost, summary }: OperationRecord): void {
  if (cost !== "irreversible") return;
  const message = `${JSON.stringify(summary)} cannot be undone, and this is not a terminal, so msgctl cannot ask; nothing was sent`;
  throw new CliError(EXIT.inputNeeded, "confirmation_needed", message, {
    hints: ["Give -y to skip the question, or --dry-run to only see the request."],
  });
}

/** Work that an operation started, which --wait follows until it is finished. */
export interface Created {
  /** The service's answer to the operation. */
  data: unknown;
  record: OperationRecord;
  replayed: boolean;
  /** How to find out whether the work is finished. */
  recipe: WaitRecipe;
  timeoutMs: number;
  access: Access;
  options: GlobalOptions;
  query: Query | undefined;
  isColoured: boolean;
}

export interface OperationContext extends CommandContext {
  /** Called with the answer if `--wait` is given. */
  awaitCreated: (created: Created, io: Io, catalog: Catalog) => Promise<void>;
}
