/** The events of a bulk run. */
import type { CliError } from "../failures/errors.ts";
import type { BulkJob } from "./bulk-job.ts";
import type { CheckedList, ListRow } from "./list/checked-list.ts";
import type { Summary } from "./summary.ts";

export type BulkEvent =
  /** --dry-run: every row is valid, and nothing is sent. */
  | { type: "planned"; job: BulkJob; list: Pick<CheckedList, "totals" | "equalCount"> }
  /** A sentence about rows that are not sent, or perhaps not meant. */
  | { type: "remark"; text: string }
  /** Calls begin, for `rowCount` rows. */
  | { type: "started"; rowCount: number }
  | RowOutcome
  /** No call is in flight any longer. */
  | { type: "stopped" }
  | { type: "ended"; summary: Summary };

/** The outcome of one row's call. A row left open may or may not be done: the same key asks again. */
export type RowOutcome = ListRow & { idempotencyKey: string | undefined } & (
    | { type: "row-done"; replayed: boolean; data: object }
    | { type: "row-refused" | "row-left-open"; error: CliError }
  );

export type BulkListener = (event: BulkEvent) => void;
