/** How a run ended: what is told of it, to people and to programs, and the error that it ends with. */
import { CliError } from "../failures/errors.ts";
import { accessFlags } from "../operation/hints.ts";
import { indentedJson } from "../output/json/json.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import { shellWord } from "../process/shell-word.ts";
import type { BulkJob } from "./bulk-job.ts";
import type { BulkFlags } from "./bulk-options.ts";
import type { FailureGroup } from "./failure-groups.ts";
import { grouped, rowsOf } from "./progress.ts";

export interface RowCounts {
  rows: number;
  done: number;
  failed: number;
  open: number;
}

export interface Summary {
  counts: RowCounts;
  /** Rows that an earlier run did. */
  earlierCount: number;
  /** Rows that this run was to ask for and has no outcome of. */
  notBegun: number;
  /** Why rows were not done. */
  groups: readonly FailureGroup[];
  failedFile: FailedFile;
  journalPath: string;
}

/** Where the rows that failed are, or why they could not be written. */
export type FailedFile = { path: string; problem?: never } | { path?: never; problem: string } | undefined;

/** What the line said. */
interface Command {
  job: BulkJob;
  flags: BulkFlags;
}

/** The counts for people, and with -o json all of it for programs. */
export function sumUp({ counts, earlierCount, groups, failedFile }: Summary, flags: BulkFlags, io: Io): void {
  if (flags.format === "json") {
    const failures = groups.map(({ where: _where, message: _message, ...group }) => group);
    const summary = { ...counts, doneEarlier: earlierCount, failures, failedFile: failedFile?.path ?? null };
    io.stdout.write(`${indentedJson(summary)}\n`);
  }
  if (flags.global.quiet) return;
  const earlier = earlierCount === 0 ? "" : ` (${grouped(earlierCount)} by an earlier run)`;
  const parts = [
    `${grouped(counts.done)} done${earlier}`,
    `${grouped(counts.failed)} failed`,
    `${grouped(counts.open)} open`,
  ];
  io.stderr.write(`${rowsOf(counts.rows)}: ${parts.join(", ")}.\n`);
  if (earlierCount === counts.rows)
    io.stderr.write("To do the same list once more, give it a word of its own: --idempotency-key <word>.\n");
}

const AGAIN = "Run the same command again: it goes on with what is open, and does nothing twice.";

/** What became of the list in words: why the run did not come to its last row, why rows were not done, how to go on. */
export function throwUnlessDone(summary: Summary, failure: unknown, command: Command): void {
  const { groups, failedFile, notBegun } = summary;
  const { failed, open, rows } = summary.counts;
  if (failure !== undefined && !(failure instanceof CliError)) throw failure;
  if (failure === undefined && failed + open === 0) return;
  const cures = groups.slice(0, MOST_CURES).flatMap(({ hint }) => hint ?? []);
  // what a row was told is among the cures
  const own = groups.some(({ code }) => code === failure?.code) ? [] : (failure?.details.hints ?? []);
  const hints = [...new Set([...own, ...cures]), ...(open > 0 ? [AGAIN] : []), ...mendingHints(summary, command)];
  const found = {
    hints,
    faults: groups,
    ...(failedFile?.path !== undefined && { created: { failedFile: failedFile.path } }),
  };
  if (failure?.exitCode === EXIT.interrupted)
    throw new CliError(failure.exitCode, failure.code, `interrupted with ${rowsOf(open)} open`, found);
  if (failure !== undefined) {
    const { idempotencyKey: _ofOneRow, faults: _ofOneRowToo, ...details } = failure.details;
    const message = `${failure.message}; stopped with ${rowsOf(open)} open`;
    throw new CliError(failure.exitCode, failure.code, message, { ...details, ...found });
  }
  const left = notBegun > 0 ? `, ${grouped(notBegun)} of them not begun` : "";
  const parts = [
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(open > 0 ? [`${grouped(open)} are open${left}`] : []),
  ];
  const code = failed > 0 ? "rows_failed" : "rows_open";
  throw new CliError(EXIT.partial, code, `of ${rowsOf(rows)} ${parts.join(" and ")}`, found);
}

/** So many kinds of failure are told how to be cured. */
const MOST_CURES = 5;

/** What to do about rows that failed. */
function mendingHints({ failedFile, journalPath }: Summary, { job, flags }: Command): string[] {
  if (failedFile === undefined) return [];
  if (failedFile.problem !== undefined)
    return [`The file of failed rows could not be written: ${failedFile.problem}. They are in ${journalPath}.`];
  const options = [
    ...job.options,
    ...flags.map.flatMap((text) => ["--map", text]),
    ...flags.set.flatMap((text) => ["--set", text]),
  ];
  const command = ["msgctl", ...job.words.split(" "), failedFile.path, ...options].map(shellWord).join(" ");
  return [`Mend the failed rows in ${failedFile.path}, then run \`${command}${accessFlags(flags.global)}\`.`];
}
