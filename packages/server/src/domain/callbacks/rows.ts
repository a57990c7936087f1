// Stores callbacks: their content and delivery status, the secrets that sign them, and which receivers rest or are gone.
// queue-rows.ts decides when each callback may be posted, and in which order; list-rows.ts lists callbacks for users.

import type { EventType } from "@msgctl/contract";
import { type CallbackEnd, findCount, listValues, type Transaction } from "../../store/store.ts";
import { ERASED } from "../contacts.ts";
import { type CallKey, enqueueCall, type LaneKey } from "./queue-rows.ts";

/** A callback URL of a tenant. */
export interface TenantUrl {
  readonly tenantId: number;
  readonly url: string;
}

/**
 * Marks a URL as gone for all calls that exist now, after its receiver answered 410. If a later request names the URL, its
 * callbacks are posted.
 */
export async function markGone(tx: Transaction, { tenantId, url }: TenantUrl, now: number): Promise<void> {
  const newest = await findCount(
    tx,
    `SELECT MAX(request_id) AS "requestId"
       FROM (SELECT MAX(request_id) AS request_id FROM tts_calls
             UNION ALL SELECT MAX(request_id) FROM callback_calls UNION ALL SELECT 0) AS newest`,
  );
  await tx.run(
    `INSERT INTO callback_gone_urls (tenant_id, url, through_request_id, gone_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, url) DO UPDATE
        SET through_request_id = excluded.through_request_id, gone_at = excluded.gone_at`,
    tenantId,
    url,
    newest,
    now,
  );
}

/** Returns whether the URL has been marked as gone since the call was requested. */
export async function isGone(
  tx: Transaction,
  { tenantId, url, requestId }: TenantUrl & { requestId: number },
): Promise<boolean> {
  const sql = "SELECT 1 AS gone FROM callback_gone_urls WHERE tenant_id = $1 AND url = $2 AND through_request_id >= $3";
  return (await tx.get(sql, tenantId, url, requestId)) !== undefined;
}

/**
 * Lists up to `limit` queued calls for which the URL is gone and that are not in flight. The caller must have locked
 * the tenant's lanes.
 */
export function listGoneCalls(tx: Transaction, { tenantId, url }: TenantUrl, limit: number): Promise<CallKey[]> {
  return tx.all<CallKey>(
    `SELECT c.request_id AS "requestId", c.tenant_id AS "tenantId", c.receiver
       FROM callback_gone_urls g
       JOIN callback_calls c ON c.tenant_id = g.tenant_id AND c.url = g.url AND c.request_id <= g.through_request_id
      WHERE g.tenant_id = $1 AND g.url = $2 AND c.lease_token IS NULL
      ORDER BY c.request_id LIMIT $3`,
    tenantId,
    url,
    limit,
  );
}

export type CallbackStatus = "PENDING" | "DELIVERED" | "FAILED";

export interface CallbackRow {
  /** The `webhook-id` that every attempt carries. */
  readonly id: string;
  readonly type: EventType;
  readonly url: string;
  readonly status: CallbackStatus;
  /** Number of attempts with an outcome since it was queued or resent. Attempts that this server aborted do not count. */
  readonly attempts: number;
  /** Time of the next attempt, in epoch milliseconds; null once delivered or failed. */
  readonly nextAttemptAt: number | null;
  /** The outcome of the last attempt in short, such as `200` or `timeout`; null before the first. */
  readonly lastOutcome: string | null;
  /** The JSON text to post. */
  readonly body: string;
}

/** The message of an event, and its merchant. */
export interface AboutMessage {
  readonly messageId: string | null;
  readonly merchantId: string | null;
  /** The recipient, or the phone that sent a text, as in consents. */
  readonly contact: string | null;
}

/** The next callback of a call. */
export interface NextCallback {
  readonly callbackId: number;
  readonly webhookId: string;
  readonly url: string;
  readonly body: string;
  readonly attempts: number;
  /** Start of `PATIENCE_MS`; the receiver's Retry-After delays move it later. */
  readonly patienceFrom: number;
}

