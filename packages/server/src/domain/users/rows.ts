// Stores users of the dashboard, their sessions and failed sign-ins. An email address belongs to one user per installation.

import { findCount, type Transaction } from "../../store/store.ts";
import type { Role, TenantRole } from "./rules.ts";

export interface UserRow {
  readonly userId: number;
  /** `EVERY_TENANT` for an operator. */
  readonly tenantId: number;
  /** The only merchant that the user may see; null for all of the tenant's. */
  readonly merchantId: string | null;
  /** In the normal form of `parseEmailAddress`. */
  readonly email: string;
  readonly role: Role;
  /** Null until the user has set a password. */
  readonly passwordHash: string | null;
  /** When the link for setting a password expires; null if there is no link. */
  readonly linkExpiresAt: number | null;
  readonly createdAt: number;
  readonly signedInAt: number | null;
  /** When the user, or else the tenant, was disabled; null if both are enabled. */
  readonly disabledAt: number | null;
  /** When the user turned on a second factor; null if there is none. */
  readonly secondFactorSince: number | null;
}

const columns = `u.user_id AS "userId", u.tenant_id AS "tenantId", u.merchant_id AS "merchantId", u.email, u.role,
  u.password_hash AS "passwordHash", u.link_expires_at AS "linkExpiresAt", u.created_at AS "createdAt",
  u.signed_in_at AS "signedInAt", COALESCE(u.disabled_at,
  (SELECT t.disabled_at FROM tenants t WHERE t.tenant_id = u.tenant_id)) AS "disabledAt",
  (SELECT f.confirmed_at FROM second_factors f WHERE f.user_id = u.user_id) AS "secondFactorSince"`;

export type NewUser = Pick<UserRow, "tenantId" | "merchantId" | "email" | "role" | "createdAt">;

/** Adds a user without a password. Returns undefined if the address is taken. */
export async function insertUser(
  tx: Transaction,
  { tenantId, merchantId, email, role, createdAt }: NewUser,
): Promise<UserRow | undefined> {
  const added = await tx.run(
    `INSERT INTO users (tenant_id, merchant_id, email, role, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (email) DO NOTHING`,
    tenantId,
    merchantId,
    email,
    role,
    createdAt,
  );
  return added === 0 ? undefined : findUserByEmail(tx, email);
}

/** Finds the user, and locks the row for update. */
export function findUserByEmail(tx: Transaction, email: string): Promise<UserRow | undefined> {
  return tx.get<UserRow>(`SELECT ${columns} FROM users u WHERE u.email = $1 FOR UPDATE`, email);
}

/** Finds the user, and locks the row for update. */
export function findUser(tx: Transaction, userId: number): Promise<UserRow | undefined> {
  return tx.get<UserRow>(`SELECT ${columns} FROM users u WHERE u.user_id = $1 FOR UPDATE`, userId);
}

/** Finds the user, and locks the row for update. */
export function findUserByLink(tx: Transaction, linkHash: string): Promise<UserRow | undefined> {
  return tx.get<UserRow>(`SELECT ${columns} FROM users u WHERE u.link_hash = $1 FOR UPDATE`, linkHash);
}

/** Lists the users of one tenant, or of all if it is undefined, oldest first. */
export function listUsers(tx: Transaction, tenantId: number | undefined): Promise<UserRow[]> {
  const all = `SELECT ${columns} FROM users u`;
  return tenantId === undefined
    ? tx.all<UserRow>(`${all} ORDER BY u.user_id`)
    : tx.all<UserRow>(`${all} WHERE u.tenant_id = $1 ORDER BY u.user_id`, tenantId);
}

/** Lists users of the tenant, or only those of a merchant, by address, disabled users last. */
export function listUsersOf(
  tx: Transaction,
  { tenantId, merchantId, limit }: { tenantId: number; merchantId: string | null; limit: number },
): Promise<UserRow[]> {
  const of = `SELECT ${columns} FROM users u WHERE u.tenant_id = $1`;
  const order = "ORDER BY u.disabled_at IS NOT NULL, u.email LIMIT $2";
  return merchantId === null
    ? tx.all<UserRow>(`${of} ${order}`, tenantId, limit)
    : tx.all<UserRow>(`${of} AND u.merchant_id = $3 ${order}`, tenantId, limit, merchantId);
}

