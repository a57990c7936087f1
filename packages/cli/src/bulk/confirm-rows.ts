/** The confirmation before a billable run. */
import { CliError } from "../failures/errors.ts";
import type { GlobalOptions } from "../flags/global-options.ts";
import { formatRowCount } from "../output/text/quantities.ts";
import { hasColour } from "../process/config.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import { createAsker } from "../prompts/create-asker.ts";
import { findKeyboard } from "../prompts/keyboard.ts";
import type { BulkJob } from "./bulk-job.ts";
import type { SourceFile } from "./list/source-file.ts";

export interface RowsToSend {
  job: BulkJob;
  source: SourceFile;
  baseUrl: string;
  rowCount: number;
}

/** Asks whether to proceed, unless nothing is charged or -y is given. @throws {CliError} Unless the answer is yes. */
export async function confirmRows(
  { job, source, baseUrl, rowCount }: RowsToSend,
  options: GlobalOptions,
  io: Io,
): Promise<void> {
  if (job.record.cost !== "billable" || options.yes) return;
  const what = `${formatRowCount(rowCount)} of ${source.name}, as ${job.noun}, at ${baseUrl}`;
  const keyboard = findKeyboard(io, options);
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
