// Creates and reads this installation's tokens: JWTs signed with one key per purpose. The keys are derived from the pepper,
// which all instances share.

import { hkdfSync, randomBytes } from "node:crypto";
import { hashSecret } from "../domain/tenancy/credentials.ts";
import type { UserRow } from "../domain/users/rows.ts";

const ISSUER = "msgd dashboard";
const ALGORITHM = "HS256";

interface SignedToken {
  readonly token: string;
  readonly expiresAt: number;
}

export interface SignedTokens<Claims> {
  make(claims: Claims, now: number): Promise<SignedToken>;
  /** Returns a token's claims; undefined if it was not made by this installation for this purpose, or has expired. */
  read(token: string, now: number): Promise<Partial<Claims> | undefined>;
}

/** @param lastsMs how long a token is valid */
export function createSignedTokens<Claims extends Readonly<Record<string, string | number | boolean>>>(
  pepper: string,
  { purpose, lastsMs }: { purpose: string; lastsMs: number },
): SignedTokens<Claims> {
  const key = new Uint8Array(hkdfSync("sha256", pepper, "", `${ISSUER} ${purpose}`, 32));
  return {
    async make(claims, now) {
      // loaded when the first token is created
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

/** Lifetime of a session's token. */
const TOKEN_MS = 15 * 60_000;

/** Creates the tokens of sessions. A token proves only the session's id; the user's rights are looked up. */
export function createSessionTokens(pepper: string): SignedTokens<{ sid: string }> {
  return createSignedTokens(pepper, { purpose: "tokens", lastsMs: TOKEN_MS });
}

/** How long a browser counts as known after its last sign-in. */
export const DEVICE_MS = 180 * 24 * 60 * 60_000;

type DeviceUser = Pick<UserRow, "userId" | "passwordHash">;

export interface DeviceTokens {
  make(user: DeviceUser, now: number): Promise<SignedToken>;
  /** Reads a token. The returned function returns the id of the token's device if the device belongs to the given user. */
  read(token: string | undefined, now: number): Promise<(user: DeviceUser | undefined) => string | undefined>;
}

/**
 * Creates the tokens of device cookies (OWASP). After a sign-in, attempts from the same browser do not count as a stranger's
 * attempts. A token depends on the user and the password, so it becomes invalid when the password changes.
 */
export function createDeviceTokens(pepper: string): DeviceTokens {
  const tokens = createSignedTokens<{ sub: string; password: string; jti: string }>(pepper, {
    purpose: "devices",
    lastsMs: DEVICE_MS,
  });
  const markOf = ({ passwordHash }: DeviceUser) => hashSecret(passwordHash ?? "", pepper).slice(0, 32);
  return {
    make: (user, now) =>
      tokens.make(
        { sub: String(user.userId), password: markOf(user), jti: randomBytes(16).toString("base64url") },
        now,
      ),
    async read(token, now) {
      const claims = token === undefined ? undefined : await tokens.read(token, now);
      return (user) => {
        if (user === undefined || claims === undefined || typeof claims.jti !== "string") return undefined;
        const isOf = claims.sub === String(user.userId) && claims.password === markOf(user);
        return isOf ? claims.jti : undefined;
      };
    },
  };
}
