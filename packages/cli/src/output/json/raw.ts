import { compactJson } from "./json.ts";

/**
 * What the service answered, without formatting: text as it is, anything else as JSON on one line. A list of plain
 * values (`-q '[].merchantId'`) gets one line per value, texts without quotes, for shells.
 */
export function raw(value: unknown): string {
  if (typeof value === "string") return value;
  const isPlainList = Array.isArray(value) && value.every((element) => typeof element !== "object" || element === null);
  return isPlainList ? value.map((element) => `${plain(element)}\n`).join("") : `${compactJson(value)}\n`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : compactJson(value);
}
