// Reads the JSON of providers leniently: a field of another type counts as missing.

import { objectOf } from "../domain/document-checks.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Reads JSON. Returns undefined if the text is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value as an object; if it is not an object, one without fields. */
export function fieldsOf(value: unknown): Fields {
  return objectOf(value, "").fields;
}

/** Returns the value as a text; numbers are converted, and any other value gives an empty text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Reads the fields of an object in JSON; none if the text is something else. */
export function readFields(text: string): Fields {
  return fieldsOf(readJson(text));
}
