// Refusals of a body before its content is validated.

import { Refusal } from "../../rules/refusal.ts";

/** The largest request body that is read. */
export const BODY_LIMIT_BYTES = 2 * 1024 * 1024;

/** Refuses a request whose required body is missing. */
export function bodyMissing(): Refusal {
  return new Refusal("malformed_json", "The body is empty. Send a JSON object.");
}

/** `announced` is undefined for a body without a Content-Length, which was read only up to the limit. */
export function bodyTooLarge(announced: number | undefined): Refusal {
  const size = announced === undefined ? `more than ${BODY_LIMIT_BYTES}` : String(announced);
  return new Refusal("payload_too_large", `The body has ${size} bytes; at most ${BODY_LIMIT_BYTES} (2 MiB) are read.`);
}

export function bodyCutOff(): Refusal {
  return new Refusal("malformed_json", "The body ended before the number of bytes that Content-Length announced.");
}

export function notUtf8(): Refusal {
  return new Refusal("malformed_json", "The body is not valid UTF-8.");
}
