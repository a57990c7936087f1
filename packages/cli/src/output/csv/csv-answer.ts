import type { Output } from "../../model/record.ts";
import { allNames, isObject } from "../fields.ts";
import type { RenderOptions } from "../render-options.ts";
import { csv, csvOfValues } from "./csv.ts";

/** An answer as csv: of objects the columns, of anything else its values. */
export function csvAnswer(value: unknown, output: Output, { columns }: Pick<RenderOptions, "columns">): string {
  const rows = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  const views = rows.filter(isObject);
  const known = columns ?? output.fields;
  if (views.length < rows.length) return csvOfValues(rows);
  const chosen = known.length > 0 ? known : allNames(views);
  return chosen.length === 0 ? "" : csv(views, chosen);
}
