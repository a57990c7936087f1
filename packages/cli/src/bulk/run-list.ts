/** Runs a checked list: compares it with earlier runs, makes the calls, saves the failed rows, and sums up. */
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM } from "@msgctl/contract/constants";
import type { Access } from "../call/access/access.ts";
import { resolveAccess } from "../call/access/resolve-access.ts";
import { CliError } from "../failures/errors.ts";
import { readMessage } from "../failures/thrown.ts";
import { canonicalBaseUrl } from "../flags/base-url.ts";
import type { Catalog } from "../model/catalog.ts";
import { accessFlags } from "../operation/hints.ts";
import { readOnce } from "../operation/service-read.ts";
import { readField } from "../output/fields.ts";
import { formatMoment } from "../output/text/moments.ts";
import { formatCount, formatRowCount } from "../output/text/quantities.ts";
import { readSettings } from "../process/config.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import type { BulkListener, RowOutcome } from "./bulk-event.ts";
import type { BulkJob, RowReview } from "./bulk-job.ts";
import type { BulkFlags } from "./bulk-options.ts";
import { callRows, toRowFailure } from "./call-rows.ts";
import { confirmRows } from "./confirm-rows.ts";
import { decideEarlierRows, describeEarlierRows, planRows, type RowPlan } from "./earlier-rows.ts";
import { writeFailedFile } from "./failed-file.ts";
import { FailureGroups } from "./failure-groups.ts";
import { findAsker } from "./find-asker.ts";
import {
  compareWithEarlierRuns,
  type EarlierRuns,
  refuseFormerJournals,
  removeOldJournals,
} from "./journal/earlier-runs.ts";
import { type Journal, listUnderWay, openJournal } from "./journal/journal.ts";
import type { EarlierRows } from "./journal/journal-lines.ts";
import { createRecipientDigest } from "./journal/recipient-digest.ts";
import type { CheckedList, ListRow } from "./list/checked-list.ts";
import { totalRows } from "./list/row-totals.ts";
import type { SourceFile } from "./list/source-file.ts";
import { type FailedFile, type RowCounts, throwUnlessDone } from "./summary.ts";

export interface ListRun {
  job: BulkJob;
  flags: BulkFlags;
  source: SourceFile;
  list: CheckedList;
  io: Io;
  catalog: Catalog;
}

/** Folder of journals, inside the settings' folder. */
export const BULK_FOLDER = "bulk";

/** Runs a list, calling the listener for each event. @throws {CliError} Unless every row is done. */
export async function runList(run: ListRun, listener: BulkListener): Promise<void> {
  const { job, flags, source, list, io } = run;
  const settings = readSettings(io.env);
  const access = resolveAccess(flags.global, settings, io.cwd);
  const bulkFolder = join(settings.folder, BULK_FOLDER);
  refuseFormerJournals(bulkFolder);
  const { folder, account } = findJournals(bulkFolder, access, job);
  const { isSameAccount, isOnlyNew, word, global } = flags;
  const isState = job.recipientField === undefined;
  const asked = { folder, list, listName: source.listName, account, isSameAccount, word, isState };
  const earlier = compareWithEarlierRuns(asked);
  const recipientOf = createRecipientReader(job, folder);
  let journal = earlier.interrupted === undefined ? undefined : await openJournal(earlier.interrupted.path, io);
  try {
    const plan = await planRows({ list, earlier, journal, recipientOf });
    const former = journal?.run?.earlierRows;
    const isOnlyNewBefore = isOnlyNew || former === "left-out";
    const decision = await decideEarlierRows({ plan, earlier, global, isOnlyNew: isOnlyNewBefore, io });
    if (journal === undefined || decision === "sent-again") {
      journal?.close();
      journal = await openJournal(earlier.newPath, io);
      // another process has started this list since the journals were read
      if (journal.run !== undefined) throw listUnderWay();
    }
    const earlierRows = decision ?? former;
    await runRows({ ...run, access, account, earlier, plan, earlierRows, journal, recipientOf }, listener);
  } finally {
    journal?.close();
    removeOldJournals(folder, io.clock.now());
  }
}

interface PlannedRun extends ListRun {
  access: Access;
  account: string;
  earlier: EarlierRuns;
  plan: RowPlan;
  /** The decision about rows that were sent before. A resumed run keeps the decision made when it began. */
  earlierRows: EarlierRows | undefined;
  journal: Journal;
  recipientOf(row: ListRow): string | undefined;
}

