// Sessions of users. A password begins a session, and a token identifies it. A cookie refreshes the session, and each refresh
// replaces the cookie (docs/decisions/0063).

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import type { Origin } from "../domain/handler.ts";
import { networkOf } from "../domain/network-addresses.ts";
import { Refusal, refuseFaults } from "../domain/refusal.ts";
import { hashSecret } from "../domain/tenancy/credentials.ts";
import { insertAuditEntry } from "../domain/tenancy/rows.ts";
import {
  endOtherSessionsOf,
  endSession,
  findSession,
  findUser,
  findUserByEmail,
  insertSession,
  listSessionsOf,
  lockSession,
  noteSignIn,
  rotateSession,
  type SessionRow,
  setPasswordHash,
  type UserRow,
} from "../domain/users/rows.ts";
import { findPasswordFault, normalizePassword } from "../domain/users/rules.ts";
import { findSecondFactor } from "../domain/users/second-factor-rows.ts";
import { isOn, type UsedCode, useCode } from "../domain/users/second-factors.ts";
import { findLinkedUser, usePasswordLink } from "../domain/users/users.ts";
import { limitWait } from "../http/busy.ts";
import { CLOCK_FAULT_MS, type Clock } from "../platform/clock.ts";
import { FairSemaphore } from "../platform/fair-queue.ts";
import { hashPassword, isPassword, type PasswordCost } from "../platform/password-hashes.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { DashboardCaller } from "./dashboard-api.ts";
import { countFailure, findWait, forgetFailures, type SignInAttempt } from "./sign-in-limits.ts";
import { createDeviceTokens, createSessionTokens, type DeviceTokens, type SignedTokens } from "./signed-tokens.ts";

/** How long a session lasts without a refresh, and in total. */
const IDLE_MS = 12 * 60 * 60_000;
export const LONGEST_MS = 7 * 24 * 60 * 60_000;
/** Maximum number of sessions of a user. A further session ends the oldest. */
const MOST_SESSIONS = 20;
/** How long an ended session may still work on another instance. */
const CACHE_MS = 1_000;
/**
 * How long a refresh with the previous cookie returns the same successor again, because the first reply may have been lost.
 */
const GRACE_MS = 30_000;
const LARGEST_CACHE = 10_000;

/** Limits on waiting password hashes. Each running hash occupies a thread. */
const hashing = {
  perOwner: 1,
  mostWaiting: { perOwner: 1, owners: 256 },
  ...limitWait(20_000, "Too many people are signing in at the moment"),
};
/**
 * Prefix lengths of addresses that share one turn in the round-robin. IPv6 addresses are grouped by site, because one site
 * has enough /64 networks to fill the queue.
 */
const SITE = { ipv4: 32, ipv6: 48 };

export interface BegunSession {
  readonly token: string;
  readonly expiresAt: number;
  /** Value of the session cookie. */
  readonly refresh: string;
}

/** Thrown after too many failed sign-ins. `waitSeconds` is the time until the next attempt is allowed. */
export class TooManyAttempts extends Refusal {
  readonly waitSeconds: number;

  constructor(waitMs: number) {
    const waitSeconds = Math.ceil(waitMs / 1_000);
    super("rate_limited", `Too many sign-ins have failed. Try again in ${waitSeconds} seconds.`);
    this.waitSeconds = waitSeconds;
  }
}

