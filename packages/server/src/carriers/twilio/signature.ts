// Twilio's signature of its requests: https://www.twilio.com/docs/usage/security#validating-requests

import { createHmac } from "node:crypto";

/** The most fields of a request. Twilio's own have some thirty. */
const MOST_FIELDS = 200;

/** Reads the fields of a form. Returns undefined if it has too many fields, or one of them twice. */
export function readForm(body: string): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (fields.has(name) || fields.size === MOST_FIELDS) return undefined;
    fields.set(name, value);
  }
  return fields;
}

/**
 * Returns Twilio's signature of a request with a form.
 *
 * @param url the URL as Twilio requested it, with its query
 */
export function signForm(authToken: string, url: string, fields: ReadonlyMap<string, string>): string {
  const names = [...fields.keys()].sort();
  const signed = names.reduce((text, name) => text + name + fields.get(name), url);
  return createHmac("sha1", authToken).update(signed, "utf8").digest("base64");
}
