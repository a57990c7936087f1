/** What happens in a bulk run, as it happens. */
import type { CliError } from "../failures/errors.ts";
import type { BulkJob } from "./bulk-job.ts";
import type { ListRow } from "./list/checked-list.ts";
import type { Summary } from "./summary.ts";

export type BulkEvent =
  /** --dry-run: every row is valid, and nothing is sent. */
  | { type: "planned"; job: BulkJob; rowCount: number }
  /** Calls begin, for so many rows. */
  | { type: "started"; rowCount: number }
  | RowOutcome
  /** No call is under way any more. */
  | { type: "stopped" }
  | { type: "ended"; summary: Summary };

/** What became of one row's call. A row that is left open may be done or not: the same key asks again. */
export type RowOutcome = ListRow & { idempotencyKey: string | undefined } & (
    | { type: "row-done"; replayed: boolean; data: object }
    | { type: "row-refused" | "row-left-open"; error: CliError }
  );

export type BulkListener = (event: BulkEvent) => void;
