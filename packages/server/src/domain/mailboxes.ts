// Email addresses in settings and envelopes.

import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { findForbidden } from "./unicode.ts";

/** An address with a name, such as `Acme <no-reply@acme.example>` (RFC 5322). */
export interface Mailbox {
  /** Empty if there is only an address. */
  readonly name: string;
  readonly address: string;
}

const LONGEST_NAME = 200;

/** Parses a mailbox; undefined if it is invalid or has characters that would end a header. */
export function readMailbox(text: string): Mailbox | undefined {
  const [, quoted, plain = "", inner] = /^(?:"([^"\\]*)"|([^"<>]*))\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const name = (quoted ?? plain).trim();
  const address = parseEmailAddress(inner ?? text);
  if (address === undefined || name.length > LONGEST_NAME || findForbidden(name, "name") !== undefined)
    return undefined;
  return { name, address };
}
