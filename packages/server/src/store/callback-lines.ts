// When what is said at callback URLs may be said. What tells of one call is posted one after the other. A tenant's calls
// for one receiver (a host's name) make a line, and a tenant's lines share its turn. A call, a line and a turn each know
// when somebody must look at them next, so that a look costs the same however much waits.

import type { Transaction } from "./store.ts";

/** A tenant's line for one receiver. */
export interface LineKey {
  readonly tenantId: number;
  readonly receiver: string;
}

export interface DueLine extends LineKey {
  /** Rests since the receiver's last answer. */
  readonly rests: number;
}

export interface CallKey extends LineKey {
  readonly requestId: number;
}

export interface DueCall extends CallKey {
  readonly url: string;
}

/** Whichever is later: a line or turn that is held is looked at when that is over. */
function notBeforeHold(table: string, dueAt: string): string {
  return `CASE WHEN ${table}.held_until > ${dueAt} THEN ${table}.held_until ELSE ${dueAt} END`;
}

const lineDue = notBeforeHold("callback_lines", "excluded.due_at");
const turnDue = notBeforeHold("callback_turns", "excluded.due_at");

/** A lease that was still there had expired. */
const openStatement = "UPDATE callback_calls SET due_at = $2, lease_token = NULL WHERE request_id = $1";

/** Has the call looked at by `dueAt`. One that is under way is looked at when that ends, anyway. */
export async function putInLine(tx: Transaction, call: DueCall & { dueAt: number }): Promise<void> {
  const { requestId, tenantId, receiver, url, dueAt } = call;
  const changed = await tx.run(
    `INSERT INTO callback_calls (request_id, tenant_id, receiver, url, due_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (request_id) DO UPDATE SET due_at = excluded.due_at
      WHERE callback_calls.due_at > excluded.due_at AND callback_calls.lease_token IS NULL`,
    requestId,
    tenantId,
    receiver,
    url,
    dueAt,
  );
  if (changed === 0) return;
  const line = await tx.get<{ dueAt: number }>(
    `INSERT INTO callback_lines (tenant_id, receiver, due_at, held_until, rests) VALUES ($1, $2, $3, 0, 0)
     ON CONFLICT (tenant_id, receiver) DO UPDATE SET due_at = ${lineDue} WHERE callback_lines.due_at > ${lineDue}
     RETURNING due_at AS "dueAt"`,
    tenantId,
    receiver,
    dueAt,
  );
  if (line !== undefined) await bringTurnForward(tx, tenantId, line.dueAt);
}

async function bringTurnForward(tx: Transaction, tenantId: number, dueAt: number): Promise<void> {
  await tx.run(
    `INSERT INTO callback_turns (tenant_id, due_at, held_until) VALUES ($1, $2, 0)
     ON CONFLICT (tenant_id) DO UPDATE SET due_at = ${turnDue} WHERE callback_turns.due_at > ${turnDue}`,
    tenantId,
    dueAt,
  );
}

