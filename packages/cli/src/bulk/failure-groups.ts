/** Groups failed and open rows by their error code. Each group has its number of rows and its first row. */
import { CliError, type Fault } from "../failures/errors.ts";
import type { OperationRecord } from "../model/record.ts";
import { fillHint } from "../operation/hints.ts";
import { formatCount } from "../output/text/quantities.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { RowFailure } from "./journal/journal-lines.ts";
import type { ListRow } from "./list/checked-list.ts";

/** A fault whose message is for people, with the same facts as fields for programs. */
export interface FailureGroup extends Fault {
  code: string;
  count: number;
  /** Position of the first row in its list, and its line in the file, both from 1. */
  row: number;
  line: number;
  /** The service's message about the first row. */
  reason: string;
  /** The remedy; null if unknown. */
  hint: string | null;
}

interface Group {
  count: number;
  first: ListRow;
  reason: string;
  error: CliError;
}

export interface HintSource {
  record: OperationRecord;
  /** The contract's hint for a code. */
  hint(code: string): Promise<string | undefined>;
  /** The flags that a hinted command needs to reach the same service: `--profile demo`. */
  access: string;
}

/** Maximum number of codes with their own group. The contract has fewer codes. */
const MOST_CODES = 50;
const OTHERS = "others";
const LONGEST_REASON = 300;

export class FailureGroups {
  readonly #groups = new Map<string, Group>();

  /** Adds a row to the group of its code. `error` is the row's error, if this run made its call. */
  add(row: ListRow, { code, message }: RowFailure, error?: CliError): void {
    const name = this.#groups.has(code) || this.#groups.size < MOST_CODES ? code : OTHERS;
    const before = this.#groups.get(name);
    const count = (before?.count ?? 0) + 1;
    if (before !== undefined && before.first.line < row.line) this.#groups.set(name, { ...before, count });
    else {
      const thrown = error ?? new CliError(EXIT.refused, code, message);
      this.#groups.set(name, { count, first: row, reason: message.slice(0, LONGEST_REASON), error: thrown });
    }
  }

  /** Returns the groups, the most frequent first. */
  async describe({ record, hint, access }: HintSource): Promise<FailureGroup[]> {
    const sorted = [...this.#groups].sort(([, one], [, other]) => other.count - one.count);
    return Promise.all(
      sorted.map(async ([code, { count, first, reason, error }]) => {
        const ofContract = await hint(code);
        const failed = { record, values: new Map(), body: first.body, error, access };
        const own = error.details.hints?.[0];
        const where =
          count === 1 ? `line ${first.line}` : `${formatCount(count)} rows, the first in line ${first.line}`;
        return {
          ...{ where: code, message: `${where}: ${reason}` },
          ...{ code, count, row: first.index + 1, line: first.line, reason },
          hint: (ofContract === undefined ? own : fillHint(ofContract, failed)) ?? null,
        };
      }),
    );
  }
}
