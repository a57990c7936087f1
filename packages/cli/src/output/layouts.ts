/** The formats that lay an answer out: tables, csv and yaml. Apart from the rest, since json and raw do without it. */
import type { Output } from "../record.ts";
import { csv, csvOfValues } from "./csv.ts";
import { fieldNames, hasValue, isObject, type JsonObject } from "./fields.ts";
import { printableLines } from "./printable.ts";
import { raw } from "./raw.ts";
import type { Rendered, RenderOptions } from "./render.ts";
import { list, table } from "./table.ts";
import { yamlDocument } from "./yaml.ts";

/** The answer as --output asks; what a terminal would obey is taken out for one. */
export function layOut(value: unknown, output: Output, options: RenderOptions): Rendered {
  const { format, isTerminal } = options;
  if (format === "table") return readable(value, output, options);
  const text = format === "yaml" ? yamlDocument(value) : csvOf(value, output, options);
  return data(isTerminal === true ? printableLines(text) : text);
}

function csvOf(value: unknown, output: Output, { columns }: RenderOptions): string {
  const rows = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  const views = rows.filter(isObject);
  const known = columns ?? output.fields;
  if (views.length < rows.length) return csvOfValues(rows);
  const chosen = known.length > 0 ? known : allNames(views);
  return chosen.length === 0 ? "" : csv(views, chosen);
}

function readable(value: unknown, output: Output, options: RenderOptions): Rendered {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) {
    return { stdout: "", remarks: ["Nothing found."] };
  }
  if (Array.isArray(value) && value.every(isObject)) return data(rowsOf(value, output, options));
  if (isObject(value)) return data(list(value, options.columns ?? fieldsOfView(value, output), options));
  const text = raw(value).trimEnd();
  return data(`${options.isTerminal === true ? printableLines(text) : text}\n`);
}

function rowsOf(views: readonly JsonObject[], output: Output, options: RenderOptions): string {
  const chosen = options.columns ?? output.columns;
  return table(views, chosen.length > 0 ? chosen : allNames(views), options);
}

/** The record's columns first, then whatever else has a value. */
function fieldsOfView(view: JsonObject, { columns }: Output): string[] {
  const others = fieldNames(view).filter((name) => !columns.includes(name));
  return [...columns, ...others.filter(hasValue(view))];
}

function allNames(views: readonly JsonObject[]): string[] {
  return [...new Set(views.flatMap((view) => fieldNames(view)))];
}

function data(stdout: string): Rendered {
  return { stdout, remarks: [] };
}
