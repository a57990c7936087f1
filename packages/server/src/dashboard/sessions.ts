// Sessions of users: begun with a password, known by a token, kept up by a cookie that is good for one refresh.

import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { CLOCK_FAULT_MS, type Clock } from "../platform/clock.ts";
import { hashPassword, isPassword, type PasswordCost, TooManyPasswords } from "../platform/password-hashes.ts";
import { parseEmailAddress } from "../rules/contacts.ts";
import { hashSecret } from "../rules/credentials.ts";
import { normalizePassword } from "../rules/passwords.ts";
import { Refusal, refuseFaults } from "../rules/refusal.ts";
import { findLinkedUser, usePasswordLink } from "../steps/users.ts";
import {
  endSession,
  findSession,
  holdSession,
  insertSession,
  rotateSession,
  type SessionRow,
} from "../store/sessions.ts";
import type { Store } from "../store/store.ts";
import { findUserByEmail, noteSignIn } from "../store/users.ts";
import type { DashboardCaller } from "./dashboard-api.ts";
import { createSessionTokens, type SessionTokens } from "./session-tokens.ts";
import { countFailure, findWait, forgetFailures } from "./sign-in-limits.ts";

/** A session ends after so long without a refresh, and after so long in any case. */
const IDLE_MS = 12 * 60 * 60_000;
export const LONGEST_MS = 7 * 24 * 60 * 60_000;
/** Of one user; one more ends the oldest. */
const MOST_SESSIONS = 20;
/** A session that was ended stops working within this time, on every instance. */
const CACHE_MS = 1_000;
const LARGEST_CACHE = 10_000;

export interface BegunSession {
  readonly token: string;
  readonly expiresAt: number;
  /** The cookie's value. */
  readonly refresh: string;
}

/** The wait until another attempt, with the refusal. */
export class TooManyAttempts extends Refusal {
  readonly waitSeconds: number;

  constructor(waitMs: number) {
    const waitSeconds = Math.ceil(waitMs / 1_000);
    super("rate_limited", `Too many sign-ins have failed. Try again in ${waitSeconds} seconds.`);
    this.waitSeconds = waitSeconds;
  }
}

