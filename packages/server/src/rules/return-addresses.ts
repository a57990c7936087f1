// Where the bounce of a message goes: an address of its own, whose tag is the message's token, so that a bounce tells what
// it is about even if it quotes nothing.

import type { MessageTokens } from "./message-tokens.ts";
import { TOKEN_CHARACTERS } from "./message-tokens.ts";

/** RFC 5321, 4.5.3.1.1. */
const LONGEST_LOCAL_PART = 64;
/** What is before the tag. */
export const LONGEST_RETURN_NAME = LONGEST_LOCAL_PART - 1 - TOKEN_CHARACTERS;

/** `bounces@acme.example` → `bounces+01jd…-5f0c…@acme.example`. */
export function toReturnAddress(returnPath: string, tokens: MessageTokens, messageId: string): string {
  const [name, domain] = returnPath.split("@");
  return `${name}+${tokens.make(messageId)}@${domain}`;
}

/** The message that the address was made for; undefined for any other. */
export function readReturnAddress(address: string, tokens: MessageTokens): string | undefined {
  const [, tag = ""] = /\+([^+@]*)@/.exec(address) ?? [];
  return tokens.read(tag);
}