/** Maximum number of one call's due retries that regain their position at a time. */
const MOST_RETRIES = 32;

/**
 * Enqueues a POST of `{ type, timestamp, data }` to `url`. Call it in the transaction of the change of call `requestId`
 * that the callback reports; `now` is the time of the change. `url` comes from the call's request, and was checked
 * there (rules.ts). If the URL has been marked as gone since, the callback fails at once. For an event of a message,
 * `requestId` is its queue key, and `now` the time of the event.
 */
export async function enqueueCallback(
  tx: Transaction,
  callback: { tenantId: number; requestId: number; url: string; type: EventType; data: object; now: number },
  about: AboutMessage = aboutCall,
): Promise<void> {
  const { tenantId, requestId, url, type, data, now } = callback;
  const receiver = receiverOf(url);
  const isUnwanted = await isGone(tx, { tenantId, url, requestId });
  await tx.run(
    `INSERT INTO callbacks (webhook_id, tenant_id, url, receiver, type, body, status, last_outcome, attempts, next_attempt_at,
       updated_at, request_id, waits_until, patience_from, message_id, merchant_id, contact)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11, 0, $10, $12, $13, $14)`,
    `evt_${tx.randomness.bytes(16).toString("hex")}`,
    tenantId,
    url,
    receiver,
    type,
    JSON.stringify({ type, timestamp: new Date(now).toISOString(), data }),
    isUnwanted ? "FAILED" : "PENDING",
    isUnwanted ? "410" : null,
    isUnwanted ? null : now,
    now,
    requestId,
    about.messageId,
    about.merchantId,
    about.contact,
  );
  if (isUnwanted) noteEnd(tx, "FAILED");
  else await enqueueCall(tx, { requestId, tenantId, receiver, url, dueAt: now });
}

const aboutCall: AboutMessage = { messageId: null, merchantId: null, contact: null };

/** Identifies a finished callback, its call and its lane. */
interface EndedCallback {
  readonly callbackId: number;
  readonly requestId: number;
  readonly tenantId: number;
  readonly receiver: string;
  readonly url: string;
}

/**
 * Queues a finished callback as if it were new, but keeps its webhook-id and its position in its call. The caller must
 * have locked the tenant's lanes. If the callback is pending or was removed, changes nothing and returns false.
 */
export async function reopenCallback(
  tx: Transaction,
  { callbackId, ...call }: EndedCallback,
  now: number,
): Promise<boolean> {
  const reopened = await tx.run(
    `UPDATE callbacks SET status = 'PENDING', attempts = 0, last_outcome = NULL, next_attempt_at = $2, waits_until = 0,
            patience_from = $2, updated_at = $2
      WHERE callback_id = $1 AND status <> 'PENDING'`,
    callbackId,
    now,
  );
  if (reopened > 0) await enqueueCall(tx, { ...call, dueAt: now });
  return reopened > 0;
}

/** The receiver of `url`: its host name, whatever the port. */
function receiverOf(url: string): string {
  // a trailing dot does not change the name
  return new URL(url).hostname.replace(/(?<=.)\.$/, "");
}

/** Lists the newest `limit` callbacks of all tenants, newest first. */
export function listCallbacks(tx: Transaction, { limit }: { limit: number }): Promise<CallbackRow[]> {
  return tx.all<CallbackRow>(
    `SELECT webhook_id AS id, type, url, status, attempts, next_attempt_at AS "nextAttemptAt",
            last_outcome AS "lastOutcome", body
       FROM callbacks ORDER BY callback_id DESC LIMIT $1`,
    limit,
  );
}

/**
 * Finds the first of the call's callbacks due by `now`, in the order of the events. The caller must have locked the
 * tenant's lanes.
 */
