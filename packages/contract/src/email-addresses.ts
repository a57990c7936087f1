// The normal form of email addresses. Consent is stored by this form, so each recipient must have exactly one.

import { domainToASCII } from "node:url";

/** RFC 5321: the whole path is at most 256 octets with its angle brackets. */
const LONGEST_EMAIL = 254;

/** RFC 5321 dot-string, at most 64 octets. Quoted local parts are refused: no mailbox provider issues them. */
const LOCAL_PART = /^(?=.{1,64}$)[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/;

/** At least two labels of letters, digits and inner hyphens; the last is not a number, which would be an address literal. */
const DOMAIN = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Characters that IDNA may map. Other characters must not reach `domainToASCII`, which reads its argument as a URL's host: it
 * cuts off `/path` and decodes `%61`.
 */
const HOST_CHARACTERS = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;

/**
 * The normal form of an email address; undefined if the text is not one. It is trimmed, the domain is in its ASCII (IDNA)
 * form, and all letters are in lower case, so that every spelling of a mailbox has the same consent record. A `+tag` is kept.
 */
export function parseEmailAddress(value: string): string | undefined {
  // refuse a text longer than any address: IDNA takes 50 ms for a million characters
  if (value.length > 4 * LONGEST_EMAIL) return undefined;
  const address = value.trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const local = address.slice(0, Math.max(at, 0));
  if (!LOCAL_PART.test(local)) return undefined;
  const domain = toAsciiDomain(address.slice(at + 1));
  if (domain === undefined || local.length + 1 + domain.length > LONGEST_EMAIL) return undefined;
  return `${local}@${domain}`;
}

/**
 * The address to which emails are sent: trimmed, with the local part as written and the domain in its normal form. Undefined
 * if the text is not an address. The result's `toLowerCase()` is the normal form.
 */
export function parseWrittenEmailAddress(value: string): string | undefined {
  const normal = parseEmailAddress(value);
  if (normal === undefined) return undefined;
  const written = value.trim();
  const local = written.slice(0, written.lastIndexOf("@"));
  // some letters, such as the Kelvin sign, become ASCII in lower case
  return /^[!-~]+$/.test(local) ? `${local}${normal.slice(normal.lastIndexOf("@"))}` : normal;
}

function toAsciiDomain(domain: string): string | undefined {
  if (DOMAIN.test(domain) && !domain.includes("xn--")) return domain;
  const ascii = HOST_CHARACTERS.test(domain) ? domainToASCII(domain) : "";
  return DOMAIN.test(ascii) ? ascii : undefined;
}
