import { printable } from "./printable.ts";

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)(?:\.\d+)?Z$/;

/** What stands in a table where the service has no value. */
export const ABSENT = "-";

/** A value as one line of text for people: instants without their T and milliseconds, lists with commas. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return ABSENT;
  if (typeof value === "string") return value === "" ? '""' : printable(value.replace(INSTANT, "$1 $2$3 UTC"));
  if (Array.isArray(value)) return list(value);
  return typeof value === "object" ? printable(JSON.stringify(value)) : String(value);
}

/** The same in fewer columns, where they are scarce: instants end with their minute. */
export function shortCell(value: unknown): string {
  return cell(typeof value === "string" ? value.replace(INSTANT, "$1 $2Z") : value);
}

function list(values: readonly unknown[]): string {
  if (values.length === 0) return ABSENT;
  if (values.some((value) => typeof value === "object" && value !== null)) {
    return values.length === 1 ? "1 item" : `${values.length} items`;
  }
  return values.map(cell).join(", ");
}
