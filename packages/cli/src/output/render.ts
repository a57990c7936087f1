/** What the service answered, as the text that goes to standard output. Writes nothing itself. */
import type { Output } from "../record.ts";
import { csv, csvOfValues } from "./csv.ts";
import { fieldNames, hasValue, isObject, type JsonObject } from "./fields.ts";
import type { Format } from "./format.ts";
import { indentedJson, jsonLines } from "./json.ts";
import { printableLines } from "./printable.ts";
import type { Query } from "./query.ts";
import { raw } from "./raw.ts";
import { MASK, maskFields, maskXml } from "./secrets.ts";
import { type Layout, list, table } from "./table.ts";
import { yamlDocument } from "./yaml.ts";

export interface RenderOptions extends Layout {
  format: Format;
  /** Columns asked for; undefined: those of the record. */
  columns: readonly string[] | undefined;
  /** What is made of the masked answer before it is set; undefined: nothing. */
  query?: Query | undefined;
  showSecrets: boolean;
  /** Whether a terminal shows it, which would obey control characters. */
  isTerminal?: boolean;
}

export interface Rendered {
  stdout: string;
  /** Remarks for people, one line each. */
  remarks: string[];
}

/** The answer of an operation in the format asked for, its secrets masked. @throws {CliError} Where the query fails. */
export async function render(data: unknown, output: Output, options: RenderOptions): Promise<Rendered> {
  const { value: masked, hidden } = options.showSecrets ? { value: data, hidden: 0 } : mask(data, output);
  const { query } = options;
  // A query gives whatever it likes: what the record knows of the answer holds no longer.
  const value = query === undefined ? masked : query(masked);
  const known = query === undefined ? output : { ...UNKNOWN, kind: output.kind };
  const { stdout, remarks } = await set(value, known, options, query !== undefined);
  const isMaskSeen = hidden > 0 && (query === undefined || stdout.includes(MASK));
  return { stdout, remarks: [...remarks, ...(isMaskSeen ? [aboutMasks(hidden)] : [])] };
}

const UNKNOWN = { columns: [], fields: [], secrets: [] };

function mask(data: unknown, output: Output) {
  return typeof data === "string" ? maskXml(data) : maskFields(data, output.secrets);
}

function aboutMasks(hidden: number): string {
  return hidden === 1
    ? "1 secret is masked; --show-secrets shows it."
    : `${hidden} secrets are masked; --show-secrets shows them.`;
}

async function set(value: unknown, output: Output, options: RenderOptions, isQueried: boolean): Promise<Rendered> {
  const isBodyless = output.kind === "none" && !isQueried;
  const safe = (text: string) => (options.isTerminal === true ? printableLines(text) : text);
  switch (options.format) {
    case "json":
      return data(`${indentedJson(value)}\n`);
    case "jsonl":
      return data(jsonLines(value));
    case "yaml":
      return data(safe(await yamlDocument(value)));
    case "csv":
      return data(isBodyless ? "" : safe(csvOf(value, output, options)));
    case "raw":
      // A text that a query picked is a line; a whole body is not touched.
      return data(isBodyless ? "" : safe(raw(value)) + (isQueried && typeof value === "string" ? "\n" : ""));
    case "table":
      return isBodyless ? { stdout: "", remarks: ["Done."] } : readable(value, output, options);
  }
}

function data(stdout: string): Rendered {
  return { stdout, remarks: [] };
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
