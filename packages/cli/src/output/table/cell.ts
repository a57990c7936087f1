import { compactJson } from "../json/json.ts";
import { printable } from "../printable.ts";
import { formatMoney } from "./money.ts";
import { relativeTime } from "./relative-time.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Stands for a missing value in a table. */
export const ABSENT = "-";

/** Returns the offset of the reader's time zone from UTC at an instant, in minutes. */
export type Zone = (at: Date) => number;

export interface CellOptions {
  /** Name of the field. It may imply the unit of a number. */
  name?: string;
  /** Time zone; undefined: UTC. */
  zone?: Zone | undefined;
  /** Whether to save space: instants are shown without seconds. */
  isShort?: boolean;
  /** The current time in epoch milliseconds. If given, instants within a week of it are shown relative to it. */
  nowMs?: number | undefined;
}

/** Formats a value on one line for people: instants in their time zone, money with its unit, lists with commas. */
export function cell(value: unknown, options: CellOptions = {}): string {
  if (value === null || value === undefined) return ABSENT;
  if (typeof value === "string")
    return value === "" ? '""' : printable(isInstant(value) ? instant(value, options) : value);
  if (Array.isArray(value)) return list(value, options);
  if (typeof value === "object") return printable(compactJson(value));
  return formatMoney(options.name ?? "", value) ?? String(value);
}

/** Whether a value is a timestamp of the service. */
export function isInstant(value: unknown): value is string {
  return typeof value === "string" && INSTANT.test(value);
}

function instant(text: string, { zone, isShort = false, nowMs }: CellOptions): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  const relative = nowMs === undefined ? undefined : relativeTime(at.getTime(), nowMs);
  if (relative !== undefined) return relative;
  const minutes = zone?.(at) ?? 0;
  const clock = new Date(at.getTime() + minutes * 60_000).toISOString();
  const shown = `${clock.slice(0, 10)} ${clock.slice(11, isShort ? 16 : 19)}`;
  if (minutes === 0) return isShort ? `${shown}Z` : `${shown} UTC`;
  return isShort ? `${shown}${offset(minutes).replace(":00", "")}` : `${shown} ${offset(minutes)}`;
}

/** Formats a time zone offset: `+05:30`. */
function offset(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function list(values: readonly unknown[], options: CellOptions): string {
  if (values.length === 0) return ABSENT;
  if (values.some((value) => typeof value === "object" && value !== null)) {
    return values.length === 1 ? "1 item" : `${values.length} items`;
  }
  return values.map((value) => cell(value, options)).join(", ");
}
