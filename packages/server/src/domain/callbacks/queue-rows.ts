// The callback queue: decides when each callback may be posted. Callbacks of one call are posted one at a time. A
// tenant's calls to one receiver (a host name) form a lane; tenants are served round-robin. Each call, lane and tenant
// stores the time at which it is next due, so that a claim costs the same for any backlog. Claims skip a lane or tenant
// while it is leased.
//
// A transaction must lock a tenant's lanes before it changes any row of that tenant here. It locks the lanes after all
// the messages, calls, quotas and batches that it needs. If it locks the lanes of several tenants, it does so in the
// order of the tenants' ids. A claim waits for the first tenant only, and skips other tenants whose lanes are locked.
//
// Each callback updates the rows of its lane and its tenant several times. On PostgreSQL each update leaves a dead row
// version, which cannot be vacuumed while an older snapshot is open, and each lookup reads all of them. So on PostgreSQL
// the two tables have two more columns:
//
// - `version`, the last column of the key: the id of the transaction that last changed the row. As the lanes are locked,
//   each key has one live row, and a lookup of the highest version reads few dead ones.
// - `due_from`: no row of the lane, or of the tenant, is due before this time, so a scan starts there. An earlier due
//   time lowers it; finding the first due row raises it.

import { queueOf } from "../../store/queue/engine.ts";
import { type DueFloor, recently } from "../../store/queue/queue.ts";
import { perEngine } from "../../store/statement.ts";
import { findValue, type Transaction } from "../../store/store.ts";
import { isByTime } from "../../store/tables/calls.ts";

interface Table {
  readonly name: string;
  /** Columns of the key, with their types. */
  readonly key: Readonly<Record<string, string>>;
  /** Columns that are 0 in a new row. */
  readonly zeros: readonly string[];
}

const lanes: Table = {
  name: "callback_lanes",
  key: { tenant_id: "BIGINT", receiver: "TEXT" },
  zeros: ["leased_until", "rests"],
};
const tenants: Table = { name: "callback_tenants", key: { tenant_id: "BIGINT" }, zeros: ["leased_until"] };

/** SQL fragments for a row whose key is passed as the first parameters. */
interface RowFragments {
  /** Condition that matches the row. */
  readonly isRow: string;
  /** Appended to the SET list of each update. */
  readonly andVersion: string;
  /** Like `andVersion`, and also sets `due_from` to the parameter. */
  readonly andFrom: (parameter: string) => string;
  /** Reads `due_from`; 0 on SQLite, which has no such column. */
  readonly dueFrom: string;
}

const isOfKey = ({ name, key }: Table) =>
  Object.keys(key)
    .map((column, index) => `${name}.${column} = $${index + 1}`)
    .join(" AND ");

/** SQL of a column of the row's last version. Avoids MAX, which reads all versions if PostgreSQL expects few of them. */
const ofLast = (table: Table, column: string) =>
  `(SELECT ${column} FROM ${table.name} WHERE ${isOfKey(table)} ORDER BY version DESC LIMIT 1)`;

const toTexts = (table: Table) => {
  const sqlite: RowFragments = { isRow: isOfKey(table), andVersion: "", andFrom: () => "", dueFrom: "0" };
  const postgres: RowFragments = {
    isRow: `${isOfKey(table)} AND version = ${ofLast(table, "version")}`,
    andVersion: ", version = DEFAULT",
    andFrom: (parameter) => `, due_from = ${parameter}, version = DEFAULT`,
    dueFrom: ofLast(table, "due_from"),
  };
  return (write: (parts: RowFragments) => string) => perEngine({ sqlite, postgres }, write);
};

/** Makes statements whose first parameters are the tenant and the receiver of a lane. */
const toLaneText = toTexts(lanes);
/** Makes statements whose first parameter is the tenant. */
const toTenantText = toTexts(tenants);

/** SQL of the later of two times. */
function later(one: string, other: string): string {
  return `CASE WHEN ${one} > ${other} THEN ${one} ELSE ${other} END`;
}

/** SQL of the earlier of two times. */
function earlier(one: string, other: string): string {
  return `CASE WHEN ${one} < ${other} THEN ${one} ELSE ${other} END`;
}