/** Tenants whose turn it is by `now`, the one that waits longest first. Held for update. */
export async function listDueTurns(tx: Transaction, now: number, limit: number): Promise<number[]> {
  const rows = await tx.all<{ tenantId: number }>(
    `SELECT tenant_id AS "tenantId" FROM callback_turns WHERE due_at <= $1
      ORDER BY due_at, tenant_id LIMIT $2 FOR UPDATE SKIP LOCKED`,
    now,
    limit,
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** When a turn comes next after `now`; undefined when none does. */
export async function findNextTurn(tx: Transaction, now: number): Promise<number | undefined> {
  const row = await tx.get<{ dueAt: number | null }>(
    `SELECT MIN(due_at) AS "dueAt" FROM callback_turns WHERE due_at > $1`,
    now,
  );
  return row?.dueAt ?? undefined;
}

/** The tenant's line that is due by `now` and waits longest. */
export function findDueLine(tx: Transaction, tenantId: number, now: number): Promise<DueLine | undefined> {
  return tx.get<DueLine>(
    `SELECT tenant_id AS "tenantId", receiver, rests FROM callback_lines WHERE tenant_id = $1 AND due_at <= $2
      ORDER BY due_at, receiver LIMIT 1`,
    tenantId,
    now,
  );
}

/** The line's call that is due by `now` and waits longest. */
export function findDueCall(
  tx: Transaction,
  { tenantId, receiver }: LineKey,
  now: number,
): Promise<DueCall | undefined> {
  return tx.get<DueCall>(
    `SELECT request_id AS "requestId", tenant_id AS "tenantId", receiver, url FROM callback_calls
      WHERE tenant_id = $1 AND receiver = $2 AND due_at <= $3 ORDER BY due_at, request_id LIMIT 1`,
    tenantId,
    receiver,
    now,
  );
}

/** Takes the call until `expiresAt`. Whoever ends the attempt must show the token. */
export async function leaseCall(
  tx: Transaction,
  { requestId }: CallKey,
  { token, expiresAt }: { token: string; expiresAt: number },
): Promise<void> {
  await tx.run(
    "UPDATE callback_calls SET lease_token = $2, due_at = $3 WHERE request_id = $1",
    requestId,
    token,
    expiresAt,
  );
}

/** Lets go of the call. False, with nothing changed, when the lease is no longer the token's. */
export async function releaseCall(tx: Transaction, { requestId }: CallKey, token: string): Promise<boolean> {
  return (
    (await tx.run(
      "UPDATE callback_calls SET lease_token = NULL WHERE request_id = $1 AND lease_token = $2",
      requestId,
      token,
    )) > 0
  );
}

/** Calls that are under way, `limit` of them at most. */
export function listLeasedCalls(tx: Transaction, limit: number): Promise<CallKey[]> {
  return tx.all(
    `SELECT request_id AS "requestId", tenant_id AS "tenantId", receiver FROM callback_calls
      WHERE lease_token IS NOT NULL ORDER BY request_id LIMIT $1`,
    limit,
  );
}

/** Sets when a call that is not under way is looked at, by what it has to tell; one that has nothing leaves the line. */
export async function refreshCall(tx: Transaction, { requestId }: CallKey): Promise<void> {
  const next = await tx.get<{ dueAt: number }>(
    `SELECT next_attempt_at AS "dueAt" FROM callbacks WHERE request_id = $1 AND status = 'PENDING'
      ORDER BY waits_until, callback_id LIMIT 1`,
    requestId,
  );
  if (next === undefined) await tx.run("DELETE FROM callback_calls WHERE request_id = $1", requestId);
  else await tx.run(openStatement, requestId, next.dueAt);
}

/** Sets when the line is looked at by the calls in it, behind the tenant's others that are due; an empty one goes. */
export async function refreshLine(tx: Transaction, { tenantId, receiver }: LineKey, now: number): Promise<void> {
  const next = await tx.get<{ dueAt: number }>(
    `SELECT due_at AS "dueAt" FROM callback_calls WHERE tenant_id = $1 AND receiver = $2 ORDER BY due_at LIMIT 1`,
    tenantId,
    receiver,
  );
  if (next === undefined) {
    await tx.run("DELETE FROM callback_lines WHERE tenant_id = $1 AND receiver = $2", tenantId, receiver);
  } else {
    await tx.run(
      `UPDATE callback_lines SET due_at = ${notBeforeHold("callback_lines", "$3")}, waits_since = NULL
        WHERE tenant_id = $1 AND receiver = $2`,
      tenantId,
      receiver,
      Math.max(next.dueAt, now),
    );
  }
  await refreshTurn(tx, tenantId, now);
}

/** Sets when the tenant's turn comes by its lines, behind all others whose turn it is; a tenant without a line goes. */
export async function refreshTurn(tx: Transaction, tenantId: number, now: number): Promise<void> {
  const next = await tx.get<{ dueAt: number }>(
    `SELECT due_at AS "dueAt" FROM callback_lines WHERE tenant_id = $1 ORDER BY due_at LIMIT 1`,
    tenantId,
  );
  if (next === undefined) {
    await tx.run("DELETE FROM callback_turns WHERE tenant_id = $1", tenantId);
    return;
  }
  await tx.run(
    `UPDATE callback_turns SET due_at = ${notBeforeHold("callback_turns", "$2")} WHERE tenant_id = $1`,
    tenantId,
    Math.max(next.dueAt, now),
  );
}

/** Leaves the tenant out of the turns until then. */
export async function holdTurn(tx: Transaction, tenantId: number, until: number): Promise<void> {
  await tx.run("UPDATE callback_turns SET held_until = $2, due_at = $2 WHERE tenant_id = $1", tenantId, until);
}

/**
 * Puts aside a line that may have no more under way: until one of its own ends, or where it `isWaiting` one of its
 * receiver's; at the latest until `until`.
 */
export async function holdLine(
  tx: Transaction,
  { tenantId, receiver }: LineKey,
  { until, isWaiting, now }: { until: number; isWaiting: boolean; now: number },
): Promise<void> {
  await tx.run(
    `UPDATE callback_lines SET held_until = $3, due_at = $3, waits_since = ${isWaiting ? "COALESCE(waits_since, $4)" : "NULL"}
      WHERE tenant_id = $1 AND receiver = $2`,
    tenantId,
    receiver,
    until,
    ...(isWaiting ? [now] : []),
  );
  await refreshTurn(tx, tenantId, now);
}

/** Ends whatever holds the line, as one of its attempts has ended; an answer ends its rests as well. */
export async function endHold(
  tx: Transaction,
  { tenantId, receiver }: LineKey,
  { isAnswered }: { isAnswered: boolean },
): Promise<void> {
  await tx.run(
    `UPDATE callback_lines SET held_until = 0${isAnswered ? ", rests = 0" : ""} WHERE tenant_id = $1 AND receiver = $2`,
    tenantId,
    receiver,
  );
}

/** Has the line rest once more than the `rests` that its attempt began after. No more when it rests for another already. */
export async function restLine(tx: Transaction, { tenantId, receiver, rests }: DueLine, until: number): Promise<void> {
  await tx.run(
    "UPDATE callback_lines SET rests = rests + 1, held_until = $4 WHERE tenant_id = $1 AND receiver = $2 AND rests = $3",
    tenantId,
    receiver,
    rests,
    until,
  );
}

/** Lets the `limit` lines that have waited longest for the receiver have their turn, each in the order of its wait. */
export async function wakeLines(tx: Transaction, receiver: string, limit: number): Promise<void> {
  const lines = await tx.all<{ tenantId: number; waitsSince: number }>(
    `SELECT tenant_id AS "tenantId", waits_since AS "waitsSince" FROM callback_lines
      WHERE receiver = $1 AND waits_since IS NOT NULL AND held_until > 0 ORDER BY waits_since LIMIT $2`,
    receiver,
    limit,
  );
  for (const { tenantId, waitsSince } of lines) {
    await tx.run(
      "UPDATE callback_lines SET held_until = 0, due_at = waits_since WHERE tenant_id = $1 AND receiver = $2",
      tenantId,
      receiver,
    );
    await bringTurnForward(tx, tenantId, waitsSince);
  }
}
