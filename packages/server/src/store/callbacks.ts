// What tenants asked to be told at their callback URLs: what is said, and how far its delivery has come.
// Each receiver (the host and port of a URL) has a line of its own, so that a slow one holds up nobody else's. What tells
// of one call is posted one after the other: none while an earlier one is under way or due.

import { randomBytes } from "node:crypto";
import type { EventType } from "@msgctl/contract";
import type { Transaction } from "./store.ts";

export type CallbackStatus = "PENDING" | "DELIVERED" | "FAILED";

export interface CallbackRow {
  /** The `webhook-id` that every attempt carries. */
  readonly id: string;
  readonly type: EventType;
  readonly url: string;
  readonly status: CallbackStatus;
  /** Attempts begun. */
  readonly attempts: number;
  /** Epoch milliseconds; null once it is over. */
  readonly nextAttemptAt: number | null;
  /** What the last attempt came to, in a few words: `200`, `timeout`; null before its end. */
  readonly lastOutcome: string | null;
  /** The JSON text that is posted. */
  readonly body: string;
}

/** A callback that is due. */
export interface DueCallback {
  readonly callbackId: number;
  readonly webhookId: string;
  readonly tenantId: number;
  readonly url: string;
  readonly host: string;
  readonly body: string;
  readonly attempts: number;
}

/** Whether a call has something earlier to tell than the callback `c`, of which `condition` is true. */
function isAfter(condition: string): string {
  return `EXISTS (SELECT 1 FROM callbacks e WHERE e.status = 'PENDING' AND (${condition})
                     AND e.request_id = c.request_id AND e.callback_id < c.callback_id)`;
}

/**
 * Has `data` posted to `url` as `{ type, timestamp, data }`, in the transaction of the change of call `requestId` that it
 * tells of. `url` has to be one that `rules/callback-url.ts` finds no fault with. `now` is the change's time.
 */
export async function enqueueCallback(
  tx: Transaction,
  callback: { tenantId: number; requestId: number; url: string; type: EventType; data: object; now: number },
): Promise<void> {
  const { tenantId, requestId, url, type, data, now } = callback;
  const { host } = new URL(url);
  const webhookId = `evt_${randomBytes(16).toString("hex")}`;
  const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });
  await tx.run(
    `INSERT INTO callbacks (webhook_id, tenant_id, url, host, type, body, status, attempts, next_attempt_at, updated_at,
       request_id)
     VALUES ($1, $2, $3, $4, $5, $6, 'PENDING', 0, $7, $7, $8)`,
    webhookId,
    tenantId,
    url,
    host,
    type,
    body,
    now,
    requestId,
  );
  await tx.run(
    `INSERT INTO callback_hosts (host, due_at) VALUES ($1, $2)
     ON CONFLICT (host) DO UPDATE SET due_at = excluded.due_at WHERE callback_hosts.due_at > excluded.due_at`,
    host,
    now,
  );
}

/** The newest `limit` callbacks of all tenants, newest first. */
export function listCallbacks(tx: Transaction, { limit }: { limit: number }): Promise<CallbackRow[]> {
  return tx.all<CallbackRow>(
    `SELECT webhook_id AS id, type, url, status, attempts, next_attempt_at AS "nextAttemptAt",
            last_outcome AS "lastOutcome", body
       FROM callbacks ORDER BY callback_id DESC LIMIT $1`,
    limit,
  );
}

/** Receivers with something due by `now`, the longest due first. Held for update. */
export async function listDueHosts(tx: Transaction, now: number, limit: number): Promise<string[]> {
  const rows = await tx.all<{ host: string }>(
    "SELECT host FROM callback_hosts WHERE due_at <= $1 ORDER BY due_at, host LIMIT $2 FOR UPDATE SKIP LOCKED",
    now,
    limit,
  );
  return rows.map(({ host }) => host);
}

/** When a receiver's line next has to be looked at; undefined when all are empty. */
export async function findNextHostDue(tx: Transaction): Promise<number | undefined> {
  const row = await tx.get<{ dueAt: number | null }>(`SELECT MIN(due_at) AS "dueAt" FROM callback_hosts`);
  return row?.dueAt ?? undefined;
}

/** The receiver's callbacks due by `now`, of each call the first, the longest due first. Held for update. */
export function listDueCallbacks(tx: Transaction, host: string, now: number, limit: number): Promise<DueCallback[]> {
  return tx.all<DueCallback>(
    `SELECT callback_id AS "callbackId", webhook_id AS "webhookId", tenant_id AS "tenantId", url, host, body, attempts
       FROM callbacks c
      WHERE host = $1 AND status = 'PENDING' AND next_attempt_at <= $2
        AND NOT ${isAfter("e.lease_token IS NOT NULL OR e.next_attempt_at <= $2")}
      ORDER BY next_attempt_at, callback_id LIMIT $3 FOR UPDATE OF c SKIP LOCKED`,
    host,
    now,
    limit,
  );
}

