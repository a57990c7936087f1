import { fieldNames, hasValue, isObjectList, type JsonObject, readField } from "../fields.ts";
import { printable } from "../printable.ts";
import type { Style } from "../text/style.ts";
import { displayWidth, pad, truncate } from "../text/width.ts";
import { ABSENT, cell, isInstant, type Zone } from "./cell.ts";
import { relativeTime } from "./relative-time.ts";
import { paintStatus } from "./status.ts";

const GAP = "  ";
/** Minimum width to which prose is cut. Less would be meaningless. */
const NARROWEST = 8;
/** Minimum width to which a heading is cut, even if the values of its column are narrower. */
const NARROWEST_HEADING = 5;

export interface Layout {
  style: Style;
  /** Width of the terminal in columns; undefined without a terminal, when no value is cut. */
  width: number | undefined;
  /** The reader's time zone; undefined: UTC. */
  zone?: Zone | undefined;
  /** The current time in epoch milliseconds. If given, the times of rows are shown relative to it. */
  nowMs?: number | undefined;
}

/**
 * Formats rows under aligned headings. If they are too wide, headings and instants are shortened first. Then prose and
 * headings are cut, the widest first. Ids, times and single words are never cut, since users need them whole. If that is not
 * enough, each row becomes a list of fields.
 */
export function table(rows: readonly JsonObject[], columns: readonly string[], layout: Layout): string {
  const { width, zone, nowMs } = layout;
  const formatRow = (row: JsonObject, isShort: boolean) =>
    columns.map((name) => cell(readField(row, name), { name, zone, isShort, nowMs }));
  const headings = columns.map(printable);
  const whole = [headings, ...rows.map((row) => formatRow(row, false))];
  const paint = (text: string, row: number, column: number) => {
    const name = columns[column] ?? "";
    return paintCell(name, readField(rows[row], name), text, layout.style);
  };
  const natural = naturalWidths(whole);
  if (width === undefined || totalWidth(natural) <= width) return set(whole, natural, layout, paint);
  const short = [shortNames(headings), ...rows.map((row) => formatRow(row, true))];
  const [, ...shortRows] = short;
  const floors = naturalWidths([columns.map(() => ""), ...shortRows]).map((values, column) => {
    const heading = Math.min(displayWidth(short[0]?.[column] ?? ""), NARROWEST_HEADING);
    const name = columns[column] ?? "";
    return rows.some((row) => isProse(name, readField(row, name))) ? NARROWEST : Math.max(values, heading);
  });
  const widths = fit(naturalWidths(short), floors, width);
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

/** Shortens headings: `usage.smsUsed` to `smsUsed`, unless another column has the same last name. */
function shortNames(columns: readonly string[]): string[] {
  const lastName = (column: string) => column.slice(column.lastIndexOf(".") + 1);
  return columns.map((column) => {
    const isUnique = columns.every((other) => other === column || lastName(other) !== lastName(column));
    return isUnique ? lastName(column) : column;
  });
}

/** Whether readers still understand the value if it is cut. */
function isProse(name: string, value: unknown): boolean {
  if (typeof value === "object") return value !== null;
  return typeof value === "string" && !isInstant(value) && (/name$/i.test(name) || /\s/.test(value));
}

/** Shrinks the widest columns until all fit. Returns undefined if they do not fit even at their minimum widths. */
function fit(natural: readonly number[], floors: readonly number[], available: number): number[] | undefined {
  const floorOf = (column: number) => floors[column] ?? 0;
  const widths = natural.map((width, column) => Math.max(Math.min(width, available), Math.min(width, floorOf(column))));
  for (let excess = totalWidth(widths) - available; excess > 0; excess -= 1) {
    const widest = Math.max(...widths.filter((width, column) => width > floorOf(column)));
    const column = widths.findIndex((width, index) => width === widest && width > floorOf(index));
    if (column === -1) return undefined;
    widths[column] = widest - 1;
  }
  return widths;
}

/** Formats a view with a line for each field. Lists of objects follow as separate tables. */
export function list(view: JsonObject, columns: readonly string[], layout: Layout): string {
  const nested = columns.filter((column) => isObjectList(readField(view, column)));
  const plain = columns.filter((column) => !nested.includes(column));
  const width = plain.reduce((widest, column) => Math.max(widest, displayWidth(printable(column))), 0);
  const lines = plain.map((column) => {
    const value = readField(view, column);
    const text = cell(value, { name: column, zone: layout.zone }) + distanceTo(value, layout);
    return `${layout.style.bold(pad(printable(column), width))}${GAP}${paintCell(column, value, text, layout.style)}\n`;
  });
  return [...lines, ...nested.map((column) => section(column, readField(view, column), layout))].join("");
}

/** Formats the relative time, to be shown after the exact time. Only a list has room for both. */
function distanceTo(value: unknown, { nowMs }: Layout): string {
  const distance = isInstant(value) && nowMs !== undefined ? relativeTime(Date.parse(value), nowMs) : undefined;
  return distance === undefined ? "" : ` (${distance})`;
}

/** Without a terminal, a nested table that is wider than this is shown as a list per row. */
const WIDEST_SECTION = 120;

function section(name: string, rows: unknown, layout: Layout): string {
  if (!isObjectList(rows)) return "";
  const columns = [...new Set(rows.flatMap((row) => fieldNames(row)))];
  const whole = table(rows, columns, layout);
  const isTooWide = layout.width === undefined && displayWidth(whole.split("\n", 1)[0] ?? "") > WIDEST_SECTION;
  const lists = () => rows.map((row) => list(row, fieldNames(row).filter(hasValue(row)), layout)).join("\n");
  return `\n${layout.style.bold(`${printable(name)} (${rows.length})`)}\n${isTooWide ? lists() : whole}`;
}
