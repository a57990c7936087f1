/** One run of a checked list: confirms, makes the calls for rows not yet done, saves the failed rows, sums up. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM } from "@msgctl/contract/constants";
import { resolveAccess } from "../call/access/resolve-access.ts";
import { CliError, InputError } from "../failures/errors.ts";
import { readMessage } from "../failures/thrown.ts";
import type { Catalog } from "../model/catalog.ts";
import { accessFlags } from "../operation/hints.ts";
import { formatRowCount } from "../output/text/quantities.ts";
import { readSettings } from "../process/config.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import type { BulkListener, RowOutcome } from "./bulk-event.ts";
import type { BulkJob } from "./bulk-job.ts";
import type { BulkFlags } from "./bulk-options.ts";
import { callRows, toRowFailure } from "./call-rows.ts";
import { confirmRows } from "./confirm-rows.ts";
import { writeFailedFile } from "./failed-file.ts";
import { FailureGroups } from "./failure-groups.ts";
import { digest, findJournal } from "./journal/find-journal.ts";
import { type Journal, openJournal } from "./journal/journal.ts";
import { shortenOldJournals } from "./journal/old-journals.ts";
import type { RowState } from "./journal/row-states.ts";
import type { CheckedList } from "./list/checked-list.ts";
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

/** Runs a list, calling the listener for each event. @throws {CliError} Unless every row is done. */
export async function runList(run: ListRun, listener: BulkListener): Promise<void> {
  const { job, flags, source, list, io, catalog } = run;
  const settings = readSettings(io.env);
  const access = resolveAccess(flags.global, settings, io.cwd);
  const listKey = makeListKey(list, flags.global.idempotencyKey);
  const { isSameAccount } = flags;
  const path = await findJournal({ folder: join(settings.folder, "bulk"), listKey, access, isSameAccount }, io);
  const journal = await openJournal(path, io);
  // in a file of failed rows, failed rows are retried: they may have been corrected
  const wanted: readonly RowState[] = list.partOf === undefined ? ["open"] : ["open", "failed"];
  const isWanted = (index: number) => wanted.includes(journal.stateOf(index));
  try {
    const before = countRows(list, journal);
    const total = wanted.includes("failed") ? before.open + before.failed : before.open;
    if (total > 0) {
      refuseForgottenKeys(journal, io.clock.now(), { openCount: before.open, isOpenResent: flags.isOpenResent });
      await confirmRows({ job, source, baseUrl: access.baseUrl, rowCount: total }, flags.global, io);
      journal.begin(io.clock.now());
    }
    const failures = new FailureGroups();
    if (before.failed > 0 && !wanted.includes("failed")) await addEarlierFailures(list, journal, failures);
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
    listener({ type: "started", rowCount: total });
    let failure: unknown;
    try {
      const keyPrefix = `bulk-${listKey}`;
      if (total > 0) await callRows({ job, list, journal, isWanted, access, keyPrefix, ...bounds, onOutcome });
    } catch (error) {
      failure = error;
    }
    listener({ type: "stopped" });
    const failedFile = await keepFailedRows(run, { journal, listKey, hasNewFailures: refusedCount > 0 });
    const groups = await failures.describe({
      ...{ record: job.record, access: accessFlags(flags.global) },
      hint: (code) => catalog.hint(code),
    });
    const summary = {
      counts: countRows(list, journal),
      earlierCount: before.done,
      notBegun: total - endedCount,
      groups,
      failedFile,
      journalPath: journal.path,
    };
    listener({ type: "ended", summary });
    throwUnlessDone(summary, failure, { job, flags });
  } finally {
    journal.close();
    shortenOldJournals(dirname(journal.path), io.clock.now());
  }
}

/** Prefix of the keys of a list's rows: it depends on what is sent, not on where it is sent. */
function makeListKey({ hash, partOf }: CheckedList, word: string | undefined): string {
  if (partOf === undefined) return word === undefined ? digest(hash) : digest(hash, word);
  if (word === undefined) return partOf;
  const message = `received ${JSON.stringify(word)}; these rows have keys of their own, so that none is sent twice`;
  throw new InputError([{ where: "--idempotency-key", message }], [], ["Leave it out."]);
}

/** The minimum time a service keeps a key: some may be configured for longer, but none reports it. */
const KEYS_KEPT_MS = IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM * 24 * 60 * 60 * 1000;

function refuseForgottenKeys(
  { begunAtMs, path }: Journal,
  nowMs: number,
  { openCount, isOpenResent }: { openCount: number; isOpenResent: boolean },
): void {
  if (begunAtMs === undefined || isOpenResent || nowMs - begunAtMs < KEYS_KEPT_MS) return;
  const begun = new Date(begunAtMs).toISOString();
  const message = `this list was begun on ${begun}, and the service may have forgotten its keys: of ${formatRowCount(openCount)} without a known outcome some may be done`;
  throw new CliError(EXIT.usage, "keys_forgotten", message, {
    hints: [`What is known is in ${path}.`, "Give --resend-open to send them all the same."],
  });
}

function countRows(list: CheckedList, journal: Journal): RowCounts {
  const { done, failed } = journal.count(list.has);
  return { rows: list.rowCount, done, failed, open: list.rowCount - done - failed };
}

/** Adds the reasons for rows refused in earlier runs, which are not retried. */
async function addEarlierFailures(list: CheckedList, journal: Journal, failures: FailureGroups): Promise<void> {
  for await (const row of list.rows((index) => journal.stateOf(index) === "failed")) {
    const failure = journal.readFailure(row.index);
    if (failure !== undefined) failures.add(row, failure);
  }
}

/** Leaves an earlier file alone if this run adds nothing to it: its rows may have been corrected. */
async function keepFailedRows(
  { job, source, list }: ListRun,
  { journal, listKey, hasNewFailures }: { journal: Journal; listKey: string; hasNewFailures: boolean },
): Promise<FailedFile> {
  // If another run has the list by now, that one writes the file.
  if (journal.count(list.has).failed === 0 || !journal.lock.renew()) return undefined;
  const { lastFailedFile } = journal;
  if (!hasNewFailures && lastFailedFile !== undefined && existsSync(lastFailedFile)) return { path: lastFailedFile };
  try {
    const { operationId } = job.record;
    const rows = list.rawRows();
    return { path: await writeFailedFile({ rows, operationId, listKey, journal, pathOf: source.failedPath }) };
  } catch (error) {
    return { problem: readMessage(error) };
  }
}
