// Combines the faults found by several checks of a request.

import type { ValidateFunction } from "ajv/dist/2020.js";
import type { FieldFault } from "../../rules/refusal.ts";
import { describeFault } from "./faults.ts";

/** Joins two lists of faults; those in `found` take precedence over `others` at the same pointer. */
export function joinFaults(found: readonly FieldFault[], others: readonly FieldFault[]): readonly FieldFault[] {
  if (found.length === 0) return others;
  if (others.length === 0) return found;
  const places = new Set(found.map(({ pointer }) => pointer));
  const news = others.filter(({ pointer }) => !places.has(pointer));
  return news.length === 0 ? found : [...found, ...news];
}

/**
 * Converts a validator's errors to faults. A failed `oneOf` reports each branch and then itself: only the last is kept.
 * Of several faults with the same code and pointer (a phone number's pattern and format), the first is kept.
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