/** Counts the tenant's users who are not disabled. */
export function countUsers(tx: Transaction, tenantId: number): Promise<number> {
  return findCount(tx, "SELECT COUNT(*) AS count FROM users WHERE tenant_id = $1 AND disabled_at IS NULL", tenantId);
}

export async function setRole(tx: Transaction, userId: number, role: TenantRole): Promise<void> {
  await tx.run("UPDATE users SET role = $2 WHERE user_id = $1", userId, role);
}

/** Replaces the user's link for setting a password, and enables a disabled user. */
export async function setLink(
  tx: Transaction,
  { userId, linkHash, expiresAt }: { userId: number; linkHash: string; expiresAt: number },
): Promise<void> {
  await tx.run(
    "UPDATE users SET link_hash = $2, link_expires_at = $3, disabled_at = NULL WHERE user_id = $1",
    userId,
    linkHash,
    expiresAt,
  );
}

/** Sets or (with null) removes the password. Ends the link in either case. */
export async function setPasswordHash(tx: Transaction, userId: number, passwordHash: string | null): Promise<void> {
  await tx.run(
    "UPDATE users SET password_hash = $2, link_hash = NULL, link_expires_at = NULL WHERE user_id = $1",
    userId,
    passwordHash,
  );
}

export async function noteSignIn(tx: Transaction, userId: number, now: number): Promise<void> {
  await tx.run("UPDATE users SET signed_in_at = $2 WHERE user_id = $1", userId, now);
}

/** Disables the user, and ends the user's link. */
export async function disableUser(tx: Transaction, userId: number, now: number): Promise<void> {
  await tx.run(
    "UPDATE users SET disabled_at = $2, link_hash = NULL, link_expires_at = NULL WHERE user_id = $1",
    userId,
    now,
  );
}

/** A session of a user. It has one refresh token at a time. The hashes of the current and the previous one are stored. */
export interface SessionRow {
  readonly sessionId: string;
  readonly userId: number;
  readonly email: string;
  readonly role: Role;
  /** `EVERY_TENANT` for an operator. */
  readonly tenantId: number;
  readonly merchantId: string | null;
  /** The tenant's time zone; UTC for an operator. */
  readonly timezone: string;
  readonly refreshHash: string;
  /** Hash of the previous refresh token; null until the first refresh. */
  readonly previousHash: string | null;
  readonly createdAt: number;
  readonly refreshedAt: number;
  /** 1 if the tenant requires a second factor and the user has none. */
  readonly needsSecondFactor: 0 | 1;
}

const ofSessions = `
  SELECT s.session_id AS "sessionId", s.user_id AS "userId", u.email, u.role, u.tenant_id AS "tenantId",
         u.merchant_id AS "merchantId", COALESCE(t.timezone, 'UTC') AS timezone, s.refresh_hash AS "refreshHash",
         s.previous_hash AS "previousHash", s.created_at AS "createdAt", s.refreshed_at AS "refreshedAt",
         CASE WHEN t.second_factor = 'required' AND NOT EXISTS (
           SELECT 1 FROM second_factors f WHERE f.user_id = s.user_id AND f.confirmed_at IS NOT NULL
         ) THEN 1 ELSE 0 END AS "needsSecondFactor"
    FROM sessions s JOIN users u ON u.user_id = s.user_id AND u.disabled_at IS NULL
    LEFT JOIN tenants t ON t.tenant_id = u.tenant_id`;

const isEnabled = "t.disabled_at IS NULL";

/** Finds a session; undefined if it has ended, or its user or tenant is disabled. */
export function findSession(tx: Transaction, sessionId: string): Promise<SessionRow | undefined> {
  return tx.get<SessionRow>(`${ofSessions} WHERE s.session_id = $1 AND ${isEnabled}`, sessionId);
}

/** Like `findSession`, and locks the session for update. */
export function lockSession(tx: Transaction, sessionId: string): Promise<SessionRow | undefined> {
  return tx.get<SessionRow>(`${ofSessions} WHERE s.session_id = $1 AND ${isEnabled} FOR UPDATE OF s`, sessionId);
}

