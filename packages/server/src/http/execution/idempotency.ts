import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { IDEMPOTENCY_KEY_MAX_LENGTH, IDEMPOTENCY_KEY_PATTERN } from "@msgctl/contract/constants";
import { canonicalText } from "../../rules/canonical-text.ts";
import { Refusal } from "../../rules/refusal.ts";

/**
 * Returns the request's Idempotency-Key, from the header or from the body's `idempotencyKey`; undefined without either.
 * Throws `idempotency_key_invalid`, and `idempotency_key_conflict` when both are given and differ.
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders, body?: unknown): string | undefined {
  const inHeader = readHeader(headers);
  const inBody = hasKey(body) ? body.idempotencyKey : undefined;
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    const detail =
      "The Idempotency-Key header and the field idempotencyKey differ; send one of them or the same in both.";
    throw new Refusal("idempotency_key_conflict", detail);
  }
  return inHeader ?? inBody;
}

function readHeader(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined || typeof key !== "string") return undefined;
  if (IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  const detail = `Expected 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} printable ASCII characters; received ${key.length}.`;
  throw new Refusal("idempotency_key_invalid", "The Idempotency-Key cannot be used.", {
    errors: [{ pointer: "/header/Idempotency-Key", code: "idempotency_key_invalid", detail }],
  });
}

/** Validation has already checked it by the same rule as the header's. */
function hasKey(body: unknown): body is { idempotencyKey: string } {
  return typeof body === "object" && body !== null && "idempotencyKey" in body;
}

/** Returns a hash that is equal for equal requests, regardless of JSON member order, spacing and the key's place. */
export function fingerprint(path: unknown, body: unknown): string {
  if (!hasKey(body)) return hash("sha256", canonicalText([path, body]), "base64");
  const { idempotencyKey: _, ...rest } = body;
  return hash("sha256", canonicalText([path, rest]), "base64");
}

/** The refusal for a key whose first request has not ended. */
export function inProgress(key: string): Refusal {
  const detail = `The first request with Idempotency-Key ${key} is still under way. Repeat it in a second.`;
  return new Refusal("idempotency_in_progress", detail);
}

/** The refusal for a key that another request was made with. */
export function keyReused(key: string): Refusal {
  const detail = `Idempotency-Key ${key} was used for another request. Repeat that request unchanged, or take a new key.`;
  return new Refusal("idempotency_key_reused", detail);
}