export interface SessionsOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly pepper: string;
  /** What a new password's hash costs to make. @default `defaultPasswordCost` */
  readonly passwordCost?: PasswordCost | undefined;
  /** Called when a cookie came a second time, and its session was ended. */
  readonly onReuse: (session: Pick<SessionRow, "userId" | "sessionId">) => void;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #tokens: SessionTokens;
  readonly #cache = new Map<string, { readonly session: SessionRow; readonly staleAt: number }>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#tokens = createSessionTokens(options.pepper);
  }

  /** Throws `credentials_invalid`, the same whatever is wrong, or `TooManyAttempts`. */
  async signIn({ email, password, address }: { email: string; password: string; address: string }) {
    const { store, clock, pepper, passwordCost } = this.#options;
    const attempt = { email, address, pepper, now: clock.now() };
    const known = parseEmailAddress(email);
    const [waitMs, found] = await store.read(async (tx) => [
      await findWait(tx, attempt),
      known === undefined ? undefined : await findUserByEmail(tx, known),
    ]);
    if (waitMs > 0) throw new TooManyAttempts(waitMs);
    const isRight = await withRoom(() =>
      isPassword(normalizePassword(password), found?.passwordHash ?? null, passwordCost),
    );
    const refresh = makeRefresh();
    const isSignedIn = await store.write(async (tx) => {
      // it may have changed meanwhile
      const user = known === undefined ? undefined : await findUserByEmail(tx, known);
      if (!isRight || user?.disabledAt !== null || user.passwordHash !== found?.passwordHash) {
        await countFailure(tx, attempt);
        return false;
      }
      await forgetFailures(tx, attempt);
      await noteSignIn(tx, user.userId, attempt.now);
      const session = { ...refresh, userId: user.userId, refreshHash: hashSecret(refresh.secret, pepper) };
      await insertSession(tx, { ...session, now: attempt.now }, MOST_SESSIONS);
      return true;
    });
    if (!isSignedIn) throw new Refusal("credentials_invalid", "The address or the password is wrong.");
    return this.#begin(refresh, attempt.now);
  }

  /** Throws `credentials_missing` without a cookie, `credentials_invalid` where its session has ended or ends with this. */
  async refresh(cookie: string | undefined): Promise<BegunSession> {
    if (cookie === undefined) throw new Refusal("credentials_missing", "Nobody is signed in here.");
    const { store, clock, pepper, onReuse } = this.#options;
    const { sessionId, secret } = readRefresh(cookie);
    const now = clock.now();
    const next = { sessionId, secret: randomBytes(32).toString("base64url") };
    const outcome = await store.write(async (tx) => {
      const session = await holdSession(tx, sessionId);
      if (session === undefined) return "ended";
      if (hasEnded(session, now)) {
        await endSession(tx, sessionId);
        return "ended";
      }
      if (!isSecret(secret, session.refreshHash, pepper)) {
        await endSession(tx, sessionId);
        return session;
      }
      await rotateSession(tx, { sessionId, refreshHash: hashSecret(next.secret, pepper), now });
      return "refreshed";
    });
    if (outcome === "refreshed") return this.#begin(next, now);
    this.#cache.delete(sessionId);
    if (outcome !== "ended") onReuse(outcome);
    throw new Refusal("credentials_invalid", "The session has ended. Sign in again.");
  }

  /** Ends the cookie's session, if it has one. */
  async signOut(cookie: string | undefined): Promise<void> {
    if (cookie === undefined) return;
    const { store, pepper } = this.#options;
    const { sessionId, secret } = readRefresh(cookie);
    await store.write(async (tx) => {
      const session = await holdSession(tx, sessionId);
      if (session !== undefined && isSecret(secret, session.refreshHash, pepper)) await endSession(tx, sessionId);
    });
    this.#cache.delete(sessionId);
  }

  /** Sets the password of the link's user. Returns their address. Throws `credentials_invalid` for a link that is not good. */
  async setPassword({ link, password }: { link: string; password: string }): Promise<string> {
    const { store, clock, pepper, passwordCost } = this.#options;
    const request = { token: link, pepper, now: clock.now() };
    // before a hash is made, which takes time
    if ((await store.read((tx) => findLinkedUser(tx, request))) === undefined) throw linkUsed();
    const passwordHash = await withRoom(() => hashPassword(normalizePassword(password), passwordCost));
    const used = await store.write((tx) => usePasswordLink(tx, { ...request, password, passwordHash }));
    if (used === undefined) throw linkUsed();
    if ("user" in used) return used.user.email;
    throw refuseFaults([{ pointer: "/password", code: "invalid", detail: `Password: ${used.fault}.` }]);
  }

  /** Who a request is of. Throws `credentials_missing` or `credentials_invalid`. */
  async authenticate({ authorization }: IncomingHttpHeaders): Promise<DashboardCaller> {
    const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "") ?? [];
    if (token === undefined) {
      throw new Refusal("credentials_missing", "Expected Authorization: Bearer with the token of a session.");
    }
    const sessionId = await this.#tokens.read(token, this.#options.clock.now());
    const session = sessionId === undefined ? undefined : await this.#find(sessionId);
    if (session === undefined)
      throw new Refusal("credentials_invalid", "The session has ended. Refresh it, or sign in.");
    const { userId, email, role, tenantId, timezone, merchantId } = session;
    const user = { userId, email, role, sessionId: session.sessionId };
    return { apiKey: `user ${userId}`, tenantId, timezone, merchantId, ...user };
  }

  /** Whether the session can still be used. */
  async isOpen(sessionId: string): Promise<boolean> {
    return (await this.#find(sessionId)) !== undefined;
  }

  async #find(sessionId: string): Promise<SessionRow | undefined> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const cached = this.#cache.get(sessionId);
    if (cached !== undefined && cached.staleAt > now && cached.staleAt <= now + CACHE_MS) return cached.session;
    const session = await store.read((tx) => findSession(tx, sessionId));
    if (session === undefined || hasEnded(session, now)) {
      this.#cache.delete(sessionId);
      return undefined;
    }
    if (this.#cache.size >= LARGEST_CACHE) this.#cache.clear();
    this.#cache.set(sessionId, { session, staleAt: now + CACHE_MS });
    return session;
  }

  async #begin({ sessionId, secret }: Refresh, now: number): Promise<BegunSession> {
    return { ...(await this.#tokens.make(sessionId, now)), refresh: `${sessionId}.${secret}` };
  }
}

interface Refresh {
  readonly sessionId: string;
  readonly secret: string;
}

function makeRefresh(): Refresh {
  return { sessionId: randomBytes(16).toString("base64url"), secret: randomBytes(32).toString("base64url") };
}

function readRefresh(cookie: string): Refresh {
  const [, sessionId = "", secret = ""] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie) ?? [];
  return { sessionId, secret };
}

function hasEnded({ createdAt, refreshedAt }: SessionRow, now: number): boolean {
  const isOver = now >= refreshedAt + IDLE_MS || now >= createdAt + LONGEST_MS;
  return isOver || refreshedAt > now + CLOCK_FAULT_MS;
}

function isSecret(secret: string, hash: string, pepper: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret, pepper)), Buffer.from(hash));
}

async function withRoom<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyPasswords) {
      throw new Refusal("unavailable", "Too many people are signing in just now. Try again in a few seconds.");
    }
    throw error;
  }
}

function linkUsed(): Refusal {
  return new Refusal(
    "credentials_invalid",
    "The link was used, or has expired. Ask an admin of yours for another, or the operator: msgd users reset <email>.",
  );
}