/** Begins an attempt, and takes the callback until `expiresAt`. Whoever records the outcome must show the token. */
export async function leaseCallback(
  tx: Transaction,
  lease: { callbackId: number; token: string; expiresAt: number; now: number },
): Promise<void> {
  await tx.run(
    `UPDATE callbacks SET lease_token = $2, next_attempt_at = $3, attempts = attempts + 1, updated_at = $4
      WHERE callback_id = $1`,
    lease.callbackId,
    lease.token,
    lease.expiresAt,
    lease.now,
  );
}

/** What an attempt came to. */
export interface CallbackOutcome {
  readonly status: CallbackStatus;
  /** For a PENDING one when to try again, else null. */
  readonly nextAttemptAt: number | null;
  /** In a few words, for whoever looks into it: `200`, `timeout`. */
  readonly lastOutcome: string;
}

/** Records an attempt. False, with nothing changed, when the lease is no longer the token's. */
export async function recordCallbackAttempt(
  tx: Transaction,
  attempt: CallbackOutcome & { callbackId: number; token: string; now: number },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE callbacks SET status = $3, next_attempt_at = $4, last_outcome = $5, updated_at = $6, lease_token = NULL
      WHERE callback_id = $1 AND lease_token = $2`,
    attempt.callbackId,
    attempt.token,
    attempt.status,
    attempt.nextAttemptAt,
    attempt.lastOutcome,
    attempt.now,
  );
  return changed > 0;
}

/** Gives up a callback whose last attempt ended without a record. */
export async function giveUpCallback(tx: Transaction, callbackId: number, now: number): Promise<void> {
  await tx.run(
    `UPDATE callbacks SET status = 'FAILED', next_attempt_at = NULL, lease_token = NULL, updated_at = $2
      WHERE callback_id = $1`,
    callbackId,
    now,
  );
}

/** Gives up all that the tenant has waiting for a URL that wants nothing more. Attempts under way end as they may. */
export async function giveUpUrl(
  tx: Transaction,
  gone: { tenantId: number; url: string; host: string; lastOutcome: string; now: number },
): Promise<void> {
  await tx.run(
    `UPDATE callbacks SET status = 'FAILED', next_attempt_at = NULL, last_outcome = $4, updated_at = $5
      WHERE host = $1 AND status = 'PENDING' AND tenant_id = $2 AND url = $3 AND lease_token IS NULL`,
    gone.host,
    gone.tenantId,
    gone.url,
    gone.lastOutcome,
    gone.now,
  );
}

/** Puts the receiver's line off: `until` that time, unless another callback comes in. */
export async function parkHost(tx: Transaction, host: string, until: number): Promise<void> {
  await tx.run("UPDATE callback_hosts SET due_at = $2 WHERE host = $1", host, until);
}

/** Sets when the receiver's line has to be looked at by what is in it and not held back; an empty one goes. */
export async function refreshHost(tx: Transaction, host: string): Promise<void> {
  await tx.get("SELECT host FROM callback_hosts WHERE host = $1 FOR UPDATE", host);
  const row = await tx.get<{ dueAt: number }>(
    `SELECT next_attempt_at AS "dueAt" FROM callbacks c
      WHERE host = $1 AND status = 'PENDING' AND NOT ${isAfter("e.lease_token IS NOT NULL")}
      ORDER BY next_attempt_at LIMIT 1`,
    host,
  );
  if (row === undefined) await tx.run("DELETE FROM callback_hosts WHERE host = $1", host);
  else await parkHost(tx, host, row.dueAt);
}

/** Removes up to `limit` callbacks that were over before `before`. Returns how many. */
export function deleteOldCallbacks(tx: Transaction, before: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM callbacks WHERE callback_id IN
       (SELECT callback_id FROM callbacks WHERE next_attempt_at IS NULL AND updated_at < $1 ORDER BY updated_at LIMIT $2)`,
    before,
    limit,
  );
}

/** Makes every attempt under way due at `now`: for a process that knows whoever made them to be dead. */
export async function expireCallbackLeases(tx: Transaction, now: number): Promise<void> {
  const hosts = await tx.all<{ host: string }>("SELECT DISTINCT host FROM callbacks WHERE lease_token IS NOT NULL");
  await tx.run("UPDATE callbacks SET next_attempt_at = $1, lease_token = NULL WHERE lease_token IS NOT NULL", now);
  for (const { host } of hosts) await refreshHost(tx, host);
}
