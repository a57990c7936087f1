import { cell, shortCell } from "./cell.ts";
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

/**
 * Rows under aligned headings. Where they are too wide, first headings and instants are said in short, then the widest
 * values are cut; where even that does not do, each row becomes a list.
 */
export function table(rows: readonly JsonObject[], columns: readonly string[], layout: Layout): string {
  const texts = rows.map((row) => columns.map((column) => cell(fieldOf(row, column))));
  const { width } = layout;
  const whole = [columns, ...texts];
  if (width === undefined || totalWidth(naturalWidths(whole)) <= width) return set(whole, naturalWidths(whole), layout);
  const short = [shortNames(columns), ...rows.map((row) => columns.map((column) => shortCell(fieldOf(row, column))))];
  const widths = fit(naturalWidths(short), width);
  return widths === undefined ? rows.map((row) => list(row, columns, layout)).join("\n") : set(short, widths, layout);
}

function set([headings = [], ...rows]: readonly (readonly string[])[], widths: readonly number[], { style }: Layout) {
  const line = (values: readonly string[]) =>
    values
      .map((value, index) => pad(truncate(value, widths[index] ?? 0), widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
  return [style.bold(line(headings)), ...rows.map(line)].map((text) => `${text}\n`).join("");
}

function naturalWidths(lines: readonly (readonly string[])[]): number[] {
  const [headings = []] = lines;
  return headings.map((_, index) =>
    lines.reduce((widest, line) => Math.max(widest, displayWidth(line[index] ?? "")), 0),
  );
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
}

/** `smsUsed` for `usage.smsUsed`, unless another column is called so too. */
function shortNames(columns: readonly string[]): string[] {
  const lastOf = (column: string) => column.slice(column.lastIndexOf(".") + 1);
  return columns.map((column) => {
    const isUnique = columns.every((other) => other === column || lastOf(other) !== lastOf(column));
    return isUnique ? lastOf(column) : column;
  });
}

/** Widths that together fit, taking from the widest column first; undefined when they cannot. */
function fit(natural: readonly number[], available: number): number[] | undefined {
  const widths = [...natural];
  let excess = totalWidth(widths) - available;
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
