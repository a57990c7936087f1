/** Formats events as rows of a growing table. A column keeps its position until a longer value widens it. */

import { readField } from "../../output/fields.ts";
import { printable } from "../../output/printable.ts";
import { cell, type Zone } from "../../output/table/cell.ts";
import { paintStatus } from "../../output/table/status.ts";
import type { Style } from "../../output/text/style.ts";
import { displayWidth, pad, truncate } from "../../output/text/width.ts";
import type { EventRecord } from "./event-record.ts";

export interface RowOptions {
  /** Columns to show; undefined: the most useful ones. */
  columns: readonly string[] | undefined;
  isForwarding: boolean;
  style: Style;
  zone: Zone;
  /** Width of the terminal in columns; if undefined, no value is truncated. */
  width: number | undefined;
}

const GAP = "  ";
/** The last column is truncated to the remaining width of the terminal, but not below this. */
const NARROWEST = 8;
/** Width of the longest common value, so that columns seldom move. */
const COMMON: Readonly<Record<string, number>> = { time: 8, type: 25, status: 11 };

/** Returns a function that formats a row. The headings precede the first row. */
export function createEventRows(options: RowOptions): (record: EventRecord) => string {
  const { columns = ["time", "type", "subject", "status", "verified", ...(options.isForwarding ? ["handler"] : [])] } =
    options;
  const { style, width } = options;
  const widths = columns.map((name) => Math.max(displayWidth(printable(name)), COMMON[name] ?? 0));
  const sum = (before: number, columnWidth: number) => before + columnWidth + GAP.length;
  let isBegun = false;
  const set = (texts: readonly string[], paint: (text: string, column: number) => string) => {
    const last = texts.length - 1;
    const room = Math.max(NARROWEST, (width ?? Number.POSITIVE_INFINITY) - widths.slice(0, last).reduce(sum, 0));
    const cells = texts.map((text, column) => {
      const shown = column === last ? truncate(text, room) : text;
      return paint(shown, column) + (column === last ? "" : pad("", (widths[column] ?? 0) - displayWidth(shown)));
    });
    return `${cells.join(GAP).trimEnd()}\n`;
  };
  return (record) => {
    const texts = columns.map((name) => formatField(record, name, options.zone));
    for (const [column, text] of texts.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(text));
    }
    const row = set(texts, (text, column) => paintCell(record, columns[column] ?? "", text, style));
    if (isBegun) return row;
    isBegun = true;
    return `${style.bold(set(columns.map(printable), (text) => text).trimEnd())}\n${row}`;
  };
}

function formatField(record: EventRecord, name: string, zone: Zone): string {
  if (name === "time") return formatTimeOfDay(record.time, zone);
  if (name === "verified") return `${record.verified ? "yes" : "no"}${record.repeat ? " again" : ""}`;
  if (name !== "handler") return cell(readField(record, name), { name, zone });
  const { handler } = record;
  if (handler === null) return cell(null);
  return handler.status === null ? printable(handler.error ?? "") : `${handler.status} ${handler.durationMs} ms`;
}

function formatTimeOfDay(text: string, zone: Zone): string {
  const at = new Date(text);
  return new Date(at.getTime() + zone(at) * 60_000).toISOString().slice(11, 19);
}

function paintCell(record: EventRecord, name: string, text: string, style: Style): string {
  if (name === "time") return style.dim(text);
  if (name === "verified") return (record.verified ? style.green : style.yellow)(text);
  if (name === "handler" && record.handler !== null)
    return (isSuccess(record.handler.status) ? style.green : style.red)(text);
  return paintStatus(name, readField(record, name), text, style);
}

/** Only 2xx counts as success, as for the service. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
