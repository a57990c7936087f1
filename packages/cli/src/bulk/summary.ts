/** The totals at the end of a run, and the error if any row is not done. */
import { CliError } from "../failures/errors.ts";
import { accessFlags } from "../operation/hints.ts";
import { formatCount, formatRowCount } from "../output/text/quantities.ts";
import { EXIT } from "../process/exit-codes.ts";
import { shellWord } from "../process/shell-word.ts";
import type { BulkJob } from "./bulk-job.ts";
import type { BulkFlags } from "./bulk-options.ts";
import type { FailureGroup } from "./failure-groups.ts";

export interface RowCounts {
  rows: number;
  done: number;
  failed: number;
  /**
   * Rows skipped for reasons other than an earlier send, for example because the recipient got another text from a list
   * of this name.
   */
  leftOut: number;
  open: number;
}

export interface Summary {
  counts: RowCounts;
  /** Rows done by earlier runs. */
  earlierCount: number;
  /** Rows that this run should have sent and that have no outcome. */
  notBegun: number;
  /** Why rows were not done. */
  groups: readonly FailureGroup[];
  failedFile: FailedFile;
  journalPath: string;
}

/** Path of the file of failed rows, or why it could not be written. */
export type FailedFile = { path: string; problem?: never } | { path?: never; problem: string } | undefined;

/** The command to repeat. */
interface Command {
  job: BulkJob;
  flags: BulkFlags;
}

const AGAIN =
  "Run the same command again: it continues with the open rows (those without an outcome) and repeats nothing.";

/** @throws {CliError} Unless every row is done. The error says what went wrong and how to resume. */
export function throwUnlessDone(summary: Summary, failure: unknown, command: Command): void {
  const { groups, failedFile, notBegun } = summary;
  const { failed, open, rows } = summary.counts;
  if (failure !== undefined && !(failure instanceof CliError)) throw failure;
  if (failure === undefined && failed + open === 0) return;
  const groupHints = groups.slice(0, MOST_HINTS).flatMap(({ hint }) => hint ?? []);
  // a row's own hints are already among the groups' hints
  const own = groups.some(({ code }) => code === failure?.code) ? [] : (failure?.details.hints ?? []);
  const hints = [
    ...new Set([...own, ...groupHints]),
    ...(open > 0 ? [AGAIN] : []),
    ...describeRepair(summary, command),
  ];
  const found = {
    hints,
    faults: groups,
    ...(failedFile?.path !== undefined && { created: { failedFile: failedFile.path } }),
  };
  if (failure?.exitCode === EXIT.interrupted)
    throw new CliError(failure.exitCode, failure.code, `interrupted with ${formatRowCount(open)} open`, found);
  if (failure !== undefined) {
    const { faults: _ofOneRow, ...details } = failure.details;
    const message = `${failure.message}; stopped with ${formatRowCount(open)} open`;
    throw new CliError(failure.exitCode, failure.code, message, { ...details, ...found });
  }
  const left = notBegun > 0 ? `, ${formatCount(notBegun)} of them not started` : "";
  const parts = [
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(open > 0 ? [`${formatCount(open)} open${left}`] : []),
  ];
  const code = failed > 0 ? "rows_failed" : "rows_open";
  throw new CliError(EXIT.partial, code, `${formatRowCount(rows)}: ${parts.join(" and ")}`, found);
}

/** Number of failure groups that show their hint. */
const MOST_HINTS = 5;

/** Describes how to correct and run the failed rows. */
function describeRepair({ failedFile, journalPath }: Summary, { job, flags }: Command): string[] {
  if (failedFile === undefined) return [];
  if (failedFile.problem !== undefined)
    return [
      `The file of failed rows could not be written: ${failedFile.problem}. The failed rows are in ${journalPath}.`,
    ];
  const options = [
    ...job.options,
    ...flags.map.flatMap((text) => ["--map", text]),
    ...flags.set.flatMap((text) => ["--set", text]),
    ...(flags.word === undefined ? [] : ["--run", flags.word]),
  ];
  const command = ["msgctl", ...job.words.split(" "), failedFile.path, ...options].map(shellWord).join(" ");
  return [`Correct the failed rows in ${failedFile.path}, then run \`${command}${accessFlags(flags.global)}\`.`];
}