const toForwardText = (table: Table) => {
  const { name, key, zeros } = table;
  const columns = [...Object.keys(key), "due_at", ...zeros];
  const parameters = [...Object.values(key), "BIGINT"].map((type, index) => `CAST($${index + 1} AS ${type})`);
  const dueAt = parameters.at(-1) ?? "";
  const begun = [...parameters, ...zeros.map(() => 0)].join(", ");
  // a leased row does not fall due before its lease ends
  const due = later(`${name}.leased_until`, dueAt);
  const sqlite = `
    INSERT INTO ${name} (${columns.join(", ")}) VALUES (${begun})
    ON CONFLICT (${Object.keys(key).join(", ")}) DO UPDATE SET due_at = ${due} WHERE ${name}.due_at > ${due}
    RETURNING due_at AS "dueAt"`;
  const postgres = `
    WITH last AS (
      SELECT ${ofLast(table, "version")} AS version
    ), brought AS (
      UPDATE ${name} SET due_at = LEAST(due_at, ${due}), due_from = LEAST(due_from, ${dueAt}), version = DEFAULT
       WHERE ${isOfKey(table)} AND version = (SELECT version FROM last) AND (due_at > ${due} OR due_from > ${dueAt})
      RETURNING due_at
    ), begun AS (
      INSERT INTO ${name} (${columns.join(", ")}, due_from) SELECT ${begun}, ${dueAt} FROM last WHERE version IS NULL
      RETURNING due_at
    )
    SELECT due_at AS "dueAt" FROM brought UNION ALL SELECT due_at FROM begun`;
  return { sqlite, postgres };
};

/** Lowers the lane's `due_from` to a due time. On SQLite no row matches, as `dueFrom` is 0 there. */
const keepInSightText = toLaneText(
  ({ isRow, andFrom, dueFrom }) => `
  UPDATE callback_lanes SET due_at = due_at${andFrom("$3")} WHERE ${isRow} AND ${dueFrom} > $3`,
);

/** Statements that add a lane or tenant, or make it due by the last parameter. They return its `dueAt` if it changed. */
const laneForwardText = toForwardText(lanes);
const tenantForwardText = toForwardText(tenants);

/** Identifies a tenant's lane for one receiver. */
export interface LaneKey {
  readonly tenantId: number;
  readonly receiver: string;
}

export interface DueLane extends LaneKey {
  /** Number of rests since the receiver's last answer: see `restMs` in rules.ts. */
  readonly rests: number;
}

export interface CallKey extends LaneKey {
  readonly requestId: number;
}

export interface DueCall extends CallKey {
  readonly url: string;
}

const lockStatement = "SELECT tenant_id FROM tenants WHERE tenant_id = $1 FOR NO KEY UPDATE";

/** Locks the tenant's row in `tenants`. Every change of the tenant's lanes, queued calls and callbacks requires this lock. */
export function lockLanes(tx: Transaction, tenantId: number): void {
  tx.lock(lockStatement, tenantId);
}

/** Locks the tenant's lanes without waiting. Returns false if another transaction has locked them. */
export function tryLockLanes(tx: Transaction, tenantId: number): Promise<boolean> {
  return tx.tryLock(`${lockStatement} SKIP LOCKED`, tenantId);
}

/**
 * Locks the tenant's lanes, and makes the call due by `dueAt`. A call in flight is left alone: the end of its attempt
 * sets its due time.
 */
export async function enqueueCall(tx: Transaction, call: DueCall & { dueAt: number }): Promise<void> {
  const { requestId, tenantId, receiver, url, dueAt } = call;
  lockLanes(tx, tenantId);
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
  const lane = await tx.get<{ dueAt: number }>(laneForwardText, tenantId, receiver, dueAt);
  if (lane !== undefined) await tx.get(tenantForwardText, tenantId, lane.dueAt);
}

/**
 * Lists tenants due by `now`, the longest waiting first. Locks nothing: another transaction may take them. Pass the same
 * `floor` to every call of the process.
 */
export async function listDueTenants(
  tx: Transaction,
  { now, limit, floor }: { now: number; limit: number; floor: DueFloor },
): Promise<number[]> {
  const rows = await tx.all<{ tenantId: number; dueAt: number }>(
    `SELECT tenant_id AS "tenantId", due_at AS "dueAt" FROM callback_tenants
      WHERE ${isByTime} AND due_at BETWEEN $3 AND $1
      ORDER BY due_at, tenant_id LIMIT $2`,
    now,
    limit,
    floor.at(now),
  );
  floor.raise(now, queueOf(tx).floorAfter(now, rows[0]?.dueAt));
  return rows.map(({ tenantId }) => tenantId);
}

/** Finds when the next tenant is due, after `now` and no later than `until`; undefined if no tenant is. */
export function findNextTenantDue(
  tx: Transaction,
  { now, until }: { now: number; until: number },
): Promise<number | undefined> {
  return findValue<number>(
    tx,
    `SELECT MIN(due_at) AS "dueAt" FROM callback_tenants WHERE ${isByTime} AND due_at > $1 AND due_at <= $2`,
    now,
    until,
  );
}

const dueLaneText = toTenantText(
  ({ dueFrom }) => `
  SELECT tenant_id AS "tenantId", receiver, rests FROM callback_lanes
   WHERE tenant_id = $1 AND ${isByTime} AND due_at BETWEEN ${dueFrom} AND $2 ORDER BY due_at, receiver LIMIT 1`,
);

