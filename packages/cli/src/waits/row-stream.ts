/** Rows of a table that come one by one: the columns cannot be fitted to what is not there yet, and must not move. */
import { cell } from "../output/cell.ts";
import { fieldOf, type JsonObject } from "../output/fields.ts";
import { paintStatus } from "../output/status.ts";
import type { Style } from "../output/style.ts";
import type { Layout } from "../output/table.ts";
import { displayWidth, pad } from "../output/width.ts";

export interface RowStream {
  heading(): string;
  row(view: JsonObject): string;
}

const GAP = "  ";
/** Room for a value of which nothing is known but its column. */
const USUAL_WIDTH = 12;
/** A row is one line of a terminal of this width, or wraps. */
const WIDE_TERMINAL = 120;

/** Columns that an example has been seen of are as wide as that; a longer value pushes its own row alone. */
export function createRowStream(columns: readonly string[], samples: JsonObject, layout: Layout): RowStream {
  const { style, width, zone } = layout;
  const isShort = width !== undefined && width < WIDE_TERMINAL;
  const text = (view: JsonObject, name: string) => cell(fieldOf(view, name), { name, zone, isShort });
  const widths = columns.map((name) => {
    const sample = fieldOf(samples, name);
    return Math.max(displayWidth(name), sample === undefined ? USUAL_WIDTH : displayWidth(text(samples, name)));
  });
  const line = (cells: readonly string[], paint: (padded: string, index: number) => string) =>
    `${cells
      .map((each, index) => paint(index === cells.length - 1 ? each : pad(each, widths[index] ?? 0), index))
      .join(GAP)}\n`;
  return {
    heading: () => style.bold(line(columns, (padded) => padded).trimEnd()).concat("\n"),
    row: (view) =>
      line(
        columns.map((name) => text(view, name)),
        (padded, index) => painted(columns[index] ?? "", view, padded, style),
      ),
  };
}

function painted(name: string, view: JsonObject, text: string, style: Style): string {
  return paintStatus(name, fieldOf(view, name), text, style);
}
