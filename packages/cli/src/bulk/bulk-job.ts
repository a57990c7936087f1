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
  /** The options needed to run another file: `--channel SMS`. */
  options: readonly string[];
  /** Noun of the thing that one row creates: `SMS`, `consent`. */
  noun: string;
  /** The field that names a row's recipient; undefined if a row records a state, which may be recorded again. */
  recipientField: string | undefined;
  /** The subject whose state a row records, as a word and for each row: the last row of a subject holds. */
  subject?: { noun: string; of(body: RowBody): string };
  /** A row as the question before a run shows it: `to +12025550100: "Hello"`. */
  describeRow(body: RowBody): string;
  start(
    client: CoreClient,
    rows: AsyncIterable<RowBody>,
    options: BulkOptions<RowBody, true>,
  ): AsyncIterable<BulkOutcome<RowBody, object>>;
  /** Compares the rows with what the service has, and asks about them. @throws {CliError} If nothing is to be done. */
  review?(review: RowReview): Promise<ReviewedRows>;
}

/** Gives a review its rows, reads of the service, and a user to ask. */
export interface RowReview {
  list: CheckedList;
  flags: BulkFlags;
  /** The rows to be done, from the first each time. */
  rows(): AsyncIterable<ListRow>;
  read(operationId: string, values: RawValues): Promise<unknown>;
  /** Undefined if nobody can be asked. */
  asker(): Asker | undefined;
}

export interface ReviewedRows {
  /** Ids of rows that are not to be done. */
  leftOut: ReadonlySet<string>;
  /** A sentence about rows, if nobody was asked. */
  remark?: string;
}
