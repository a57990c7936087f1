import { compactJson } from "./json.ts";

/**
 * What the service answered without any setting: a text as it is, anything else as JSON on one line. Values of which a
 * shell wants one a line (`-q '[].merchantId'`) get one each, texts without quotes.
 */
export function raw(value: unknown): string {
  if (typeof value === "string") return value;
  const isPlainList = Array.isArray(value) && value.every((element) => typeof element !== "object" || element === null);
  return isPlainList ? value.map((element) => `${plain(element)}\n`).join("") : `${compactJson(value)}\n`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : compactJson(value);
}
