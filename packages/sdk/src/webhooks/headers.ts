import { refusal } from "../refusal.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/**
 * The headers of a request, from fetch or from Node's http module (as in Express and Fastify). Names may be in upper or
 * lower case.
 */
export type WebhookHeaders = Pick<Headers, "get"> | Readonly<Record<string, string | readonly string[] | undefined>>;

const NAMES = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/**
 * The three headers of a signed callback. The values of a repeated header are joined with commas, as fetch joins them.
 *
 * @throws {WebhookVerificationError} `missing_header`
 * @throws {UsageError} If the receiver passed no headers at all.
 */
export function readHeaders(headers: WebhookHeaders): [id: string, timestamp: string, signatures: string] {
  if (typeof headers !== "object" || headers === null)
    throw refusal("headers", headers, "the headers of the request, such as request.headers");
  const [id, timestamp, signatures] = NAMES.map((name) => valueIn(headers, name));
  if (id && timestamp && signatures) return [id, timestamp, signatures];
  const missing = NAMES.filter((name) => !valueIn(headers, name));
  throw new WebhookVerificationError(
    "missing_header",
    `The request has no ${missing.join(", no ")}. A signed callback has ${NAMES.join(", ")}: pass the request's own headers, and see that no proxy drops them.`,
  );
}

function valueIn(headers: WebhookHeaders, name: string): string | null | undefined {
  if (isFetchHeaders(headers)) return headers.get(name);
  const values = Object.keys(headers).filter((key) => key.toLowerCase() === name);
  return values.flatMap((key) => headers[key] ?? []).join(", ");
}

function isFetchHeaders(headers: WebhookHeaders): headers is Pick<Headers, "get"> {
  return typeof headers.get === "function";
}
