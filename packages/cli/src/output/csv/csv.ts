/** Comma-separated values after RFC 4180, lines ended by a line feed, as the tools of a shell expect them. */

import { fieldOf } from "../fields.ts";
import { compactJson } from "../json/json.ts";
import { harmless, quoted } from "./csv-field.ts";

/** A header and a line for each row. A column is a dotted name; what it names may be nested, and is JSON then. */
export function csv(rows: readonly unknown[], columns: readonly string[]): string {
  const lines = rows.map((row) => columns.map((column) => field(fieldOf(row, column))));
  return [columns.map((column) => quoted(harmless(column))), ...lines].map((line) => `${line.join(",")}\n`).join("");
}

/** One header for values that are no objects. */
export function csvOfValues(values: readonly unknown[]): string {
  return ["value", ...values.map(field)].map((line) => `${line}\n`).join("");
}

/** Nothing is an empty field; the empty text is a quoted one. */
function field(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value === "" ? '""' : quoted(harmless(value));
  return quoted(typeof value === "object" ? compactJson(value) : String(value));
}
