// Sessions of the dashboard's users. A session has one refresh token at a time; hashes of it and of the one before are kept.

import type { Transaction } from "./store.ts";
import type { UserRole } from "./users.ts";

export interface SessionRow {
  readonly sessionId: string;
  readonly userId: number;
  readonly email: string;
  readonly role: UserRole;
  readonly tenantId: number;
  readonly merchantId: string | null;
  /** The tenant's. */
  readonly timezone: string;
  readonly refreshHash: string;
  /** Hash of the refresh token before the current one; null until the first refresh. */
  readonly previousHash: string | null;
  readonly createdAt: number;
  readonly refreshedAt: number;
}

const ofSessions = `
  SELECT s.session_id AS "sessionId", s.user_id AS "userId", u.email, u.role, u.tenant_id AS "tenantId",
         u.merchant_id AS "merchantId", t.timezone, s.refresh_hash AS "refreshHash", s.previous_hash AS "previousHash", s.created_at AS "createdAt",
         s.refreshed_at AS "refreshedAt"
    FROM sessions s JOIN users u ON u.user_id = s.user_id AND u.disabled_at IS NULL
    JOIN tenants t ON t.tenant_id = u.tenant_id AND t.disabled_at IS NULL`;

/** The session of an enabled user of an enabled tenant; one that has ended is not there. */
export function findSession(tx: Transaction, sessionId: string): Promise<SessionRow | undefined> {
  return tx.get<SessionRow>(`${ofSessions} WHERE s.session_id = $1`, sessionId);
}

/** The same, held for update. */
export function holdSession(tx: Transaction, sessionId: string): Promise<SessionRow | undefined> {
  return tx.get<SessionRow>(`${ofSessions} WHERE s.session_id = $1 FOR UPDATE OF s`, sessionId);
}

/** Adds a session, and ends the user's oldest ones beyond `most`. */
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

/** Makes another refresh token the session's. */
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

/** Ends all of the user's. */
export async function endSessionsOf(tx: Transaction, userId: number): Promise<void> {
  await tx.run("DELETE FROM sessions WHERE user_id = $1", userId);
}