export async function findNextCallback(
  tx: Transaction,
  requestId: number,
  now: number,
): Promise<NextCallback | undefined> {
  // due retries regain their original position among the call's callbacks
  await tx.run(
    `UPDATE callbacks SET waits_until = 0 WHERE callback_id IN
       (SELECT callback_id FROM callbacks
         WHERE request_id = $1 AND status = 'PENDING' AND waits_until > 0 AND waits_until <= $2
         ORDER BY waits_until, callback_id LIMIT $3)`,
    requestId,
    now,
    MOST_RETRIES,
  );
  return tx.get<NextCallback>(
    `SELECT callback_id AS "callbackId", webhook_id AS "webhookId", url, body, attempts, patience_from AS "patienceFrom"
       FROM callbacks WHERE request_id = $1 AND status = 'PENDING' AND waits_until = 0
      ORDER BY callback_id LIMIT 1`,
    requestId,
  );
}

/** The outcome of an attempt. */
interface CallbackOutcome {
  readonly status: CallbackStatus;
  readonly attempts: number;
  /** Time of the retry if `status` is PENDING, else null. */
  readonly nextAttemptAt: number | null;
  readonly patienceFrom: number;
  /** The outcome in short, for inspection, such as `200` or `timeout`. */
  readonly lastOutcome: string;
}

/** Records the outcome of an attempt, unless the callback was erased. The caller must hold the call's lease. */
export async function recordCallbackAttempt(
  tx: Transaction,
  attempt: CallbackOutcome & { callbackId: number; now: number },
): Promise<void> {
  const recorded = await tx.run(
    `UPDATE callbacks SET status = $2, attempts = $3, next_attempt_at = $4, waits_until = $5, patience_from = $6,
            last_outcome = $7, updated_at = $8
      WHERE callback_id = $1 AND status = 'PENDING'`,
    attempt.callbackId,
    attempt.status,
    attempt.attempts,
    attempt.nextAttemptAt,
    attempt.nextAttemptAt ?? 0,
    attempt.patienceFrom,
    attempt.lastOutcome,
    attempt.now,
  );
  if (recorded > 0 && attempt.status !== "PENDING") noteEnd(tx, attempt.status);
}

/** Records why an attempt was lost. It does not count as an attempt: the callback stays queued unchanged. */
export async function noteLostAttempt(
  tx: Transaction,
  { callbackId, lastOutcome, now }: { callbackId: number; lastOutcome: string; now: number },
): Promise<void> {
  await tx.run(
    "UPDATE callbacks SET last_outcome = $2, updated_at = $3 WHERE callback_id = $1",
    callbackId,
    lastOutcome,
    now,
  );
}

/** Fails a callback after `PATIENCE_MS`. */
export async function giveUpCallback(tx: Transaction, callbackId: number, now: number): Promise<void> {
  await tx.run(
    `UPDATE callbacks SET status = 'FAILED', next_attempt_at = NULL, waits_until = 0, updated_at = $2
      WHERE callback_id = $1`,
    callbackId,
    now,
  );
  noteEnd(tx, "FAILED");
}

/** Fails up to `limit` of a call's pending callbacks, the oldest first. Returns how many. */
export async function giveUpCallbacks(
  tx: Transaction,
  { requestId, limit, lastOutcome, now }: { requestId: number; limit: number; lastOutcome: string; now: number },
): Promise<number> {
  const given = await tx.run(
    `UPDATE callbacks SET status = 'FAILED', next_attempt_at = NULL, waits_until = 0, last_outcome = $3, updated_at = $4
      WHERE callback_id IN (SELECT callback_id FROM callbacks WHERE request_id = $1 AND status = 'PENDING'
                             ORDER BY waits_until, callback_id LIMIT $2)`,
    requestId,
    limit,
    lastOutcome,
    now,
  );
  noteEnd(tx, "FAILED", given);
  return given;
}

/** Selects the events of messages about a contact: those of one merchant, or if it is null, all. */
const ofContact = "tenant_id = $1 AND contact = $2 AND (CAST($3 AS TEXT) IS NULL OR merchant_id = $3)";

/**
 * Erases a contact from the tenant's events of messages, and fails those that are pending. Returns the queued calls that they
 * belong to, for `refreshCall`. The caller must have locked the tenant's lanes.
 */
