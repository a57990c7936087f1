/** A command that makes one call for each row of a file: check, ask, call, sum up. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Fetch } from "@msgctl/sdk";
import type { Access } from "../call/access/access.ts";
import { resolveAccess } from "../call/access/resolve-access.ts";
import { CliError, InputError } from "../failures/errors.ts";
import type { CommandContext } from "../model/catalog.ts";
import type { CommandLine } from "../model/command.ts";
import { accessFlags } from "../operation/hints.ts";
import { compactJson } from "../output/json/json.ts";
import { hasColour, readSettings } from "../process/config.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import { createAsker } from "../prompts/inquirer-asker.ts";
import { findKeyboard } from "../prompts/keyboard.ts";
import type { BulkJob } from "./bulk-job.ts";
import { type BulkFlags, readBulkFlags } from "./bulk-options.ts";
import { callRows, messageOf, type RowOutcome } from "./call-rows.ts";
import { writeFailedFile } from "./failed-file.ts";
import { Failures } from "./failure-groups.ts";
import { digest, findJournal } from "./journal/find-journal.ts";
import { type Journal, openJournal } from "./journal/journal.ts";
import { shortenOldJournals } from "./journal/old-journals.ts";
import type { RowState } from "./journal/row-states.ts";
import { type CheckedList, checkList } from "./list/checked-list.ts";
import { openSource, type SourceFile } from "./list/source-file.ts";
import { createProgress, rowsOf } from "./progress.ts";
import { type FailedFile, type RowCounts, sumUp, throwUnlessDone } from "./summary.ts";

interface Run {
  job: BulkJob;
  flags: BulkFlags;
  source: SourceFile;
  list: CheckedList;
  io: Io;
  context: CommandContext;
}

/** Runs it. @throws {CliError} Unless every row is done. */
export async function runBulk(
  job: BulkJob,
  line: CommandLine,
  io: Io,
  context: CommandContext,
  transport?: Fetch,
): Promise<void> {
  const flags = readBulkFlags(line, io, job.words, job.record);
  const source = await openSource(line.arguments.get("csv") ?? "", io);
  try {
    const list = await checkList(source, job.record, flags);
    const run = { job, flags, source, list, io, context };
    if (flags.global.preview !== undefined) tellPlan(run);
    else await runList(run, transport);
  } finally {
    await source.close();
  }
}

/** --dry-run: what would be done. */
function tellPlan({ job, flags, list, io }: Run): void {
  const isCharged = job.record.cost === "billable";
  const plan = { rows: list.rowCount, isCharged };
  if (flags.format !== "table") io.stdout.write(`${JSON.stringify(plan)}\n`);
  else
    io.stdout.write(
      `${rowsOf(list.rowCount)} would be sent, as ${job.noun}.${isCharged ? " Each is charged to the account." : ""}\n`,
    );
  if (!flags.global.quiet) io.stderr.write("Every row is valid by the contract. Nothing was sent.\n");
}

async function runList(run: Run, transport: Fetch | undefined): Promise<void> {
  const { job, flags, list, io } = run;
  const settings = readSettings(io.env);
  const access = resolveAccess(flags.global, settings, io.cwd);
  const listKey = listKeyOf(list, flags.global.idempotencyKey);
  const { isSameAccount } = flags;
  const journal = openJournal(findJournal({ folder: join(settings.folder, "bulk"), listKey, access, isSameAccount }));
  // of a file of failed rows, what failed is asked for again: it may have been mended
  const wanted: readonly RowState[] = list.partOf === undefined ? ["open"] : ["open", "failed"];
  const isWanted = (index: number) => wanted.includes(journal.stateOf(index));
  try {
    const before = countsOf(run, journal);
    const askedCount = wanted.includes("failed") ? before.open + before.failed : before.open;
    if (askedCount > 0) {
      refuseForgotten(journal, before.open, flags);
      await confirm(run, askedCount, access);
      journal.begin(Date.now());
    }
    const outcomes = { ended: 0, total: askedCount, notDone: 0 };
    let refusedCount = 0;
    const failures = new Failures();
    if (before.failed > 0 && !wanted.includes("failed")) await addEarlier(list, journal, failures);
    const progress = createProgress(io.stderr, !flags.global.quiet);
    const tell = (outcome: RowOutcome) => {
      outcomes.ended += 1;
      if (!outcome.ok) outcomes.notDone += 1;
      if (!outcome.ok && !outcome.isOpen) refusedCount += 1;
      if (!outcome.ok)
        failures.add(outcome, { code: outcome.error.code, message: messageOf(outcome.error) }, outcome.error);
      if (flags.format === "jsonl") {
        if (io.stdout.isTTY) progress.clear();
        io.stdout.write(`${compactJson(asLine(outcome))}\n`);
      }
      progress.show(outcomes);
    };
    const { concurrency } = flags;
    const { timeoutMs, retries } = flags.global;
    const keyPrefix = `bulk-${listKey}`;
    const { signal } = io;
    let failure: unknown;
    try {
      const bounds = { concurrency, timeoutMs, retries, signal };
      if (askedCount > 0)
        await callRows({ job, list, journal, isWanted, access, keyPrefix, transport, tell, ...bounds });
    } catch (error) {
      failure = error;
    }
    progress.clear();
    const failedFile = await keepFailed(run, { journal, listKey, refusedCount });
    const counts = countsOf(run, journal);
    const groups = await failures.groups({
      ...{ record: job.record, access: accessFlags(flags.global) },
      hint: (code) => run.context.catalog.hint(code),
    });
    const notBegun = askedCount - outcomes.ended;
    const summary = { counts, earlierCount: before.done, notBegun, groups, failedFile, journalPath: journal.path };
    sumUp(summary, flags, io);
    throwUnlessDone(summary, failure, { job, flags });
  } finally {
    journal.close();
    shortenOldJournals(dirname(journal.path), Date.now());
  }
}

