// An address with the name of who it is, as people write it: `Acme <no-reply@acme.example>` (RFC 5322).

import { parseEmailAddress } from "./contacts.ts";
import { findForbidden } from "./unicode.ts";

export interface Mailbox {
  /** Empty for an address alone. */
  readonly name: string;
  readonly address: string;
}

const LONGEST_NAME = 200;

/** Reads a mailbox; undefined for what is none, or has what would end a header. */
export function readMailbox(text: string): Mailbox | undefined {
  const [, quoted, plain = "", inner] = /^(?:"([^"\\]*)"|([^"<>]*))\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const name = (quoted ?? plain).trim();
  const address = parseEmailAddress(inner ?? text);
  if (address === undefined || name.length > LONGEST_NAME || findForbidden(name, "name") !== undefined)
    return undefined;
  return { name, address };
}
