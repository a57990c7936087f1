/** The confirmation before a billable run. */
import { CliError } from "../failures/errors.ts";
import type { GlobalOptions } from "../flags/global-options.ts";
import { printable } from "../output/printable.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import type { BulkJob } from "./bulk-job.ts";
import { findAsker } from "./find-asker.ts";
import { formatTotals, type RowTotals } from "./list/row-totals.ts";
import type { SourceFile } from "./list/source-file.ts";

export interface RowsToSend {
  job: BulkJob;
  source: SourceFile;
  baseUrl: string;
  /** Computes the totals of the rows. Called only if there is a question to ask. */
  total(): Promise<RowTotals>;
}

/** Describes the charge for rows with these totals. */
export function chargeOf({ segments }: RowTotals): string {
  return `Each ${segments === undefined ? "" : "segment "}is charged to the account.`;
}

/** Asks whether to proceed, unless nothing is charged or -y is given. @throws {CliError} Unless the answer is yes. */
export async function confirmRows(
  { job, source, baseUrl, total }: RowsToSend,
  options: GlobalOptions,
  io: Io,
): Promise<void> {
  if (job.record.cost !== "billable" || options.yes) return;
  const totals = await total();
  const what = `${formatTotals(totals)} of ${source.name}, as ${job.noun}, at ${baseUrl}`;
  const asker = findAsker(io, options);
  if (asker === undefined) {
    throw new CliError(EXIT.inputNeeded, "confirmation_needed", `${what} would be sent and charged; nothing was sent`, {
      hints: ["Give -y to send them, or --dry-run to only check the file."],
    });
  }
  if (totals.first !== undefined) asker.tell(`The first: ${printable(job.describeRow(totals.first))}`);
  asker.tell(`Send ${what}. ${chargeOf(totals)}`);
  if (await asker.confirm("Go ahead?", false)) return;
  throw new CliError(EXIT.interrupted, "not_confirmed", "not confirmed; nothing was sent", {
    hints: ["Give -y to skip the question."],
  });
}
