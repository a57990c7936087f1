/** What happens once a command line is read: check, call, show. Loaded only when an operation really runs. */
import type { Access } from "./access/access.ts";
import { resolveAccess } from "./access/resolve-access.ts";
import { withProfileDefaults } from "./access/setting-keys.ts";
import type { Catalog } from "./catalog.ts";
import { readSettings } from "./config.ts";
import { type Answer, call } from "./connection.ts";
import { type Fault, InputError } from "./errors.ts";
import { type GlobalOptions, readGlobalOptions } from "./global-flags.ts";
import { accessFlags, withContractHint } from "./hints.ts";
import type { Io } from "./io.ts";
import { readQuery } from "./output/query.ts";
import { type Shown, show } from "./output/show.ts";
import { converse } from "./prompts/dialogue.ts";
import { findKeyboard } from "./prompts/keyboard.ts";
import { withSpinner } from "./prompts/spinner.ts";
import type { OperationRecord } from "./record.ts";
import { previewAccess } from "./request/preview-access.ts";
import { createRequestReader, type RequestReader } from "./request/request-reader.ts";
import { showPreview } from "./request/show-preview.ts";
import { traceTo } from "./request/trace.ts";
import type { RawValues, ReadRequest } from "./request.ts";
import { awaitCreated } from "./waits/await-created.ts";
import { readWait } from "./waits/wait-flags.ts";

export interface Invocation {
  record: OperationRecord;
  values: RawValues;
  /** What commander read for the global flags, and for those of the record's wait. */
  flags: Record<string, unknown>;
}

/** Runs one operation. @throws {CliError} Whose exit code says how it ended. */
export async function runOperation(invocation: Invocation, io: Io, context: Context): Promise<void> {
  const { record, flags } = invocation;
  const settings = readSettings(io.env);
  const waitFaults: Fault[] = [];
  const waitMs = readWait(flags, waitFaults);
  // --columns chooses from what is printed, which then is another operation's answer
  const recipe = waitMs === undefined ? undefined : record.wait;
  const { output } = recipe === undefined ? record : await context.catalog.record(recipe.operation);
  const printed = { output, idempotent: record.idempotent };
  const { options, faults } = readGlobalOptions(withProfileDefaults(flags, settings), settings, printed);
  faults.push(...waitFaults);
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
  if (recipe === undefined || waitMs === undefined)
    return showAnswer(answer, { output, options, query, isColoured }, io);
  const waiting = { ...answer, record, recipe, timeoutMs: waitMs, access, options, query, isColoured };
  await awaitCreated(waiting, io, context.catalog);
}

function refuse(record: OperationRecord, wrong: readonly Fault[], missing: readonly Fault[]): void {
  if (wrong.length + missing.length === 0) return;
  throw new InputError(wrong, missing, [`Run \`msgctl ${record.group} ${record.name} --help\`.`]);
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

async function showAnswer(answer: Answer, how: Omit<Shown, "data" | "remarks">, io: Io): Promise<void> {
  const remarks = answer.replayed ? ["Already done under this idempotency key; this is its present state."] : [];
  await show({ ...how, data: answer.data, remarks }, io);
}
