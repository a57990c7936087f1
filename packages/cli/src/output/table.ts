import { cell } from "./cell.ts";
import { fieldNames, fieldOf, hasValue, isObjectList, type JsonObject } from "./fields.ts";
import type { Style } from "./style.ts";
import { displayWidth, pad, truncate } from "./width.ts";

const GAP = "  ";
/** A column is never squeezed below this: what is left of it would say nothing. */
const NARROWEST = 8;

export interface Layout {
  style: Style;
  /** Width to fit into; undefined (not a terminal) leaves every value whole. */
  width: number | undefined;
}

/** Rows under aligned headings, fitted to the width; as one list a row where even that is too narrow. */
export function table(rows: readonly JsonObject[], columns: readonly string[], layout: Layout): string {
  const texts = rows.map((row) => columns.map((column) => cell(fieldOf(row, column))));
  const natural = columns.map((column, index) =>
    texts.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? "")), displayWidth(column)),
  );
  const widths = fit(natural, layout.width);
  if (widths === undefined) return rows.map((row) => list(row, columns, layout)).join("\n");
  const line = (values: readonly string[]) =>
    values
      .map((value, index) => pad(truncate(value, widths[index] ?? 0), widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
  return [layout.style.bold(line(columns)), ...texts.map(line)].map((text) => `${text}\n`).join("");
}

/** Widths that together fit, taking from the widest column first; undefined when they cannot. */
function fit(natural: readonly number[], available: number | undefined): number[] | undefined {
  const widths = [...natural];
  if (available === undefined) return widths;
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - available;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) return undefined;
    const next = Math.max(NARROWEST, ...widths.filter((width) => width < widest));
    const share = widths.filter((width) => width === widest).length;
    const cut = Math.min(widest - next, Math.max(1, Math.floor(excess / share)));
    for (const [index, width] of widths.entries()) {
      if (width !== widest || excess <= 0) continue;
      widths[index] = width - cut;
      excess -= cut;
    }
  }
  return widths;
}

/** One view as a line for each field; lists of objects follow as tables of their own. */
export function list(view: JsonObject, columns: readonly string[], layout: Layout): string {
  const nested = columns.filter((column) => isObjectList(fieldOf(view, column)));
  const plain = columns.filter((column) => !nested.includes(column));
  const width = plain.reduce((widest, column) => Math.max(widest, displayWidth(column)), 0);
  const lines = plain.map((column) => {
    return `${layout.style.bold(pad(column, width))}${GAP}${cell(fieldOf(view, column))}\n`;
  });
  return [...lines, ...nested.map((column) => section(column, fieldOf(view, column), layout))].join("");
}

/** Where there is no terminal to fit into, a table of a part may be this wide before each row becomes a list. */
const WIDEST_SECTION = 120;

function section(name: string, rows: unknown, layout: Layout): string {
  if (!isObjectList(rows)) return "";
  const columns = [...new Set(rows.flatMap((row) => fieldNames(row)))];
  const whole = table(rows, columns, layout);
  const isTooWide = layout.width === undefined && displayWidth(whole.split("\n", 1)[0] ?? "") > WIDEST_SECTION;
  const lists = () => rows.map((row) => list(row, fieldNames(row).filter(hasValue(row)), layout)).join("\n");
  return `\n${layout.style.bold(`${name} (${rows.length})`)}\n${isTooWide ? lists() : whole}`;
}
