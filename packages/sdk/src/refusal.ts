/** Creates the errors for values and requests that cannot be used, in one form. */
import { MessagingError, UsageError } from "./errors.ts";

/**
 * Creates an error that says what was received and what is allowed.
 *
 * @param name - The name of the option, parameter or header.
 * @param value - Shown in full unless it is an object, so it must not be secret.
 * @param allowed - Follows "It must be".
 * @param advice - What to do, as a sentence without its full stop.
 */
export function refusal(name: string, value: unknown, allowed: string, advice = ""): UsageError {
  return new UsageError(`${name} is ${shown(value)}. It must be ${allowed}.${advice && ` ${advice}.`}`);
}

/**
 * Creates the error for a request that could not be made, because JSON cannot express its body or HTTP one of its headers.
 *
 * @param cause - Returned unchanged if it is one of this package's errors.
 */
export function requestRefusal(cause: unknown): MessagingError {
  if (cause instanceof MessagingError) return cause;
  return new UsageError(`The request cannot be made: ${Object(cause).message ?? cause}`, {}, cause);
}

/** Formats a value for an error's message. Shows only the type of an object, as `String` may throw or quote a secret. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return Object(value) === value ? `of type ${typeof value}` : String(value);
}
