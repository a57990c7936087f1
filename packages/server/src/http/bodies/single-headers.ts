// Headers that a request has once. Of two, Node keeps the first or makes a list, and the next proxy may do otherwise:
// what the request means would be for each of them to say (RFC 9110, 5.3).

import type { IncomingMessage } from "node:http";

const singleHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "content-type",
  "host",
  "idempotency-key",
  "x-api-key",
  "x-api-secret",
]);

/** What is wrong with the headers, in words; undefined where nothing is. */
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

/** The same of what stands behind the body: there, none of these headers would be read (RFC 9110, 6.5.1). */
export function findMisplacedHeader({ headers, rawTrailers }: IncomingMessage): string | undefined {
  if (headers["transfer-encoding"] === undefined) return undefined;
  const name = rawTrailers.find((text, index) => index % 2 === 0 && singleHeaders.has(text.toLowerCase()));
  return name === undefined ? undefined : `${name} stands behind the body, where it is not read. Send it as a header.`;
}
