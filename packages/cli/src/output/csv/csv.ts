/** Formats comma-separated values as RFC 4180 does, except that lines end with a line feed, as shell tools expect. */

import type { Output } from "../../model/record.ts";
import { allNames, isObject, readField } from "../fields.ts";
import { compactJson } from "../json/json.ts";
import type { RenderOptions } from "../render-options.ts";
import { harmless, quoted } from "./csv-field.ts";

/** Formats an answer: with a column for each field if all its elements are objects, and otherwise with one column. */
export function csvAnswer(value: unknown, output: Output, { columns }: Pick<RenderOptions, "columns">): string {
  const rows = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  const views = rows.filter(isObject);
  const known = columns ?? output.fields;
  if (views.length < rows.length) return formatValues(rows);
  const chosen = known.length > 0 ? known : allNames(views);
  return chosen.length === 0 ? "" : csv(views, chosen);
}

/**
 * Formats a header line, and a line for each row. A column is the path of a field, such as `usage.smsUsed`. A nested value
 * is written as JSON.
 */
export function csv(rows: readonly unknown[], columns: readonly string[]): string {
  const lines = rows.map((row) => columns.map((column) => field(readField(row, column))));
  return [columns.map((column) => quoted(harmless(column))), ...lines].map((line) => `${line.join(",")}\n`).join("");
}

/** Formats values that are not all objects: a header line, and a line for each value. */
export function formatValues(values: readonly unknown[]): string {
  return ["value", ...values.map(field)].map((line) => `${line}\n`).join("");
}

/** Formats a value. A missing value becomes an empty field; an empty text becomes a quoted empty field. */
function field(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value === "" ? '""' : quoted(harmless(value));
  return quoted(typeof value === "object" ? compactJson(value) : String(value));
}
