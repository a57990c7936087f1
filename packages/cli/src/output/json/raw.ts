import { compactJson } from "./json.ts";

/**
 * Formats an answer for shells: text without quotes, a list of plain values (`-q '[].merchantId'`) as one line per value,
 * and anything else as JSON on one line.
 */
export function raw(value: unknown): string {
  if (typeof value === "string") return value;
  const isPlainList = Array.isArray(value) && value.every((element) => typeof element !== "object" || element === null);
  return isPlainList ? value.map((element) => `${plain(element)}\n`).join("") : `${compactJson(value)}\n`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : compactJson(value);
}
