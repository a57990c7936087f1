// Reads a reply, whether or not it follows the contract.

import type { CheckedReply } from "../contract-check/reply-check.ts";

/** The fields of the reply's JSON object; empty if the reply is not a JSON object. */
export function fieldsOf({ body }: CheckedReply): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** A reply in a few words: the status, and the problem's code or the start of the body. */
export function wordsOf(reply: CheckedReply): string {
  const { code = reply.body.slice(0, 80) } = fieldsOf(reply);
  return `${reply.statusCode} ${reply.statusCode < 300 ? "" : code}`.trimEnd();
}
