// Why a body is refused before anything in it is looked at.

import { Refusal } from "../../rules/refusal.ts";

/** The largest request body that is read. */
export const BODY_LIMIT_BYTES = 2 * 1024 * 1024;

/** Of a request that has to have a body, and has none. */
export function bodyMissing(): Refusal {
  return new Refusal("malformed_json", "The body is empty. Send a JSON object.");
}

/** `announced` is undefined for a body that did not tell its length, and of which no more than the limit was read. */
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
