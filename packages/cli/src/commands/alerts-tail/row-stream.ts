/** Formats table rows that arrive one by one. Column widths are fixed before the first row, so that columns stay aligned. */

import { type JsonObject, readField } from "../../output/fields.ts";
import { printable } from "../../output/printable.ts";
import { cell } from "../../output/table/cell.ts";
import { paintStatus } from "../../output/table/status.ts";
import type { Layout } from "../../output/table/table.ts";
import { displayWidth, pad } from "../../output/text/width.ts";
import { wrap } from "../../output/text/wrap.ts";

export interface RowStream {
  heading(): string;
  row(view: JsonObject): string;
}

const GAP = "  ";
/** Width of a column without a sample. */
const USUAL_WIDTH = 12;
/** Least width of a terminal with room for all columns. */
const WIDE_TERMINAL = 120;
/** The last column is wrapped only if it has at least this width. */
const NARROWEST_END = 16;

export function isNarrow(width: number | undefined): boolean {
  return width !== undefined && width < WIDE_TERMINAL;
}

/**
 * Each column is as wide as its sample. A longer value shifts only its own row. On a terminal the last column wraps, and its
 * continuation lines are indented to it.
 */
export function createRowStream(columns: readonly string[], samples: JsonObject, layout: Layout): RowStream {
  const { style, width, zone } = layout;
  const isShort = isNarrow(width);
  const text = (view: JsonObject, name: string) => cell(readField(view, name), { name, zone, isShort });
  const widths = columns.map((name) => {
    const sample = readField(samples, name);
    return Math.max(
      displayWidth(printable(name)),
      sample === undefined ? USUAL_WIDTH : displayWidth(text(samples, name)),
    );
  });
  const start = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, 0);
  const line = (cells: readonly string[], paint: (padded: string, index: number) => string) => {
    const last = cells.length - 1;
    const padded = cells.map((each, index) => (index === last ? each : pad(each, widths[index] ?? 0)));
    const whole = padded.map(paint).join(GAP);
    const isWrapped = width !== undefined && width - start >= NARROWEST_END;
    return (isWrapped ? wrap(whole, width, " ".repeat(start)) : [whole]).map((each) => `${each}\n`).join("");
  };
  return {
    heading: () => line(columns.map(printable), (padded) => style.bold(padded)),
    row: (view) =>
      line(
        columns.map((name) => text(view, name)),
        (padded, index) => {
          const name = columns[index] ?? "";
          return paintStatus(name, readField(view, name), padded, style);
        },
      ),
  };
}
