/** The events of a bulk run. */
import type { CliError } from "../failures/errors.ts";
import type { BulkJob } from "./bulk-job.ts";
import type { CheckedList, ListRow } from "./list/checked-list.ts";
import type { Summary } from "./summary.ts";

export type BulkEvent =
  /** With --dry-run: every row is valid, and nothing was sent. */
  | { type: "planned"; job: BulkJob; list: Pick<CheckedList, "totals" | "equalCount"> }
  /** A remark about rows that are skipped, or that the user may not have meant to send. */
  | { type: "remark"; text: string }
  /** The run starts to make calls for `rowCount` rows. */
  | { type: "started"; rowCount: number }
  | RowOutcome
  /** The last call in flight has ended. */
  | { type: "stopped" }
  | { type: "ended"; summary: Summary };

/** The outcome of one row's call. A row left open may or may not have been processed; a retry with the same key is safe. */
export type RowOutcome = ListRow & { idempotencyKey: string | undefined } & (
    | { type: "row-done"; replayed: boolean; data: object }
    | { type: "row-refused" | "row-left-open"; error: CliError }
  );

export type BulkListener = (event: BulkEvent) => void;
