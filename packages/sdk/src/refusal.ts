/** The error for a value that cannot be used, in one form for all of them. */
import { UsageError } from "./errors.ts";

/**
 * Says what was received and what is allowed.
 *
 * @param name - What the value was given as.
 * @param value - Shown whole: nothing that may be secret.
 * @param allowed - Follows "It must be".
 */
export function refusal(name: string, value: unknown, allowed: string): UsageError {
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  return new UsageError(`${name} is ${shown}. It must be ${allowed}.`);
}
