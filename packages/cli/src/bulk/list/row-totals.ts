/** Adds up rows before they are sent. */
import { formatCount, formatRowCount } from "../../output/text/quantities.ts";
import type { RowBody, RowKind } from "./row-kind.ts";

export interface RowTotals {
  rows: number;
  /** SMS segments; undefined if rows are not charged by segment. */
  segments?: number;
  /** The first row's body. */
  first?: RowBody;
}

export class RowTotaller {
  readonly #kind: RowKind;
  readonly totals: RowTotals = { rows: 0 };

  constructor(kind: RowKind) {
    this.#kind = kind;
  }

  add(body: RowBody): void {
    const { totals } = this;
    totals.rows += 1;
    totals.first ??= body;
    const segments = this.#kind.countSegments?.(body);
    if (segments !== undefined) totals.segments = (totals.segments ?? 0) + segments;
  }
}

export async function totalRows(rows: AsyncIterable<{ body: RowBody }>, kind: RowKind): Promise<RowTotals> {
  const totaller = new RowTotaller(kind);
  for await (const { body } of rows) totaller.add(body);
  return totaller.totals;
}

/** `3 rows`, `3,000 rows (3,120 segments)` */
export function formatTotals({ rows, segments }: RowTotals): string {
  if (segments === undefined) return formatRowCount(rows);
  return `${formatRowCount(rows)} (${segments === 1 ? "1 segment" : `${formatCount(segments)} segments`})`;
}
