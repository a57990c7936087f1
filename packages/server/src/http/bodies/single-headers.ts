// Headers that a request may have only once. Given two, Node keeps the first or makes a list, and a proxy may do
// otherwise: each could understand the request differently (RFC 9110, 5.3).

import type { IncomingMessage } from "node:http";

const singleHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "content-type",
  "host",
  "idempotency-key",
  "x-api-key",
  "x-api-secret",
]);

/** Describes a repeated header; undefined if there is none. */
export function findRepeatedHeader({ headers, rawHeaders }: IncomingMessage): string | undefined {
  // each name of `headers` stands for one line or more
  if (rawHeaders.length <= 2 * Object.keys(headers).length) return undefined;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const key = name.toLowerCase();
    if (seen.has(key)) return `The header ${name} stands more than once: which of them counts? Send it once.`;
    if (singleHeaders.has(key)) seen.add(key);
  }
  return undefined;
}

/** Describes such a header among the trailers, where it is not read (RFC 9110, 6.5.1); undefined if there is none. */
export function findMisplacedHeader({ headers, rawTrailers }: IncomingMessage): string | undefined {
  if (headers["transfer-encoding"] === undefined) return undefined;
  const name = rawTrailers.find((text, index) => index % 2 === 0 && singleHeaders.has(text.toLowerCase()));
  return name === undefined ? undefined : `${name} stands behind the body, where it is not read. Send it as a header.`;
}
