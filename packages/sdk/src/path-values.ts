/** Puts path values into a path template. The resulting address never differs in shape from the contract's. */
import { refusal } from "./refusal.ts";

/** A path value. An integer identifier may also be a decimal string, as in the service's replies. */
export type PathValue = string | number | bigint;

/**
 * Puts encoded values in the place of the `{names}` of a template.
 *
 * @throws {UsageError} For a value that is missing, empty, `.` or `..` (URL parsing drops those two as path steps, which
 * turns one address into another), or a number that is not an exact integer.
 */
export function fillPath(template: string, values: Record<string, unknown>): string {
  return template.replace(/\{([^{}]+)\}/g, (_, name: string) => encode(name, values[name]));
}

function encode(name: string, value: unknown): string {
  const isUsable =
    typeof value === "string" ? !/^\.{0,2}$/.test(value) : typeof value === "bigint" || Number.isSafeInteger(value);
  if (isUsable) return encodeURIComponent(String(value));
  throw refusal(`The path value ${name}`, value, 'a text other than "", "." and "..", an exact integer or a bigint');
}
