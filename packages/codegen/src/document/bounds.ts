import { received } from "../faults.ts";
import type { Bounds } from "../model.ts";
import type { Entry } from "./source.ts";

const KEYS = ["default", "minimum", "maximum"] as const;

/** Reads the default and the bounds of a configurable whole number; undefined when there is none. */
export function readBounds(entry: Entry): Bounds | undefined {
  if (!entry.exists) return undefined;
  entry.allowOnly(KEYS, entry.key);
  const known = KEYS.map((key) => entry.at(key)).filter((bound) => bound.exists);
  for (const bound of known) {
    if (!Number.isInteger(bound.value)) bound.fault(`${bound.key} must be an integer, not ${received(bound.value)}.`);
  }
  return Object.fromEntries(known.map((bound) => [bound.key, Number(bound.value)]));
}
