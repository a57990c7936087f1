/** What one bulk command sends. */
import type { BulkOptions, BulkRun, CoreClient } from "@msgctl/sdk";
import type { OperationRecord } from "../model/record.ts";

/** A row as the body of its call, in the contract's shape after local validation. */
export type RowBody = object;

export interface BulkJob {
  /** The command's words: `send bulk`. */
  words: string;
  /** The operation called for each row. */
  record: OperationRecord;
  /** The options needed to run another file: `--channel SMS`. */
  options: readonly string[];
  /** What one row creates: `SMS`, `consent`. */
  noun: string;
  /** What is done with a row: `sent`, `recorded`. */
  verb: string;
  /** The field that names a row's recipient; undefined where a row records a state, which may be recorded again. */
  recipientField: string | undefined;
  /** How many SMS a row takes; left out where rows are not charged by segments. */
  countSegments?(body: RowBody): number;
  /** A row as the question before a run shows it: `to +12025550100: "Hello"`. */
  describeRow(body: RowBody): string;
  start(
    client: CoreClient,
    rows: AsyncIterable<RowBody>,
    options: BulkOptions<RowBody, true>,
  ): BulkRun<RowBody, object>;
}
