/** Prints a bulk run: outcomes and totals on standard output, progress and remarks on standard error. */
import { compactJson, indentedJson } from "../output/json/json.ts";
import { printable } from "../output/printable.ts";
import { formatCount, formatRowCount } from "../output/text/quantities.ts";
import type { Io } from "../process/io.ts";
import type { BulkEvent, BulkListener, RowOutcome } from "./bulk-event.ts";
import type { BulkFormat } from "./bulk-options.ts";
import { toRowFailure } from "./call-rows.ts";
import { chargeOf } from "./confirm-rows.ts";
import { formatTotals } from "./list/row-totals.ts";
import { createProgress, type Progress } from "./progress.ts";
import type { Summary } from "./summary.ts";

export interface PrinterOptions {
  format: BulkFormat;
  /** Prints only errors on standard error. */
  quiet: boolean;
}

type EventOf<Type> = Extract<BulkEvent, { type: Type }>;

/** Creates a listener that prints each event. */
export function createBulkPrinter({ format, quiet }: PrinterOptions, io: Io): BulkListener {
  const { stdout, stderr, clock } = io;
  const counts = { ended: 0, total: 0, notDone: 0 };
  let progress: Progress | undefined;

  function printPlan({ job, list: { totals, equalCount } }: EventOf<"planned">): void {
    const { verb, noun, record } = job;
    const isCharged = record.cost === "billable";
    if (format !== "table") stdout.write(`${compactJson({ ...totals, equalRows: equalCount, isCharged })}\n`);
    else {
      stdout.write(`${formatTotals(totals)} would be ${verb}, as ${noun}.${isCharged ? ` ${chargeOf(totals)}` : ""}\n`);
      if (totals.first !== undefined) stdout.write(`The first: ${printable(job.describeRow(totals.first))}\n`);
    }
    if (!quiet) stderr.write(`Every row can be ${verb}. Nothing was ${verb}.\n`);
  }

  function start({ rowCount }: EventOf<"started">): void {
    counts.total = rowCount;
    if (!quiet) progress = createProgress(stderr, clock);
  }

  function printOutcome(outcome: RowOutcome): void {
    counts.ended += 1;
    if (outcome.type !== "row-done") counts.notDone += 1;
    if (format === "jsonl") {
      if (stdout.isTTY) progress?.clear();
      stdout.write(`${compactJson(toJson(outcome))}\n`);
    }
    progress?.show(counts);
  }

  function printSummary({ counts, earlierCount, groups, failedFile }: Summary): void {
    if (format === "json") {
      const failures = groups.map(({ where: _where, message: _message, ...group }) => group);
      const summary = { ...counts, doneEarlier: earlierCount, failures, failedFile: failedFile?.path ?? null };
      stdout.write(`${indentedJson(summary)}\n`);
    }
    if (quiet) return;
    const earlier = earlierCount === 0 ? "" : ` (${formatCount(earlierCount)} by an earlier run)`;
    const parts = [
      `${formatCount(counts.done)} done${earlier}`,
      `${formatCount(counts.failed)} failed`,
      ...(counts.leftOut > 0 ? [`${formatCount(counts.leftOut)} left out`] : []),
      `${formatCount(counts.open)} open`,
    ];
    stderr.write(`${formatRowCount(counts.rows)}: ${parts.join(", ")}.\n`);
  }

  return (event) => {
    switch (event.type) {
      case "planned":
        return printPlan(event);
      case "remark":
        return stderr.write(`${event.text}\n`);
      case "started":
        return start(event);
      case "stopped":
        return progress?.clear();
      case "ended":
        return printSummary(event.summary);
      default:
        return printOutcome(event);
    }
  };
}

/** Converts an outcome to the object that -o jsonl prints as a line. */
function toJson(outcome: RowOutcome): object {
  const { index, line, idempotencyKey } = outcome;
  const row = { row: index + 1, line, ok: outcome.type === "row-done" };
  if (outcome.type === "row-done") return { ...row, idempotencyKey, replayed: outcome.replayed, data: outcome.data };
  const { code, details } = outcome.error;
  const error = {
    code,
    message: toRowFailure(outcome.error).message,
    status: details.status ?? null,
    requestId: details.requestId ?? null,
  };
  return { ...row, idempotencyKey, isOpen: outcome.type === "row-left-open", error };
}