export async function eraseCallbacks(
  tx: Transaction,
  { tenantId, merchantId, contact }: { tenantId: number; merchantId: string | null; contact: string },
  now: number,
): Promise<CallKey[]> {
  const calls = await tx.all<CallKey>(
    `SELECT DISTINCT c.request_id AS "requestId", c.tenant_id AS "tenantId", c.receiver FROM callbacks k
       JOIN callback_calls c ON c.request_id = k.request_id
      WHERE k.callback_id IN (SELECT callback_id FROM callbacks WHERE ${ofContact} AND status = 'PENDING')
        AND c.lease_token IS NULL`,
    tenantId,
    contact,
    merchantId,
  );
  const failed = await tx.run(
    `UPDATE callbacks SET status = 'FAILED', next_attempt_at = NULL, waits_until = 0, last_outcome = 'erased', updated_at = $4
      WHERE ${ofContact} AND status = 'PENDING'`,
    tenantId,
    contact,
    merchantId,
    now,
  );
  noteEnd(tx, "FAILED", failed);
  await tx.run(
    `UPDATE callbacks SET body = '{}', contact = '${ERASED}' WHERE ${ofContact}`,
    tenantId,
    contact,
    merchantId,
  );
  return calls;
}

function noteEnd(tx: Transaction, status: CallbackEnd, count = 1): void {
  tx.note({ kind: "callbacks", status, count });
}

/** Lists the sealed secrets that sign a tenant's callbacks at `now`, newest first; two during a rotation's overlap. */
export function listCallbackSecrets(tx: Transaction, tenantId: number, now: number): Promise<string[]> {
  return listValues<string>(
    tx,
    `SELECT sealed_secret AS "sealedSecret" FROM callback_secrets
      WHERE tenant_id = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY secret_id DESC`,
    tenantId,
    now,
  );
}

/** Adds a secret as the tenant's newest. */
export async function insertCallbackSecret(
  tx: Transaction,
  { tenantId, sealedSecret, now }: { tenantId: number; sealedSecret: string; now: number },
): Promise<void> {
  await tx.run(
    "INSERT INTO callback_secrets (tenant_id, sealed_secret, created_at) VALUES ($1, $2, $3)",
    tenantId,
    sealedSecret,
    now,
  );
}

/** Prepares for a new secret: the tenant's newest one expires at `expiresAt`, and any older one is removed. */
export async function retireCallbackSecrets(tx: Transaction, tenantId: number, expiresAt: number): Promise<void> {
  await tx.run("DELETE FROM callback_secrets WHERE tenant_id = $1 AND expires_at IS NOT NULL", tenantId);
  await tx.run("UPDATE callback_secrets SET expires_at = $2 WHERE tenant_id = $1", tenantId, expiresAt);
}

/** A receiver that did not answer, and gets no callbacks for a while: see `restMs` in rules.ts. */
interface RestingReceiver {
  readonly receiver: string;
  /** Number of rests since its last answer. */
  readonly rests: number;
  /** Time of the next attempt, in epoch milliseconds. */
  readonly dueAt: number;
}

/** Reads the tenant's first `examined` lanes, in the order of receivers, and lists up to `limit` that rest. */
export function listRestingReceivers(
  tx: Transaction,
  { tenantId, examined, limit }: { tenantId: number; examined: number; limit: number },
): Promise<RestingReceiver[]> {
  return tx.all<RestingReceiver>(
    `SELECT receiver, rests, due_at AS "dueAt" FROM
      (SELECT receiver, rests, due_at FROM callback_lanes WHERE tenant_id = $1 ORDER BY receiver LIMIT $2) AS examined
      WHERE rests > 0 ORDER BY receiver LIMIT $3`,
    tenantId,
    examined,
    limit,
  );
}

/** Finds the tenant's receiver if it is resting. */
export function findRestingReceiver(
  tx: Transaction,
  { tenantId, receiver }: LaneKey,
): Promise<RestingReceiver | undefined> {
  return tx.get<RestingReceiver>(
    `SELECT receiver, rests, due_at AS "dueAt" FROM callback_lanes WHERE tenant_id = $1 AND receiver = $2 AND rests > 0`,
    tenantId,
    receiver,
  );
}