async function runRows(run: PlannedRun, listener: BulkListener): Promise<void> {
  const { job, flags, source, list, io, catalog, access, plan, earlierRows, journal, recipientOf } = run;
  const isToDo = (row: ListRow) =>
    journal.stateOf(row.id) !== "done" && (earlierRows === "sent-again" || plan.classOf(row) === "new");
  const leftOut = new Set<string>();
  const before = countRows(run, leftOut);
  tellEarlierRows(run, listener);
  let total = before.open + before.failed;
  const isWanted = (row: ListRow) => !leftOut.has(row.id) && isToDo(row);
  if (total > 0) {
    refuseForgottenKeys(run);
    for (const id of await leaveOutSuperseded(run, listener)) leftOut.add(id);
    for (const id of await reviewRows(run, () => list.rows(isWanted), listener)) leftOut.add(id);
    total -= leftOut.size;
  }
  if (total > 0) {
    const totalOf = async () => (total === list.rowCount ? list.totals : totalRows(list.rows(isWanted), job));
    await confirmRows({ job, source, baseUrl: access.baseUrl, total: totalOf }, flags.global, io);
    begin(run, total + leftOut.size);
  }
  const failures = new FailureGroups();
  let endedCount = 0;
  let refusedCount = 0;
  const onOutcome = (outcome: RowOutcome) => {
    endedCount += 1;
    if (outcome.type === "row-refused") refusedCount += 1;
    if (outcome.type !== "row-done") failures.add(outcome, toRowFailure(outcome.error), outcome.error);
    listener(outcome);
  };
  const { timeoutMs, retries } = flags.global;
  const bounds = { concurrency: flags.concurrency, timeoutMs, retries, signal: io.signal };
  io.setInterruptionGrace(GRACE_MS);
  listener({ type: "started", rowCount: total });
  let failure: unknown;
  try {
    if (total > 0) await callRows({ job, list, journal, isWanted, recipientOf, access, ...bounds, onOutcome });
  } catch (error) {
    failure = error;
  }
  listener({ type: "stopped" });
  const outdated = new Set([...leftOut, ...(refusedCount > 0 ? await findSuperseded(run) : [])]);
  const failedFile = await keepFailedRows(run, outdated, refusedCount > 0);
  const groups = await failures.describe({
    ...{ record: job.record, access: accessFlags(flags.global) },
    hint: (code) => catalog.hint(code),
  });
  const counts = countRows(run, leftOut);
  if (total > 0 && counts.open === 0) endIfComplete(run, leftOut.size);
  const earlierCount = before.done;
  const summary = { counts, earlierCount, notBegun: total - endedCount, groups, failedFile, journalPath: journal.path };
  listener({ type: "ended", summary });
  throwUnlessDone(summary, failure, { job, flags });
}

/** Finds superseded rows of an interrupted run, and reports that they are skipped. Returns their ids. */
async function leaveOutSuperseded(run: PlannedRun, listener: BulkListener): Promise<string[]> {
  const superseded = await findSuperseded(run);
  if (superseded.length > 0) {
    const said = superseded.length === 1 ? "1 row is" : `${formatCount(superseded.length)} rows are`;
    listener({ type: "remark", text: `${said} left out: a later row of the same ${run.job.subject?.noun} is done.` });
  }
  return superseded;
}

/** Returns the ids of unfinished rows whose subject has a later row that is done. Sending them would undo that later row. */
async function findSuperseded({ job, list, journal }: PlannedRun): Promise<string[]> {
  const { subject } = job;
  if (subject === undefined || journal.run === undefined) return [];
  const superseded: string[] = [];
  /** Ids of unfinished rows, by subject. */
  const left = new Map<string, string[]>();
  for await (const { id, body } of list.rows(() => true)) {
    const name = subject.of(body);
    const ids = left.get(name) ?? [];
    const isDone = journal.stateOf(id) === "done";
    if (isDone) superseded.push(...ids);
    left.set(name, isDone ? [] : [...ids, id]);
  }
  return superseded;
}

/** Lets the job compare its rows with the service's state. Returns the ids of rows to skip. */
async function reviewRows(
  { job, list, flags, io, catalog, access }: PlannedRun,
  rows: RowReview["rows"],
  listener: BulkListener,
): Promise<ReadonlySet<string>> {
  const { global } = flags;
  const read: RowReview["read"] = async (operationId, values) =>
    readOnce(await catalog.record(operationId), { access, options: global, io, catalog }, { values });
  const reviewed = await job.review?.({ list, flags, rows, read, asker: () => findAsker(io, global) });
  if (reviewed?.remark !== undefined) listener({ type: "remark", text: reviewed.remark });
  return reviewed?.leftOut ?? new Set();
}

/** After an interruption, the run still reads the list again to write the failed rows, which takes time for a long list. */
const GRACE_MS = 30_000;

/** Reports rows that are skipped, even with --quiet: no row is skipped silently. */
function tellEarlierRows({ plan, earlier, earlierRows, journal, io }: PlannedRun, listener: BulkListener): void {
  const { done, wentOut, hadOther } = plan.counts;
  if (earlierRows !== "sent-again" && wentOut + hadOther > 0)
    listener({
      type: "remark",
      text: `${describeEarlierRows({ plan, earlier, io })}: rows that are not new are left out.`,
    });
  if (done === 0 || journal.run === undefined) return;
  const on = formatMoment(journal.run.beganAtMs, io.zoneOffsetMinutes);
  const went = done === 1 ? "1 row is" : `${formatCount(done)} rows are`;
  listener({ type: "remark", text: `${went} done by the run of ${on}, which continues.` });
}