/** Adds a session. If the user then has more than `most`, ends the oldest ones. */
export async function insertSession(
  tx: Transaction,
  session: { sessionId: string; userId: number; refreshHash: string; now: number },
  most: number,
): Promise<void> {
  const { sessionId, userId, refreshHash, now } = session;
  await tx.run(
    `DELETE FROM sessions WHERE user_id = $1 AND session_id IN (
       SELECT session_id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, session_id LIMIT 1000 OFFSET $2)`,
    userId,
    most - 1,
  );
  await tx.run(
    "INSERT INTO sessions (session_id, user_id, refresh_hash, created_at, refreshed_at) VALUES ($1, $2, $3, $4, $4)",
    sessionId,
    userId,
    refreshHash,
    now,
  );
}

/** Replaces the session's refresh token. */
export async function rotateSession(
  tx: Transaction,
  { sessionId, refreshHash, now }: { sessionId: string; refreshHash: string; now: number },
): Promise<void> {
  await tx.run(
    "UPDATE sessions SET previous_hash = refresh_hash, refresh_hash = $2, refreshed_at = $3 WHERE session_id = $1",
    sessionId,
    refreshHash,
    now,
  );
}

export async function endSession(tx: Transaction, sessionId: string): Promise<void> {
  await tx.run("DELETE FROM sessions WHERE session_id = $1", sessionId);
}

/** Lists the user's sessions that were refreshed after `after`, the latest first. */
export function listSessionsOf(
  tx: Transaction,
  userId: number,
  after: number,
): Promise<Pick<SessionRow, "sessionId" | "createdAt" | "refreshedAt">[]> {
  return tx.all(
    `SELECT session_id AS "sessionId", created_at AS "createdAt", refreshed_at AS "refreshedAt" FROM sessions
      WHERE user_id = $1 AND refreshed_at > $2 ORDER BY created_at DESC, session_id`,
    userId,
    after,
  );
}

/** Ends all sessions of the user except one. */
export async function endOtherSessionsOf(tx: Transaction, userId: number, sessionId: string): Promise<void> {
  await tx.run("DELETE FROM sessions WHERE user_id = $1 AND session_id <> $2", userId, sessionId);
}

/** Ends all sessions of the user. */
export async function endSessionsOf(tx: Transaction, userId: number): Promise<void> {
  await tx.run("DELETE FROM sessions WHERE user_id = $1", userId);
}

/** Failed sign-ins of a subject (a keyed digest of an account or an address), counted over a period from the first one. */
interface FailedSignIns {
  /** Time of the first failure in the period, in epoch milliseconds. */
  readonly since: number;
  readonly failures: number;
}

/** A stored count is still valid if its first failure was between these times. */
export interface CountedTime {
  readonly from: number;
  readonly until: number;
}

export function findFailedSignIns(
  tx: Transaction,
  subject: string,
  { from, until }: CountedTime,
): Promise<FailedSignIns | undefined> {
  return tx.get<FailedSignIns>(
    "SELECT since, failures FROM failed_sign_ins WHERE subject = $1 AND since BETWEEN $2 AND $3",
    subject,
    from,
    until,
  );
}

/** Counts a failure and returns the count. Restarts at 1 if the first failure was not between `from` and `until`. */
export function countFailedSignIn(
  tx: Transaction,
  { subject, from, until, now }: CountedTime & { subject: string; now: number },
): Promise<number> {
  return findCount(
    tx,
    `INSERT INTO failed_sign_ins (subject, since, failures) VALUES ($1, $4, 1)
     ON CONFLICT (subject) DO UPDATE SET
       failures = CASE WHEN failed_sign_ins.since BETWEEN $2 AND $3 THEN failed_sign_ins.failures + 1 ELSE 1 END,
       since = CASE WHEN failed_sign_ins.since BETWEEN $2 AND $3 THEN failed_sign_ins.since ELSE excluded.since END
     RETURNING failures`,
    subject,
    from,
    until,
    now,
  );
}

export async function forgetFailedSignIns(tx: Transaction, subject: string): Promise<void> {
  await tx.run("DELETE FROM failed_sign_ins WHERE subject = $1", subject);
}
