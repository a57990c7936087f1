// What several looks at a request found, made one list.

import type { ValidateFunction } from "ajv/dist/2020.js";
import type { FieldFault } from "../../rules/refusal.ts";
import { describeFault } from "./faults.ts";

/** What was found of a place first goes before what else is wrong there. */
export function joinFaults(found: readonly FieldFault[], others: readonly FieldFault[]): readonly FieldFault[] {
  if (found.length === 0) return others;
  if (others.length === 0) return found;
  const places = new Set(found.map(({ pointer }) => pointer));
  const news = others.filter(({ pointer }) => !places.has(pointer));
  return news.length === 0 ? found : [...found, ...news];
}

/**
 * A `oneOf` that no branch satisfies reports each branch and then itself: only the last says something. Of faults of one
 * code at one place (a phone number's pattern and its format) the first says enough.
 */
export function toFaults({ errors }: ValidateFunction, prefix: string): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const error of errors ?? []) {
    if (error.schemaPath.includes("/oneOf/") || error.schemaPath.includes("/anyOf/")) continue;
    const fault = describeFault(error, prefix);
    const key = `${fault.code} ${fault.pointer}`;
    if (!faults.has(key)) faults.set(key, fault);
  }
  return [...faults.values()];
}
