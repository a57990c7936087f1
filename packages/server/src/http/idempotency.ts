import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "../operations/refusal.ts";
import { canonicalText } from "../rules/canonical-text.ts";

const PRINTABLE_ASCII = /^[ -~]{1,255}$/;

/** The request's Idempotency-Key, or undefined when it has none. Throws `idempotency_key_invalid`. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined || typeof key !== "string") return undefined;
  if (PRINTABLE_ASCII.test(key)) return key;
  const detail = `Expected 1 to 255 printable ASCII characters; received ${key.length}.`;
  throw new Refusal("idempotency_key_invalid", "The Idempotency-Key cannot be used.", {
    errors: [{ pointer: "/header/Idempotency-Key", code: "idempotency_key_invalid", detail }],
  });
}

/** Equal for requests that ask for the same, however their JSON is ordered or spaced. */
export function fingerprint(path: unknown, body: unknown): string {
  return hash("sha256", canonicalText([path, body]), "base64");
}
