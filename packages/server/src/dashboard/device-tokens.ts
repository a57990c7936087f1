// Device cookie (OWASP): a browser keeps it after a sign-in, and a later attempt with it is known to be no stranger's.

import { randomBytes } from "node:crypto";
import { hashSecret } from "../rules/credentials.ts";
import type { UserRow } from "../store/users.ts";
import { createSignedTokens, type SignedToken } from "./signed-tokens.ts";

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
