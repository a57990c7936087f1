// Tokens that identify a message in its bounce address, its unsubscribe link and the URL of its carrier's events. They
// cannot be forged, and a bounce token cannot unsubscribe.

import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export interface MessageTokens {
  /** Makes a message's token of lower-case letters, digits and a hyphen. */
  make(messageId: string): string;
  /** Returns the token's message; undefined if this installation did not make the token. */
  read(token: string): string | undefined;
}

const PREFIX = "msg_";
const FORM = /^([\da-hjkmnp-tv-z]{26})-([\da-f]{16})$/i;
const KEY_BYTES = 32;
/** 64 bits are enough: each guess takes an email or a request. */
const CODE_CHARACTERS = 16;
/** The length of every token. */
export const TOKEN_CHARACTERS = 26 + 1 + CODE_CHARACTERS;

/** Creates the tokens of one purpose. All instances make the same tokens, because they share the pepper. */
export function createMessageTokens(
  pepper: string,
  purpose: "bounce" | "unsubscribe" | "carrier event",
): MessageTokens {
  const key = Buffer.from(hkdfSync("sha256", pepper, "", `message tokens: ${purpose}`, KEY_BYTES));
  const codeOf = (messageId: string) =>
    createHmac("sha256", key).update(messageId).digest("hex").slice(0, CODE_CHARACTERS);
  return {
    make: (messageId) => `${messageId.slice(PREFIX.length).toLowerCase()}-${codeOf(messageId)}`,
    read(token) {
      const [, id = "", code = ""] = FORM.exec(token) ?? [];
      if (id === "") return undefined;
      const messageId = PREFIX + id.toUpperCase();
      // mail servers on the way may have changed its case
      const isOurs = timingSafeEqual(Buffer.from(code.toLowerCase()), Buffer.from(codeOf(messageId)));
      return isOurs ? messageId : undefined;
    },
  };
}

/** RFC 5321, 4.5.3.1.1. */
const LONGEST_LOCAL_PART = 64;
/** Longest local part of a return address without its tag. */
export const LONGEST_RETURN_NAME = LONGEST_LOCAL_PART - 1 - TOKEN_CHARACTERS;

/** The return address for a message's bounces, tagged with its token: `bounces+01jd…-5f0c…@acme.example`. */
export function toReturnAddress(returnPath: string, tokens: MessageTokens, messageId: string): string {
  const [name, domain] = returnPath.split("@");
  return `${name}+${tokens.make(messageId)}@${domain}`;
}

/** The message of a return address; undefined if it has no valid token. */
export function readReturnAddress(address: string, tokens: MessageTokens): string | undefined {
  const [, tag = ""] = /\+([^+@]*)@/.exec(address) ?? [];
  return tokens.read(tag);
}

/** Finds the first of several names that is a token, or a return address with one, and returns its message. */
export function findNamedMessage(names: readonly string[], tokens: MessageTokens): string | undefined {
  for (const name of names) {
    const messageId = tokens.read(name) ?? readReturnAddress(`${name}@`, tokens);
    if (messageId !== undefined) return messageId;
  }
  return undefined;
}