/** What the keys of a list's rows begin with: it says what is sent, and is the same wherever it is sent to. */
function listKeyOf({ hash, partOf }: CheckedList, word: string | undefined): string {
  if (partOf === undefined) return word === undefined ? digest(hash) : digest(hash, word);
  if (word === undefined) return partOf;
  const message = `received ${JSON.stringify(word)}; these rows have keys of their own, so that none is sent twice`;
  throw new InputError([{ where: "--idempotency-key", message }], [], ["Leave it out."]);
}

/** How long the service knows a key. */
const KEYS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

function refuseForgotten({ begunAtMs, path }: Journal, openCount: number, { isOpenResent }: BulkFlags): void {
  if (begunAtMs === undefined || isOpenResent || Date.now() - begunAtMs < KEYS_KEPT_MS) return;
  const begun = new Date(begunAtMs).toISOString();
  const message = `this list was begun on ${begun}, and the service has forgotten its keys: of ${rowsOf(openCount)} without a known outcome some may be done`;
  throw new CliError(EXIT.usage, "keys_forgotten", message, {
    hints: [`What is known is in ${path}.`, "Give --resend-open to send them all the same."],
  });
}

async function confirm({ job, flags, source, io }: Run, openCount: number, { baseUrl }: Access): Promise<void> {
  if (job.record.cost !== "billable" || flags.global.yes) return;
  const what = `${rowsOf(openCount)} of ${source.name}, as ${job.noun}, at ${baseUrl}`;
  const keyboard = findKeyboard(io, flags.global);
  if (keyboard === undefined) {
    throw new CliError(EXIT.inputNeeded, "confirmation_needed", `${what} would be sent and charged; nothing was sent`, {
      hints: ["Give -y to send them, or --dry-run to check the file alone."],
    });
  }
  const isColoured = hasColour(io.env, io.stderr);
  const asker = createAsker({ keyboard, screen: io.stderr, isColoured, signal: io.signal });
  asker.tell(`Send ${what}. Each is charged to the account.`);
  if (await asker.confirm("Go ahead?", false)) return;
  throw new CliError(EXIT.interrupted, "not_confirmed", "not confirmed; nothing was sent", {
    hints: ["Give -y to go ahead without being asked."],
  });
}

function asLine(outcome: RowOutcome): object {
  const { index, line, idempotencyKey } = outcome;
  const row = { row: index + 1, line, ok: outcome.ok };
  if (outcome.ok) return { ...row, idempotencyKey, replayed: outcome.replayed, data: outcome.data };
  const { code, details } = outcome.error;
  const error = {
    code,
    message: messageOf(outcome.error),
    status: details.status ?? null,
    requestId: details.requestId ?? null,
  };
  return { ...row, idempotencyKey, isOpen: outcome.isOpen, error };
}

function countsOf({ list }: Run, journal: Journal): RowCounts {
  const { done, failed } = journal.count(list.has);
  return { rows: list.rowCount, done, failed, open: list.rowCount - done - failed };
}

/** What refused rows of earlier runs: they are not asked for again. */
async function addEarlier(list: CheckedList, journal: Journal, failures: Failures): Promise<void> {
  for await (const row of list.rows((index) => journal.stateOf(index) === "failed")) {
    const failure = journal.failureOf(row.index);
    if (failure !== undefined) failures.add(row, failure);
  }
}

/** Left alone where this run has added nothing to it: its rows may have been mended by now. */
async function keepFailed(
  { job, source, list }: Run,
  { journal, listKey, refusedCount }: { journal: Journal; listKey: string; refusedCount: number },
): Promise<FailedFile> {
  if (journal.count(list.has).failed === 0) return undefined;
  const { lastFailedFile } = journal;
  if (refusedCount === 0 && lastFailedFile !== undefined && existsSync(lastFailedFile)) return { path: lastFailedFile };
  try {
    const { operationId } = job.record;
    const rows = list.rawRows();
    return { path: await writeFailedFile({ rows, operationId, listKey, journal, pathOf: source.failedPath }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