interface SessionsOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly pepper: string;
  /** Opens the secrets of second factors. */
  readonly secrets: Pick<SecretBox, "open">;
  /** The cost of a new password's hash. @default `defaultPasswordCost` */
  readonly passwordCost?: PasswordCost | undefined;
  /** Called after a refresh cookie was used twice and its session was therefore ended. */
  readonly onReuse: (session: Pick<SessionRow, "userId" | "sessionId">, from: Origin) => void;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #tokens: SignedTokens<{ sid: string }>;
  readonly #devices: DeviceTokens;
  readonly #strangers = new FairSemaphore<string>({ ...hashing, atOnce: 2 });
  /** A separate queue for known devices, so that users in their own browsers do not wait for strangers. */
  readonly #knownDevices = new FairSemaphore<string>({ ...hashing, atOnce: 1 });
  readonly #cache = new Map<string, { readonly session: SessionRow; readonly staleAt: number }>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#tokens = createSessionTokens(options.pepper);
    this.#devices = createDeviceTokens(options.pepper);
  }

  /** Refuses the requests that wait for a password hash. */
  close(): void {
    this.#strangers.close();
    this.#knownDevices.close();
  }

  /**
   * Begins a session. Throws `credentials_invalid`, with the same text for every reason, or `TooManyAttempts`. If the
   * password is right and the user has a second factor, a missing or wrong code is a fault at `/code`.
   */
  async signIn({ email, password, code, device, from }: SignIn): Promise<BegunSession & KnownDevice> {
    const { store, clock, pepper, passwordCost } = this.#options;
    const now = clock.now();
    const known = parseEmailAddress(email);
    const deviceOf = await this.#devices.read(device, now);
    const refresh = makeRefresh();
    const admit = async () => {
      const { waitMs, ...admitted } = await store.read(async (tx) => {
        const found = known === undefined ? undefined : await findUserByEmail(tx, known);
        const attempt = { email, address: from.address, deviceId: deviceOf(found), pepper, now };
        return { attempt, found, waitMs: await findWait(tx, attempt) };
      });
      if (waitMs > 0) throw new TooManyAttempts(waitMs);
      return admitted;
    };
    const { attempt } = await admit();
    const signedIn = await this.#withPermit(attempt.deviceId, from, async () => {
      // check the limits again, because other attempts may have failed while this one waited
      const { found } = await admit();
      const isRight = await isPassword(normalizePassword(password), found?.passwordHash ?? null, passwordCost);
      return store.write(async (tx) => {
        // read the user again, because it may have changed while the hash was computed
        const user = known === undefined ? undefined : await findUserByEmail(tx, known);
        if (!isRight || user?.disabledAt !== null || user.passwordHash !== found?.passwordHash) {
          const failures = await countFailure(tx, attempt);
          if (user !== undefined && isTold(failures)) {
            await noteVisit(tx, user, { operation: "signIn", from, now, words: [refusedAfter(failures)] });
          }
          return undefined;
        }
        const proven = await this.#checkCode(tx, user, { ...attempt, code });
        if (proven === undefined) {
          const failures = await countFailure(tx, { ...attempt, isCode: true });
          if (isTold(failures)) {
            const words = [`${refusedAfter(failures)}, with the right password and a wrong code`];
            await noteVisit(tx, user, { operation: "signIn", from, now, words });
          }
          return "wrong code";
        }
        await forgetFailures(tx, attempt);
        await noteSignIn(tx, user.userId, now);
        await noteVisit(tx, user, { operation: "signIn", from, now, words: describeCode(proven) });
        const session = { ...refresh, userId: user.userId, refreshHash: hashSecret(refresh.secret, pepper) };
        await insertSession(tx, { ...session, now }, MOST_SESSIONS);
        return user;
      });
    });
    if (signedIn === undefined) throw new Refusal("credentials_invalid", "The address or the password is wrong.");
    if (signedIn === "wrong code") throw codeWrong("credentials_invalid");
    return { ...(await this.#begin(refresh, now)), device: (await this.#devices.make(signedIn, now)).token };
  }

  /**
   * Returns how a user with the right password has proven the second factor, if there is one; undefined if the code is
   * wrong. Throws a fault if there is no code, and `TooManyAttempts`.
   */
  async #checkCode(
    tx: Transaction,
    { userId }: UserRow,
    { code, ...attempt }: SignInAttempt & Pick<SignIn, "code">,
  ): Promise<UsedCode | undefined> {
    const factor = await findSecondFactor(tx, userId);
    if (!isOn(factor)) return {};
    if (code === undefined) {
      const detail = "Enter the code that your authenticator app shows, or a recovery code.";
      throw refuseFaults([{ pointer: "/code", code: "required", detail }]);
    }
    const waitMs = await findWait(tx, { ...attempt, isCode: true });
    if (waitMs > 0) throw new TooManyAttempts(waitMs);
    const { pepper, secrets: box } = this.#options;
    return useCode(tx, factor, { userId, code, box, pepper, now: attempt.now });
  }

  /**
   * Refreshes a session. Throws `credentials_missing` if there is no cookie, and `credentials_invalid` if the session has
   * ended or now ends because its cookie was used twice.
   */
  async refresh(cookie: string | undefined, from: Origin): Promise<BegunSession> {
    if (cookie === undefined) throw new Refusal("credentials_missing", "No user is signed in.");
    const { store, clock, pepper, onReuse } = this.#options;
    const { sessionId, secret } = readRefresh(cookie);
    const now = clock.now();
    const outcome = await store.write(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === undefined) return "ended";
      if (hasEnded(session, now)) {
        await endSession(tx, sessionId);
        return "ended";
      }
      const isCurrent = isSecret(secret, session.refreshHash, pepper);
      const next = successorOf({ sessionId, secret }, pepper);
      if (session.previousHash !== null && now < session.refreshedAt + GRACE_MS) {
        // do not rotate again within the grace period, so that the cookie of a late refresh is the current or previous one
        if (isCurrent) return { refresh: { sessionId, secret } };
        if (isSecret(secret, session.previousHash, pepper)) return { refresh: next };
      }
      if (!isCurrent) {
        await endSession(tx, sessionId);
        return session;
      }
      await rotateSession(tx, { sessionId, refreshHash: hashSecret(next.secret, pepper), now });
      return { refresh: next };
    });
    if (outcome !== "ended" && "refresh" in outcome) return this.#begin(outcome.refresh, now);
    this.#cache.delete(sessionId);
    if (outcome !== "ended") onReuse(outcome, from);
    throw sessionEnded();
  }

  /** Ends the session of the cookie, if there is one. */
  async signOut(cookie: string | undefined): Promise<void> {
    if (cookie === undefined) return;
    const { store, pepper } = this.#options;
    const { sessionId, secret } = readRefresh(cookie);
    await store.write(async (tx) => {
      const session = await lockSession(tx, sessionId);
      const hashes = [session?.refreshHash ?? null, session?.previousHash ?? null];
      if (hashes.some((hash) => isSecret(secret, hash, pepper))) await endSession(tx, sessionId);
    });
    this.#cache.delete(sessionId);
  }

  /** Sets the password of the link's user and makes the browser known. Throws `credentials_invalid` if the link is invalid. */
  async setPassword({ link, password, from }: SetPassword): Promise<{ readonly email: string } & KnownDevice> {
    const { store, clock, pepper, passwordCost } = this.#options;
    const request = { token: link, pepper, now: clock.now() };
    // check the link before the hash is computed, because hashing takes time
    if ((await store.read((tx) => findLinkedUser(tx, request))) === undefined) throw linkUsed();
    const passwordHash = await this.#withPermit(undefined, from, () =>
      hashPassword(normalizePassword(password), passwordCost),
    );
    const used = await store.write(async (tx) => {
      const outcome = await usePasswordLink(tx, { ...request, password, passwordHash });
      if (outcome !== undefined && "user" in outcome) {
        await forgetFailures(tx, { email: outcome.user.email, pepper });
        await noteVisit(tx, outcome.user, { operation: "setPassword", from, now: request.now });
      }
      return outcome;
    });
    if (used === undefined) throw linkUsed();
    if ("fault" in used) {
      throw passwordFault("/password", `Password: ${used.fault}.`);
    }
    const { token } = await this.#devices.make({ ...used.user, passwordHash }, request.now);
    return { email: used.user.email, device: token };
  }

  /**
   * Replaces the password of a session's user, ends the user's other sessions, and makes the browser known. Throws
   * `validation_error` if the present password is wrong or the new one has a fault, or `TooManyAttempts`.
   */
  async changePassword({ userId, sessionId, current, password }: ChangePassword): Promise<KnownDevice> {
    const { store, clock, passwordCost } = this.#options;
    const changed = await this.withPassword({ userId, sessionId, current }, async (user, attempt) => {
      const fault = findPasswordFault(password, user.email);
      if (fault !== undefined) throw passwordFault("/password", `Password: ${fault}.`);
      const passwordHash = await hashPassword(normalizePassword(password), passwordCost);
      await store.write(async (tx) => {
        await lockUnchanged(tx, user);
        await setPasswordHash(tx, userId, passwordHash);
        await endOtherSessionsOf(tx, userId, sessionId);
        await forgetFailures(tx, attempt);
      });
      return { ...user, passwordHash };
    });
    this.forget(userId);
    const { token } = await this.#devices.make(changed, clock.now());
    return { device: token };
  }

  /**
   * Runs `work` if the password of a session's user is right. Throws `validation_error` if it is wrong, or
   * `TooManyAttempts`. Failures count against the session, so that nobody else can lock the user out.
   */
  async withPassword<T>(
    { userId, sessionId, current }: OwnPassword,
    work: (user: UserRow, attempt: SignInAttempt) => Promise<T>,
  ): Promise<T> {
    const { store, passwordCost } = this.#options;
    const { user, attempt } = await this.admit({ userId, sessionId });
    return this.#knownDevices.run(`session ${sessionId}`, async () => {
      if (await isPassword(normalizePassword(current), user.passwordHash, passwordCost)) return work(user, attempt);
      await store.write((tx) => countFailure(tx, attempt));
      throw passwordFault("/current", "The present password is wrong.");
    });
  }

  /** Returns a session's user, and the attempt against which failures count. Throws `TooManyAttempts`. */
  admit({ userId, sessionId }: Omit<OwnPassword, "current">): Promise<{ user: UserRow; attempt: SignInAttempt }> {
    const { store, clock, pepper } = this.#options;
    return store.read(async (tx) => {
      const user = await findUser(tx, userId);
      if (user === undefined) throw sessionEnded();
      const deviceId = `session ${sessionId}`;
      const attempt = { email: user.email, address: "", deviceId, pepper, now: clock.now() };
      const waitMs = await findWait(tx, attempt);
      if (waitMs > 0) throw new TooManyAttempts(waitMs);
      return { user, attempt };
    });
  }

  /** Reads the sessions of a user again at their next request. */
  forget(userId: number): void {
    for (const [sessionId, { session }] of this.#cache) if (session.userId === userId) this.#cache.delete(sessionId);
  }

  /** Lists the sessions of a user, the latest first. */
  async list(userId: number): Promise<Pick<SessionRow, "sessionId" | "createdAt" | "refreshedAt">[]> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const found = await store.read((tx) => listSessionsOf(tx, userId, now - IDLE_MS));
    return found.filter((session) => !hasEnded(session, now));
  }

  /** Ends the user's sessions, except one. */
  async endOthers(userId: number, sessionId: string): Promise<void> {
    await this.#options.store.write((tx) => endOtherSessionsOf(tx, userId, sessionId));
    this.forget(userId);
  }

  /** Runs `work`, which computes a hash. Waits for a permit of the known device or, for a stranger, of the network. */
  async #withPermit<T>(deviceId: string | undefined, { address, gone }: Origin, work: () => Promise<T>): Promise<T> {
    const leave = await (deviceId === undefined
      ? this.#strangers.take(networkOf(address, SITE), gone)
      : this.#knownDevices.take(deviceId, gone));
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Returns the user of a request. Throws `credentials_missing` or `credentials_invalid`. */
  async authenticate({ authorization }: IncomingHttpHeaders): Promise<DashboardCaller> {
    const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "") ?? [];
    if (token === undefined) {
      throw new Refusal("credentials_missing", "Expected Authorization: Bearer with the token of a session.");
    }
    const { sid: sessionId } = (await this.#tokens.read(token, this.#options.clock.now())) ?? {};
    const session = sessionId === undefined ? undefined : await this.#find(sessionId);
    if (session === undefined)
      throw new Refusal("credentials_invalid", "The session has ended. Refresh it, or sign in.");
    const { userId, email, role, tenantId, timezone, merchantId } = session;
    const needsSecondFactor = session.needsSecondFactor === 1;
    const user = { userId, email, role, sessionId: session.sessionId, needsSecondFactor };
    return { apiKey: `user ${userId}`, tenantId, timezone, merchantId, ...user };
  }

  /** Returns whether the session has not ended, and may see the tenant's data. */
  async isOpen(sessionId: string): Promise<boolean> {
    return (await this.#find(sessionId))?.needsSecondFactor === 0;
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
    return { ...(await this.#tokens.make({ sid: sessionId }, now)), refresh: `${sessionId}.${secret}` };
  }
}

/** Returns whether the audit records the failure: it records the 1st, 10th and 100th in a row. */
function isTold(failures: number): boolean {
  return failures === 1 || failures === 10 || failures === 100;
}

function refusedAfter(failures: number): string {
  return `refused: failure ${failures} in 15 minutes`;
}

/** Describes for the audit that a recovery code was used. */
export function describeCode({ recoveryCodesLeft: left }: UsedCode): string[] {
  return left === undefined ? [] : [`with a recovery code, ${left} left`];
}

/** Records a visitor's action in the audit, with its client's address. */
export async function noteVisit(
  tx: Transaction,
  { tenantId, userId, email }: UserRow,
  visit: { operation: string; from: Origin; now: number; words?: readonly string[] },
): Promise<void> {
  const { operation, from, now, words = [] } = visit;
  const { loggedAddress: address, requestId } = from;
  const told = [...words, ...(address === undefined ? [] : [`from ${address}`])];
  const target = told.length === 0 ? null : told.join(", ");
  const entry = { tenantId, userId, email, operation, requestId, target, subject: null, askedAt: now };
  await insertAuditEntry(tx, entry);
}

function passwordFault(pointer: string, detail: string): Refusal {
  return refuseFaults([{ pointer, code: "invalid", detail }]);
}

/** Refuses a code as wrong: for a sign-in with `credentials_invalid`, which the log counts as a refused sign-in. */
export function codeWrong(code: "credentials_invalid" | "validation_error"): Refusal {
  const detail = "The code is wrong or was used before. Enter the next code that your app shows, or a recovery code.";
  return new Refusal(code, detail, { errors: [{ pointer: "/code", code: "invalid", detail }] });
}

/** Locks the user. Throws if the password has changed since it was checked: a link may have set another one. */
export async function lockUnchanged(tx: Transaction, { userId, passwordHash }: UserRow): Promise<void> {
  if ((await findUser(tx, userId))?.passwordHash !== passwordHash) throw sessionEnded();
}

function sessionEnded(): Refusal {
  return new Refusal("credentials_invalid", "The session has ended. Sign in again.");
}

/** The present password of a session's user. */
export interface OwnPassword {
  readonly userId: number;
  readonly sessionId: string;
  readonly current: string;
}

interface ChangePassword extends OwnPassword {
  readonly password: string;
}

interface SignIn {
  readonly email: string;
  readonly password: string;
  /** A code of the second factor, or a recovery code. */
  readonly code: string | undefined;
  /** Device cookie of an earlier sign-in. */
  readonly device: string | undefined;
  readonly from: Origin;
}

interface SetPassword extends Omit<SignIn, "email" | "code" | "device"> {
  readonly link: string;
}

interface KnownDevice {
  /** Value of the device cookie. */
  readonly device: string;
}

interface Refresh {
  readonly sessionId: string;
  readonly secret: string;
}

function makeRefresh(): Refresh {
  return { sessionId: randomBytes(16).toString("base64url"), secret: randomBytes(32).toString("base64url") };
}

/** Returns the successor of a cookie: the same on every instance, so that a repeated refresh gets the same cookie. */
function successorOf({ sessionId, secret }: Refresh, pepper: string): Refresh {
  const next = createHmac("sha256", pepper).update(`refresh ${sessionId} ${secret}`).digest("base64url");
  return { sessionId, secret: next };
}

function readRefresh(cookie: string): Refresh {
  const [, sessionId = "", secret = ""] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie) ?? [];
  return { sessionId, secret };
}

function hasEnded({ createdAt, refreshedAt }: Pick<SessionRow, "createdAt" | "refreshedAt">, now: number): boolean {
  const isOver = now >= refreshedAt + IDLE_MS || now >= createdAt + LONGEST_MS;
  return isOver || refreshedAt > now + CLOCK_FAULT_MS;
}

function isSecret(secret: string, hash: string | null, pepper: string): boolean {
  return hash !== null && timingSafeEqual(Buffer.from(hashSecret(secret, pepper)), Buffer.from(hash));
}

function linkUsed(): Refusal {
  return new Refusal(
    "credentials_invalid",
    "The link has been used or has expired. Ask your admin or the operator (msgd users reset <email>) for a new one.",
  );
}
