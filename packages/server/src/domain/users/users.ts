// Creates users of the dashboard, and the links with which they set their passwords.

import { randomBytes } from "node:crypto";
import { CLOCK_FAULT_MS } from "../../platform/clock.ts";
import type { Transaction } from "../../store/store.ts";
import { Refusal } from "../refusal.ts";
import { hashSecret } from "../tenancy/credentials.ts";
import { EVERY_TENANT, lockTenant } from "../tenancy/rows.ts";
import { requireOwner } from "../tenancy/tenants.ts";
import {
  countUsers,
  disableUser as disable,
  endSessionsOf,
  findUserByEmail,
  findUserByLink,
  insertUser,
  type NewUser,
  setLink,
  setPasswordHash,
  type UserRow,
} from "./rows.ts";
import { findPasswordFault, type TenantRole } from "./rules.ts";
import { deleteSecondFactor } from "./second-factor-rows.ts";

/** Lifetime of a link. */
const LINK_MS = 24 * 60 * 60_000;
/** Most users of a tenant, and most operators, not counting disabled ones. */
export const MOST_USERS = 1_000;
const TOKEN = /^[\w-]{43}$/;

export interface LinkedUser {
  readonly user: UserRow;
  /** Token of the link. Shown only once: the database has only its hash. */
  readonly token: string;
}

/** The path of the link with this token. The token comes after `#`, as browsers do not send that part to servers. */
export function toLinkPath(token: string): string {
  return `/dashboard/password#${token}`;
}

interface NewLinkedUser {
  readonly email: string;
  readonly pepper: string;
  readonly now: number;
}

/**
 * Creates a user of a tenant or of one of its merchants. Throws like `requireOwner`, a `UserExists` if any user has this
 * address, and `illegal_transition` if the tenant has reached `MOST_USERS`.
 */
export async function createUser(
  tx: Transaction,
  request: NewLinkedUser & { tenantId: number; merchantId: string | null; role: TenantRole },
): Promise<LinkedUser> {
  await requireOwner(tx, request);
  return addUser(tx, request);
}

/** Creates an operator. Throws as `createUser` does. */
export function createOperator(tx: Transaction, request: NewLinkedUser): Promise<LinkedUser> {
  return addUser(tx, { ...request, tenantId: EVERY_TENANT, merchantId: null, role: "operator" });
}

async function addUser(tx: Transaction, request: Omit<NewUser, "createdAt"> & NewLinkedUser): Promise<LinkedUser> {
  const { tenantId, merchantId, email, role, pepper, now } = request;
  if ((await findUserByEmail(tx, email)) !== undefined) throw new UserExists(email);
  await requireRoom(tx, tenantId);
  const user = await insertUser(tx, { tenantId, merchantId, email, role, createdAt: now });
  // another transaction has just added the address
  if (user === undefined) throw new UserExists(email);
  return giveLink(tx, user, { pepper, now });
}

/** Throws `illegal_transition` if the tenant has reached `MOST_USERS`. Locks the tenant, so users are added one by one. */
async function requireRoom(tx: Transaction, tenantId: number): Promise<void> {
  lockTenant(tx, tenantId);
  const count = await countUsers(tx, tenantId);
  if (count < MOST_USERS) return;
  const whose = tenantId === EVERY_TENANT ? `There are ${count} operators` : `The tenant has ${count} users`;
  const detail = `${whose}, and ${MOST_USERS} are allowed: disable one who is no longer needed.`;
  throw new Refusal("illegal_transition", detail);
}

/** Thrown if another user has the address. */
export class UserExists extends Error {
  override readonly name = "UserExists";

  constructor(email: string) {
    super(`there is already a user ${email}: msgd users reset ${email} gives a new link, msgd users list shows all`);
  }
}

/**
 * Gives the user a new link, and enables a disabled user. Removes the password and the second factor, and ends all
 * sessions. Throws `illegal_transition` if enabling would exceed `MOST_USERS`.
 */
export async function resetUser(
  tx: Transaction,
  { email, pepper, now }: { email: string; pepper: string; now: number },
): Promise<LinkedUser> {
  const user = await requireUser(tx, email);
  if (user.disabledAt !== null) await requireRoom(tx, user.tenantId);
  await setPasswordHash(tx, user.userId, null);
  await deleteSecondFactor(tx, user.userId);
  await endSessionsOf(tx, user.userId);
  return giveLink(tx, user, { pepper, now });
}

/** Disables the user, and ends the user's sessions and link. The password hash stays, but no longer works. */
export async function disableUser(tx: Transaction, { email, now }: { email: string; now: number }): Promise<UserRow> {
  const { userId, disabledAt } = await requireUser(tx, email);
  await disable(tx, userId, disabledAt ?? now);
  await endSessionsOf(tx, userId);
  return requireUser(tx, email);
}

export type UserState = "INVITED" | "LINK_EXPIRED" | "ACTIVE" | "DISABLED";

export function stateOf(user: UserRow, now: number): UserState {
  if (user.disabledAt !== null) return "DISABLED";
  if (user.passwordHash !== null) return "ACTIVE";
  return hasLink(user, now) ? "INVITED" : "LINK_EXPIRED";
}

/**
 * Returns whether the user's link is valid. A link is invalid if it expires later than a link created now would: the clock
 * was ahead when the link was created.
 */
function hasLink({ linkExpiresAt }: UserRow, now: number): boolean {
  return linkExpiresAt !== null && linkExpiresAt > now && linkExpiresAt <= now + LINK_MS + CLOCK_FAULT_MS;
}

async function requireUser(tx: Transaction, email: string): Promise<UserRow> {
  const user = await findUserByEmail(tx, email);
  if (user === undefined) throw new Error(`there is no user ${email}: msgd users list shows them`);
  return user;
}

async function giveLink(
  tx: Transaction,
  { userId, email }: UserRow,
  { pepper, now }: { pepper: string; now: number },
): Promise<LinkedUser> {
  const token = randomBytes(32).toString("base64url");
  await setLink(tx, { userId, linkHash: hashSecret(token, pepper), expiresAt: now + LINK_MS });
  return { user: await requireUser(tx, email), token };
}

/** Finds the user whose link has the token; undefined if the link was used or replaced, or has expired. */
export async function findLinkedUser(
  tx: Transaction,
  { token, pepper, now }: { token: string; pepper: string; now: number },
): Promise<UserRow | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const user = await findUserByLink(tx, hashSecret(token, pepper));
  return user !== undefined && user.disabledAt === null && hasLink(user, now) ? user : undefined;
}

/**
 * Sets the password of the user whose link has the token, and ends the link and all sessions. Returns undefined if the
 * link is invalid, else the password's fault or the user.
 */
export async function usePasswordLink(
  tx: Transaction,
  request: { token: string; password: string; passwordHash: string; pepper: string; now: number },
): Promise<{ readonly fault: string } | { readonly user: UserRow } | undefined> {
  const user = await findLinkedUser(tx, request);
  if (user === undefined) return undefined;
  const fault = findPasswordFault(request.password, user.email);
  if (fault !== undefined) return { fault };
  await setPasswordHash(tx, user.userId, request.passwordHash);
  await endSessionsOf(tx, user.userId);
  return { user };
}
