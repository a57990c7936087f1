// Users of the dashboard. An email address is one user's in the whole installation.

import type { Transaction } from "./store.ts";

export type UserRole = "viewer" | "agent" | "admin";

export interface UserRow {
  readonly userId: number;
  readonly tenantId: number;
  /** The one merchant that the user sees; null for all of the tenant's. */
  readonly merchantId: string | null;
  /** In the normal form of `parseEmailAddress`. */
  readonly email: string;
  readonly role: UserRole;
  /** Null until the user has set a password. */
  readonly passwordHash: string | null;
  /** When the link for setting a password ends; null if there is none. */
  readonly linkExpiresAt: number | null;
  readonly createdAt: number;
  readonly signedInAt: number | null;
  /** When the user was disabled, or else the tenant; null if both are enabled. */
  readonly disabledAt: number | null;
}

const columns = `u.user_id AS "userId", u.tenant_id AS "tenantId", u.merchant_id AS "merchantId", u.email, u.role,
  u.password_hash AS "passwordHash", u.link_expires_at AS "linkExpiresAt", u.created_at AS "createdAt",
  u.signed_in_at AS "signedInAt", COALESCE(u.disabled_at,
  (SELECT t.disabled_at FROM tenants t WHERE t.tenant_id = u.tenant_id)) AS "disabledAt"`;

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

/** Held for update. */
export function findUserByEmail(tx: Transaction, email: string): Promise<UserRow | undefined> {
  return tx.get<UserRow>(`SELECT ${columns} FROM users u WHERE u.email = $1 FOR UPDATE`, email);
}

/** Held for update. */
export function findUser(tx: Transaction, userId: number): Promise<UserRow | undefined> {
  return tx.get<UserRow>(`SELECT ${columns} FROM users u WHERE u.user_id = $1 FOR UPDATE`, userId);
}

/** Held for update. */
export function findUserByLink(tx: Transaction, linkHash: string): Promise<UserRow | undefined> {
  return tx.get<UserRow>(`SELECT ${columns} FROM users u WHERE u.link_hash = $1 FOR UPDATE`, linkHash);
}

/** Every user of the tenant, or of all; the oldest first. */
export function listUsers(tx: Transaction, tenantId: number | undefined): Promise<UserRow[]> {
  const all = `SELECT ${columns} FROM users u`;
  return tenantId === undefined
    ? tx.all<UserRow>(`${all} ORDER BY u.user_id`)
    : tx.all<UserRow>(`${all} WHERE u.tenant_id = $1 ORDER BY u.user_id`, tenantId);
}

/** Users of the tenant, or of one of its merchants alone: those who are disabled last, otherwise by address. */
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

/** How many users of the tenant are not disabled. */
export async function countUsers(tx: Transaction, tenantId: number): Promise<number> {
  const row = await tx.get<{ count: number }>(
    "SELECT COUNT(*) AS count FROM users WHERE tenant_id = $1 AND disabled_at IS NULL",
    tenantId,
  );
  return Number(row?.count ?? 0);
}

export async function setRole(tx: Transaction, userId: number, role: UserRole): Promise<void> {
  await tx.run("UPDATE users SET role = $2 WHERE user_id = $1", userId, role);
}

/** Gives the user a link in place of an earlier one, and enables a disabled user. */
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

/** Sets the password, and with it ends the link; null leaves none. */
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

/** Ends the user's link too. */
export async function disableUser(tx: Transaction, userId: number, now: number): Promise<void> {
  await tx.run(
    "UPDATE users SET disabled_at = $2, link_hash = NULL, link_expires_at = NULL WHERE user_id = $1",
    userId,
    now,
  );
}