function begin({ source, flags, io, account, earlierRows, journal, job }: PlannedRun, rowCount: number): void {
  if (journal.run !== undefined) {
    journal.goOn({ account, ...(earlierRows !== undefined && { earlierRows }) });
    return;
  }
  const { listName } = source;
  const { word } = flags;
  journal.begin({
    beganAtMs: io.clock.now(),
    ...{ account, rowCount, keyPrefix: chooseKeyPrefix({ job, word, earlierRows }) },
    ...(listName !== undefined && { listName }),
    ...(word !== undefined && { word }),
    ...(earlierRows !== undefined && { earlierRows }),
  });
}

/**
 * Chooses the prefix of the rows' keys. A row gets the same key even without a journal, as in another container. Deliberate
 * repeats get new keys. So do rows that set a state, such as an opt-in: under the old key, the service would take setting it
 * again for a retry.
 */
function chooseKeyPrefix({
  job,
  word,
  earlierRows,
}: Pick<PlannedRun, "job" | "earlierRows"> & { word: string | undefined }): string {
  if (job.recipientField === undefined || earlierRows === "sent-again") return `bulk-${randomUUID()}`;
  return word === undefined ? "bulk" : `bulk-${digest(word)}`;
}

/** Records the end of the run, unless some of the run's rows are not in this process's list. */
function endIfComplete({ journal, io }: PlannedRun, leftOutCount: number): void {
  const { done, failed } = journal.count(() => true);
  if (done + failed + leftOutCount >= (journal.run?.rowCount ?? 0)) journal.end(io.clock.now());
}

/** The minimum time for which a service keeps a key. A service may keep keys longer, but no response says so. */
export const KEYS_KEPT_MS = IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM * 24 * 60 * 60 * 1000;

function refuseForgottenKeys({ journal, list, flags, job, io }: PlannedRun): void {
  const { run, path } = journal;
  const isState = job.recipientField === undefined;
  const { begun } = journal.count(list.has);
  if (
    begun === 0 ||
    run === undefined ||
    isState ||
    flags.isOpenResent ||
    io.clock.now() - run.beganAtMs < KEYS_KEPT_MS
  )
    return;
  const began = formatMoment(run.beganAtMs, io.zoneOffsetMinutes);
  const message = `this run started on ${began}, too long ago to resend safely: ${formatRowCount(begun)} without a known outcome may have been done; nothing was sent`;
  throw new CliError(EXIT.usage, "keys_forgotten", message, {
    hints: [`The known outcomes are in ${path}.`, "Give --resend-open to send them anyway."],
  });
}

/** `leftOutNow`: ids of rows that the job's review skips, or that a later row supersedes. */
function countRows({ list, journal, plan, earlierRows }: PlannedRun, leftOutNow: ReadonlySet<string>): RowCounts {
  const isLeftOut = earlierRows !== "sent-again";
  const { wentOut, hadOther } = isLeftOut ? plan.counts : { wentOut: 0, hadOther: 0 };
  const { done, failed } = journal.count(
    (id) => list.has(id) && !leftOutNow.has(id) && !(isLeftOut && plan.wentOut(id)),
  );
  const leftOut = hadOther + leftOutNow.size;
  const open = list.rowCount - done - failed - wentOut - leftOut;
  return { rows: list.rowCount, done: done + wentOut, failed, leftOut, open };
}

/** Writes the file of failed rows. If this run added no failures, an earlier file stays: the user may be correcting it. */
async function keepFailedRows(
  { source, list, journal, earlier }: PlannedRun,
  leftOut: ReadonlySet<string>,
  hasNewFailures: boolean,
): Promise<FailedFile> {
  // If another run has taken the list over, that run writes the file.
  const isKept = (id: string) => list.has(id) && !leftOut.has(id);
  if (journal.count(isKept).failed === 0 || !journal.lock.renew()) return undefined;
  const { lastFailedFile } = journal;
  if (!hasNewFailures && lastFailedFile !== undefined && existsSync(lastFailedFile)) return { path: lastFailedFile };
  const isOwn = (path: string, sha256: string) =>
    journal.isOwnFailedFile(path, sha256) || earlier.failedFiles.get(path) === sha256;
  try {
    return {
      path: await writeFailedFile({
        rows: list.rawRows(),
        isKept,
        form: list.form,
        journal,
        isOwn,
        pathOf: source.failedPath,
      }),
    };
  } catch (error) {
    return { problem: readMessage(error) };
  }
}

function createRecipientReader({ recipientField }: BulkJob, folder: string): (row: ListRow) => string | undefined {
  if (recipientField === undefined) return () => undefined;
  const digestRecipient = createRecipientDigest(folder);
  return ({ body }) => {
    const recipient = readField(body, recipientField);
    return typeof recipient === "string" ? digestRecipient(recipient) : undefined;
  };
}

/** Returns the folder of the operation's journals, and the digest by which journals identify the API key. */
export function findJournals(bulkFolder: string, { baseUrl, apiKey }: Access, { record }: BulkJob) {
  return { folder: join(bulkFolder, digest(canonicalBaseUrl(baseUrl), record.operationId)), account: digest(apiKey) };
}

function digest(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
