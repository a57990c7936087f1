import type { Output, WaitRecipe } from "../model/record.ts";
import { fieldOf } from "../output/fields.ts";
import { cell } from "../output/table/cell.ts";

/** Any polled view on one line: its state, and those of its numbers that are not zero. */
export function stateLine(view: unknown, { field }: WaitRecipe, { columns }: Output): string {
  const state = cell(fieldOf(view, field));
  const counts = columns.filter((name) => {
    const value = fieldOf(view, name);
    return name !== field && (typeof value === "number" || typeof value === "bigint") && Number(value) !== 0;
  });
  return [state, ...counts.map((name) => `${name} ${cell(fieldOf(view, name), { name })}`)].join(", ");
}
