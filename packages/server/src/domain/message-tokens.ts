// Tokens of messages, in the address for bounces and in the link to unsubscribe. They cannot be forged, and a token for
// bounces cannot unsubscribe.

import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export interface MessageTokens {
  /** The token of a message: lower-case letters, digits and a hyphen. */
  make(messageId: string): string;
  /** The token's message; undefined for a text that was not made here. */
  read(token: string): string | undefined;
}

const PREFIX = "msg_";
const FORM = /^([\da-hjkmnp-tv-z]{26})-([\da-f]{16})$/i;
const KEY_BYTES = 32;
/** 64 bits: each guess takes a mail or a request. */
const CODE_CHARACTERS = 16;
/** The length of every token. */
export const TOKEN_CHARACTERS = 26 + 1 + CODE_CHARACTERS;

/** Creates the tokens of a purpose, the same on all instances, which share the pepper. */
export function createMessageTokens(pepper: string, purpose: "bounce" | "unsubscribe"): MessageTokens {
  const key = Buffer.from(hkdfSync("sha256", pepper, "", `message tokens: ${purpose}`, KEY_BYTES));
  const codeOf = (messageId: string) =>
    createHmac("sha256", key).update(messageId).digest("hex").slice(0, CODE_CHARACTERS);
  return {
    make: (messageId) => `${messageId.slice(PREFIX.length).toLowerCase()}-${codeOf(messageId)}`,
    read(token) {
      const [, id = "", code = ""] = FORM.exec(token) ?? [];
      if (id === "") return undefined;
      const messageId = PREFIX + id.toUpperCase();
      // hosts on the way may have changed its case
      const isOurs = timingSafeEqual(Buffer.from(code.toLowerCase()), Buffer.from(codeOf(messageId)));
      return isOurs ? messageId : undefined;
    },
  };
}

/** RFC 5321, 4.5.3.1.1. */
const LONGEST_LOCAL_PART = 64;
/** Longest part of a return address before its tag. */
export const LONGEST_RETURN_NAME = LONGEST_LOCAL_PART - 1 - TOKEN_CHARACTERS;

/** The address for bounces of a message, tagged with its token: `bounces+01jd…-5f0c…@acme.example`. */
export function toReturnAddress(returnPath: string, tokens: MessageTokens, messageId: string): string {
  const [name, domain] = returnPath.split("@");
  return `${name}+${tokens.make(messageId)}@${domain}`;
}

/** The message that the address was made for; undefined for any other. */
export function readReturnAddress(address: string, tokens: MessageTokens): string | undefined {
  const [, tag = ""] = /\+([^+@]*)@/.exec(address) ?? [];
  return tokens.read(tag);
}
