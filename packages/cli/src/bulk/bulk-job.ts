/** A bulk command's job: the rows that it sends and how. */
import type { BulkOptions, BulkOutcome, CoreClient } from "@msgctl/sdk";
import type { RawValues } from "../model/request.ts";
import type { Asker } from "../prompts/asker.ts";
import type { BulkFlags } from "./bulk-options.ts";
import type { CheckedList, ListRow } from "./list/checked-list.ts";
import type { RowBody, RowKind } from "./list/row-kind.ts";

export interface BulkJob extends RowKind {
  /** The command's words: `send bulk`. */
  words: string;
  /** The command's own options. A run of the file of failed rows must repeat them: `--channel SMS`. */
  options: readonly string[];
  /** Noun of the thing that one row creates: `SMS`, `consent`. */
  noun: string;
  /** The field that names a row's recipient. Undefined for rows that record a state: recording it twice is harmless. */
  recipientField: string | undefined;
  /** The subject whose state a row records: its noun, and its id in a row. The last row of a subject wins. */
  subject?: { noun: string; of(body: RowBody): string };
  /** Describes a row in the confirmation before a run: `to +12025550100: "Hello"`. */
  describeRow(body: RowBody): string;
  start(
    client: CoreClient,
    rows: AsyncIterable<RowBody>,
    options: BulkOptions<RowBody, true>,
  ): AsyncIterable<BulkOutcome<RowBody, object>>;
  /** Compares the rows with the service's state, and asks about conflicts. @throws {CliError} If the run must not start. */
  review?(review: RowReview): Promise<ReviewedRows>;
}

/** The rows under review, and functions to read from the service and to ask the user. */
export interface RowReview {
  list: CheckedList;
  flags: BulkFlags;
  /** Iterates over the rows to be done. Each call starts from the first row. */
  rows(): AsyncIterable<ListRow>;
  read(operationId: string, values: RawValues): Promise<unknown>;
  /** Returns undefined if nobody can be asked. */
  asker(): Asker | undefined;
}

export interface ReviewedRows {
  /** Ids of rows to skip. */
  leftOut: ReadonlySet<string>;
  /** A remark about the skipped rows, if the user was not asked about them. */
  remark?: string;
}
