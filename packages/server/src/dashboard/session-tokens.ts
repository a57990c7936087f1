// Tokens of sessions: one says which session a request is of, and for a quarter of an hour that it is not made up. What the
// session may do is not in it: that is looked up.

import { createSignedTokens, type SignedToken } from "./signed-tokens.ts";

/** How long a token is good. */
export const TOKEN_MS = 15 * 60_000;

export interface SessionTokens {
  make(sessionId: string, now: number): Promise<SignedToken>;
  /** The id of the token's session; undefined for one that was not made here or has expired. */
  read(token: string, now: number): Promise<string | undefined>;
}

export function createSessionTokens(pepper: string): SessionTokens {
  const tokens = createSignedTokens<{ sid: string }>(pepper, { purpose: "tokens", lastsMs: TOKEN_MS });
  return {
    make: (sid, now) => tokens.make({ sid }, now),
    async read(token, now) {
      const sid: unknown = (await tokens.read(token, now))?.sid;
      return typeof sid === "string" ? sid : undefined;
    },
  };
}