/** Finds the tenant's lane due by `now` that has waited longest. */
export function findDueLane(tx: Transaction, tenantId: number, now: number): Promise<DueLane | undefined> {
  return tx.get<DueLane>(dueLaneText, tenantId, now);
}

const dueCallText = toLaneText(
  ({ dueFrom }) => `
  SELECT request_id AS "requestId", tenant_id AS "tenantId", receiver, url FROM callback_calls
   WHERE tenant_id = $1 AND receiver = $2 AND due_at BETWEEN ${dueFrom} AND $3 ORDER BY due_at, request_id LIMIT 1`,
);

/** Finds the lane's call due by `now` that has waited longest. */
export function findDueCall(
  tx: Transaction,
  { tenantId, receiver }: LaneKey,
  now: number,
): Promise<DueCall | undefined> {
  return tx.get<DueCall>(dueCallText, tenantId, receiver, now);
}

/** Leases the call until `expiresAt`. `releaseCall` requires the token. */
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

/** Ends the call's lease. If the lease has another token by now, changes nothing and returns false. */
export async function releaseCall(tx: Transaction, { requestId }: CallKey, token: string): Promise<boolean> {
  const sql = "UPDATE callback_calls SET lease_token = NULL WHERE request_id = $1 AND lease_token = $2";
  return (await tx.run(sql, requestId, token)) > 0;
}

/** Lists up to `limit` leased calls. */
export function listLeasedCalls(tx: Transaction, limit: number): Promise<CallKey[]> {
  return tx.all(
    `SELECT request_id AS "requestId", tenant_id AS "tenantId", receiver FROM callback_calls
      WHERE lease_token IS NOT NULL ORDER BY request_id LIMIT $1`,
    limit,
  );
}

/**
 * Sets the due time of a call that is not in flight to that of its next pending callback. A call without a pending
 * callback leaves the queue.
 */
export async function refreshCall(tx: Transaction, { requestId, tenantId, receiver }: CallKey): Promise<void> {
  const next = await tx.get<{ dueAt: number }>(
    `SELECT next_attempt_at AS "dueAt" FROM callbacks WHERE request_id = $1 AND status = 'PENDING'
      ORDER BY waits_until, callback_id LIMIT 1`,
    requestId,
  );
  if (next === undefined) {
    await tx.run("DELETE FROM callback_calls WHERE request_id = $1", requestId);
    return;
  }
  // if a lease is still recorded, it has expired
  await tx.run(
    "UPDATE callback_calls SET due_at = $2, lease_token = NULL WHERE request_id = $1",
    requestId,
    next.dueAt,
  );
  await tx.run(keepInSightText, tenantId, receiver, next.dueAt);
}

const firstCallText = toLaneText(
  ({ dueFrom }) => `
  SELECT due_at AS "dueAt" FROM callback_calls WHERE tenant_id = $1 AND receiver = $2 AND due_at >= ${dueFrom}
   ORDER BY due_at LIMIT 1`,
);
const removeLaneText = toLaneText(({ isRow }) => `DELETE FROM callback_lanes WHERE ${isRow}`);
const refreshLaneText = toLaneText(
  ({ isRow, andFrom }) => `
  UPDATE callback_lanes SET due_at = ${later(later("leased_until", "$3"), "$4")}, waits_since = NULL${andFrom("$3")}
   WHERE ${isRow}`,
);

/**
 * Sets the lane's due time to that of its first call, but not before `now`, so that the tenant's other due lanes come
 * first. Removes an empty lane.
 */
export async function refreshLane(tx: Transaction, { tenantId, receiver }: LaneKey, now: number): Promise<void> {
  const next = await tx.get<{ dueAt: number }>(firstCallText, tenantId, receiver);
  if (next === undefined) {
    await tx.run(removeLaneText, tenantId, receiver);
  } else {
    await tx.run(refreshLaneText, tenantId, receiver, next.dueAt, now);
  }
  await refreshTenant(tx, tenantId, now);
}

// Scans from the earlier of `due_from` and $2 (now): a lane that was just changed is due at $2 or later.
const firstLaneText = toTenantText(
  ({ dueFrom }) => `
  SELECT due_at AS "dueAt" FROM callback_lanes WHERE tenant_id = $1 AND ${isByTime} AND due_at >= ${earlier(dueFrom, "$2")}
   ORDER BY due_at LIMIT 1`,
);
const removeTenantText = toTenantText(({ isRow }) => `DELETE FROM callback_tenants WHERE ${isRow}`);
const refreshTenantText = toTenantText(
  ({ isRow, andFrom }) => `
  UPDATE callback_tenants SET due_at = ${later(later("leased_until", "$2"), "$3")}${andFrom("$2")} WHERE ${isRow}`,
);

