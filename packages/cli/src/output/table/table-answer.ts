import type { Output } from "../../model/record.ts";
import { allNames, fieldNames, hasValue, isObject, type JsonObject } from "../fields.ts";
import { raw } from "../json/raw.ts";
import { printableLines } from "../printable.ts";
import type { RenderOptions } from "../render-options.ts";
import { list, table } from "./table.ts";

/** Formats an answer for people: a list of objects as a table, one object as a list of fields, anything else as text. */
export function tableAnswer(value: unknown, output: Output, options: RenderOptions): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return "";
  if (Array.isArray(value) && value.every(isObject)) return formatRows(value, output, options);
  if (isObject(value)) return list(value, options.columns ?? chooseFields(value, output), options);
  return `${printableLines(raw(value).trimEnd())}\n`;
}

function formatRows(views: readonly JsonObject[], output: Output, options: RenderOptions): string {
  const chosen = options.columns ?? output.columns;
  return table(views, chosen.length > 0 ? chosen : allNames(views), options);
}

/** Returns the record's columns, followed by other fields that have a value. */
function chooseFields(view: JsonObject, { columns }: Output): string[] {
  const others = fieldNames(view).filter((name) => !columns.includes(name));
  return [...columns, ...others.filter(hasValue(view))];
}
