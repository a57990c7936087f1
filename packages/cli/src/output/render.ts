/** What the service answered, as the text that goes to standard output. Writes nothing itself. */
import type { Output } from "../record.ts";
import { fieldNames, hasValue, isObject, type JsonObject } from "./fields.ts";
import { maskFields, maskXml } from "./secrets.ts";
import { type Layout, list, table } from "./table.ts";

export type Format = "table" | "json";

export interface RenderOptions extends Layout {
  format: Format;
  /** Columns asked for; undefined: those of the record. */
  columns: readonly string[] | undefined;
  showSecrets: boolean;
}

export interface Rendered {
  stdout: string;
  /** Remarks for people, one line each. */
  remarks: string[];
}

/** The answer of an operation in the format asked for, its secrets masked. */
export function render(data: unknown, output: Output, options: RenderOptions): Rendered {
  if (output.kind === "none") return none(options);
  const { value, hidden } = options.showSecrets ? { value: data, hidden: 0 } : mask(data, output);
  const remarks =
    hidden === 0
      ? []
      : [
          `${hidden === 1 ? "1 secret is" : `${hidden} secrets are`} masked; --show-secrets shows ${hidden === 1 ? "it" : "them"}.`,
        ];
  if (options.format === "json") return { stdout: json(value), remarks };
  if (Array.isArray(value)) return rows(value, output, options, remarks);
  if (isObject(value)) return { stdout: list(value, options.columns ?? fieldsOfView(value, output), options), remarks };
  return { stdout: `${String(value).trimEnd()}\n`, remarks };
}

function mask(data: unknown, output: Output) {
  return typeof data === "string" ? maskXml(data) : maskFields(data, output.secrets);
}

/** An answer without a body is `null` in JSON, so that what reads it still finds one value. */
function none(options: RenderOptions): Rendered {
  return { stdout: options.format === "json" ? "null\n" : "", remarks: ["Done."] };
}

/** The record's columns first, then whatever else has a value. */
function fieldsOfView(view: JsonObject, { columns }: Output): string[] {
  const others = fieldNames(view).filter((name) => !columns.includes(name));
  return [...columns, ...others.filter(hasValue(view))];
}

function rows(values: readonly unknown[], output: Output, options: RenderOptions, remarks: string[]): Rendered {
  const views = values.filter(isObject);
  if (views.length === 0) return { stdout: "", remarks: ["Nothing found.", ...remarks] };
  const chosen = options.columns ?? output.columns;
  const columns = chosen.length > 0 ? chosen : [...new Set(views.flatMap((view) => fieldNames(view)))];
  return { stdout: table(views, columns, options), remarks };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
