// Tokens that only this installation makes: JWTs by a key of their own for each purpose, derived from the pepper, which is the same
// on all instances.

import { hkdfSync, randomBytes } from "node:crypto";
import { hashSecret } from "../rules/credentials.ts";
import type { UserRow } from "../store/users.ts";

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

// Tokens of sessions: one says which session a request is of, and for a quarter of an hour that it is not made up. What the
// session may do is not in it: that is looked up.

/** How long a token is good. */
const TOKEN_MS = 15 * 60_000;

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

// Device cookie (OWASP): a browser keeps it after a sign-in, and a later attempt with it is known to be no stranger's.

/** How long a browser is known after its last sign-in. */
export const DEVICE_MS = 180 * 24 * 60 * 60_000;

type DeviceUser = Pick<UserRow, "userId" | "passwordHash">;

/** Says of which user with which password the browser is, so that it is a stranger's once that changes. */
interface DeviceClaims extends Readonly<Record<string, string | number>> {
  readonly sub: string;
  readonly password: string;
  readonly jti: string;
}

export interface DeviceTokens {
  make(user: DeviceUser, now: number): Promise<SignedToken>;
  /** Returns how to find the id of the token's device, which is one of that user alone. */
  read(token: string | undefined, now: number): Promise<(user: DeviceUser | undefined) => string | undefined>;
}

export function createDeviceTokens(pepper: string): DeviceTokens {
  const tokens = createSignedTokens<DeviceClaims>(pepper, { purpose: "devices", lastsMs: DEVICE_MS });
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
