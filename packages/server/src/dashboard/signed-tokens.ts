// Tokens that only this installation makes: JWTs by a key of their own for each purpose, derived from the pepper, which is the same
// on all instances.

import { hkdfSync } from "node:crypto";

const ISSUER = "msgd dashboard";
const ALGORITHM = "HS256";

export interface SignedToken {
  readonly token: string;
  readonly expiresAt: number;
}

export interface SignedTokens<Claims> {
  make(claims: Claims, now: number): Promise<SignedToken>;
  /** What a token says; undefined for one that was not made here for this purpose, or has expired. */
  read(token: string, now: number): Promise<Partial<Claims> | undefined>;
}

/** @param lastsMs how long a token is good */
export function createSignedTokens<Claims extends Readonly<Record<string, string | number | boolean>>>(
  pepper: string,
  { purpose, lastsMs }: { purpose: string; lastsMs: number },
): SignedTokens<Claims> {
  const key = new Uint8Array(hkdfSync("sha256", pepper, "", `${ISSUER} ${purpose}`, 32));
  return {
    async make(claims, now) {
      // loaded by the first token
      const { SignJWT } = await import("jose");
      const expiresAt = now + lastsMs;
      const jwt = new SignJWT({ ...claims })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setIssuedAt(Math.floor(now / 1_000))
        .setExpirationTime(Math.floor(expiresAt / 1_000));
      return { token: await jwt.sign(key), expiresAt };
    },
    async read(token, now) {
      const { jwtVerify } = await import("jose");
      try {
        const options = { algorithms: [ALGORITHM], issuer: ISSUER, currentDate: new Date(now) };
        const { payload } = await jwtVerify(token, key, { ...options, requiredClaims: ["exp"] });
        return payload as Partial<Claims>;
      } catch {
        return undefined;
      }
    },
  };
}