/**
 * Sets the tenant's due time to that of its first lane, but not before `now`, so that other due tenants come first.
 * Removes a tenant without lanes.
 */
export async function refreshTenant(tx: Transaction, tenantId: number, now: number): Promise<void> {
  const next = await tx.get<{ dueAt: number }>(firstLaneText, tenantId, now);
  if (next === undefined) {
    await tx.run(removeTenantText, tenantId);
    return;
  }
  await tx.run(refreshTenantText, tenantId, next.dueAt, now);
}

const leaseTenantText = toTenantText(
  ({ isRow, andVersion }) => `UPDATE callback_tenants SET leased_until = $2, due_at = $2${andVersion} WHERE ${isRow}`,
);

/** Leases the tenant: claims skip it until `until`. */
export async function leaseTenant(tx: Transaction, tenantId: number, until: number): Promise<void> {
  await tx.run(leaseTenantText, tenantId, until);
}

const toLeaseLaneText = (waitsSince: string) =>
  toLaneText(
    ({ isRow, andVersion }) => `
    UPDATE callback_lanes SET leased_until = $3, due_at = $3, waits_since = ${waitsSince}${andVersion} WHERE ${isRow}`,
  );
const leaseLaneText = toLeaseLaneText("NULL");
const leaseWaitingLaneText = toLeaseLaneText("COALESCE(waits_since, $4)");

/**
 * Leases a lane that has reached its limit of attempts in flight, at most until `until`. The lease ends earlier when one
 * of the lane's attempts ends or, if `isWaiting`, when any attempt at its receiver ends.
 */
export async function leaseLane(
  tx: Transaction,
  { tenantId, receiver }: LaneKey,
  { until, isWaiting, now }: { until: number; isWaiting: boolean; now: number },
): Promise<void> {
  const text = isWaiting ? leaseWaitingLaneText : leaseLaneText;
  await tx.run(text, tenantId, receiver, until, ...(isWaiting ? [now] : []));
  await refreshTenant(tx, tenantId, now);
}

const toEndLeaseText = (andRests: string) =>
  toLaneText(
    ({ isRow, andVersion }) => `UPDATE callback_lanes SET leased_until = 0${andRests}${andVersion} WHERE ${isRow}`,
  );
const endLeaseText = toEndLeaseText("");
const endRestsText = toEndLeaseText(", rests = 0");

/** Ends the lane's lease after one of its attempts has ended. If the receiver answered, also resets the rests to 0. */
export async function endLease(
  tx: Transaction,
  { tenantId, receiver }: LaneKey,
  { isAnswered }: { isAnswered: boolean },
): Promise<void> {
  await tx.run(isAnswered ? endRestsText : endLeaseText, tenantId, receiver);
}

const restLaneText = toLaneText(
  ({ isRow, andVersion }) => `
  UPDATE callback_lanes SET rests = rests + 1, leased_until = $4${andVersion} WHERE ${isRow} AND rests = $3`,
);

/**
 * Leases the lane until `until` and counts one more rest, unless another attempt has added a rest since this one began,
 * when the lane had `rests`.
 */
export async function restLane(tx: Transaction, { tenantId, receiver, rests }: DueLane, until: number): Promise<void> {
  await tx.run(restLaneText, tenantId, receiver, rests, until);
}

/** The `limit` lanes, of any tenant, that have waited longest for the receiver. Locks nothing. */
export function listWaitingLanes(tx: Transaction, receiver: string, limit: number): Promise<LaneKey[]> {
  return tx.all<LaneKey>(
    `SELECT tenant_id AS "tenantId", receiver FROM callback_lanes
      WHERE receiver = $1 AND waits_since IS NOT NULL AND leased_until > 0 ORDER BY waits_since LIMIT $2`,
    receiver,
    limit,
  );
}

const wakeLaneText = toLaneText(
  ({ isRow, andVersion }) => `
  UPDATE callback_lanes SET leased_until = 0, due_at = ${later("waits_since", "$3")}${andVersion}
   WHERE ${isRow} AND waits_since IS NOT NULL AND leased_until > 0
   RETURNING due_at AS "dueAt"`,
);

/** Locks the tenant's lanes, and makes due a lane that waits for its receiver. Lanes keep their order of waiting. */
export async function wakeLane(tx: Transaction, { tenantId, receiver }: LaneKey, now: number): Promise<void> {
  lockLanes(tx, tenantId);
  const lane = await tx.get<{ dueAt: number }>(wakeLaneText, tenantId, receiver, recently(0, now));
  if (lane !== undefined) await tx.get(tenantForwardText, tenantId, lane.dueAt);
}
