/** What one bulk command sends. */
import type { BulkOptions, BulkRun, CoreClient } from "@msgctl/sdk";
import type { OperationRecord } from "../model/record.ts";

/** A row as the body of its call; local validation has given it the contract's shape. */
export type RowBody = object;

export interface BulkJob {
  /** The command's words: `send bulk`. */
  words: string;
  /** The operation that is called for each row. */
  record: OperationRecord;
  /** What the words of the line need to say to run another file: `--channel SMS`. */
  options: readonly string[];
  /** What one row makes: `SMS`, `consent`. */
  noun: string;
  start(
    client: CoreClient,
    rows: AsyncIterable<RowBody>,
    options: BulkOptions<RowBody, true>,
  ): BulkRun<RowBody, object>;
}
