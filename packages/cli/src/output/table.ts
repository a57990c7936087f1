import { ABSENT, cell, type Zone } from "./cell.ts";
import { fieldNames, fieldOf, hasValue, isObjectList, type JsonObject } from "./fields.ts";
import { printable } from "./printable.ts";
import { paintStatus } from "./status.ts";
import type { Style } from "./style.ts";
import { displayWidth, pad, truncate } from "./width.ts";

const GAP = "  ";
/** A column is never squeezed below this: what is left of it would say nothing. */
const NARROWEST = 8;

export interface Layout {
  style: Style;
  /** Width to fit into; undefined (not a terminal) leaves every value whole. */
  width: number | undefined;
  /** The reader's clock; undefined: UTC. */
  zone?: Zone | undefined;
}

/**
 * Rows under aligned headings. Where they are too wide, first headings and instants are said in short, then the widest
 * values are cut; where even that does not do, each row becomes a list.
 */
export function table(rows: readonly JsonObject[], columns: readonly string[], layout: Layout): string {
  const { width, zone } = layout;
  const textsOf = (row: JsonObject, isShort: boolean) =>
    columns.map((name) => cell(fieldOf(row, name), { name, zone, isShort }));
  const headings = columns.map(printable);
  const whole = [headings, ...rows.map((row) => textsOf(row, false))];
  const paint = (text: string, row: number, column: number) => {
    const name = columns[column] ?? "";
    return paintCell(name, fieldOf(rows[row], name), text, layout.style);
  };
  const natural = naturalWidths(whole);
  if (width === undefined || totalWidth(natural) <= width) return set(whole, natural, layout, paint);
  const short = [shortNames(headings), ...rows.map((row) => textsOf(row, true))];
  const widths = fit(naturalWidths(short), width);
  if (widths === undefined) return rows.map((row) => list(row, columns, layout)).join("\n");
  return set(short, widths, layout, paint);
}

type Paint = (text: string, row: number, column: number) => string;

function set(
  [headings = [], ...rows]: readonly (readonly string[])[],
  widths: readonly number[],
  { style }: Layout,
  paint: Paint,
): string {
  const line = (values: readonly string[], painted: (text: string, column: number) => string) => {
    const last = values.length - 1;
    const cells = values.map((value, column) => {
      const width = widths[column] ?? 0;
      const text = truncate(value, width);
      const rest = column === last ? "" : " ".repeat(Math.max(0, width - displayWidth(text)));
      return painted(text, column) + rest;
    });
    return cells.join(GAP).trimEnd();
  };
  const lines = rows.map((row, index) => line(row, (text, column) => paint(text, index, column)));
  return [style.bold(line(headings, (text) => text)), ...lines].map((text) => `${text}\n`).join("");
}

function paintCell(name: string, value: unknown, text: string, style: Style): string {
  return text === ABSENT ? style.dim(text) : paintStatus(name, value, text, style);
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
  const width = plain.reduce((widest, column) => Math.max(widest, displayWidth(printable(column))), 0);
  const lines = plain.map((column) => {
    const value = fieldOf(view, column);
    const text = cell(value, { name: column, zone: layout.zone });
    return `${layout.style.bold(pad(printable(column), width))}${GAP}${paintCell(column, value, text, layout.style)}\n`;
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
  return `\n${layout.style.bold(`${printable(name)} (${rows.length})`)}\n${isTooWide ? lists() : whole}`;
}
