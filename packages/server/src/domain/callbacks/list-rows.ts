// Lists and counts callbacks, for users of a tenant. rows.ts stores them.

import type { EventType } from "@msgctl/contract";
import { findCount, type Transaction } from "../../store/store.ts";
import type { LaneKey } from "./queue-rows.ts";
import type { CallbackStatus } from "./rows.ts";

/** A callback with the fields shown to a tenant's users. */
export interface ListedCallback {
  /** Sort key. Never exposed: it would reveal the total number of callbacks. */
  readonly callbackId: number;
  readonly webhookId: string;
  readonly type: EventType;
  readonly url: string;
  readonly receiver: string;
  readonly status: CallbackStatus;
  readonly attempts: number;
  /** Epoch milliseconds; null once delivered or failed. */
  readonly nextAttemptAt: number | null;
  readonly lastOutcome: string | null;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** The call that it reports on; the call itself may have been removed. Negative for an event of a message. */
  readonly requestId: number;
  /** The first characters of its body, with the type and time of the event. */
  readonly head: string;
  /** The merchant of the call or message. Null, like the three fields below, if the call was removed. */
  readonly merchantId: string | null;
  /** The number called, the recipient of a message, or the phone that sent a text. */
  readonly contact: string | null;
  readonly messageId: string | null;
  /** Time of the call's acceptance, in epoch milliseconds; null for an event of a message. */
  readonly acceptedAt: number | null;
}

export interface FoundCallback extends ListedCallback {
  readonly body: string;
}

const HEAD = 200;

const columns = `k.callback_id AS "callbackId", k.webhook_id AS "webhookId", k.type, k.url, k.receiver, k.status, k.attempts,
  k.next_attempt_at AS "nextAttemptAt", k.last_outcome AS "lastOutcome", k.updated_at AS "updatedAt",
  k.request_id AS "requestId", substr(k.body, 1, ${HEAD}) AS head, COALESCE(b.merchant_id, k.merchant_id) AS "merchantId",
  COALESCE(c.to_number, k.contact) AS contact, COALESCE(c.message_id, k.message_id) AS "messageId",
  b.created_at AS "acceptedAt"`;

const ofCall = `
    LEFT JOIN tts_calls c ON c.request_id = k.request_id
    LEFT JOIN tts_batches b ON b.batch_id = c.batch_id`;

/**
 * Sorts by the index of the tenant's callbacks, newest first. If the order were by `callback_id`, PostgreSQL might scan
 * the primary key instead, and read other tenants' callbacks.
 */
const order = "-callback_id";

const lastOf = (status: CallbackStatus) => `
      SELECT callback_id FROM
        (SELECT callback_id FROM callbacks WHERE tenant_id = $1 AND status = '${status}' AND ${order} > $2
          ORDER BY ${order} LIMIT $3) AS ${status.toLowerCase()}`;

const toListText = (...statuses: readonly CallbackStatus[]) => `
  SELECT ${columns}
    FROM (SELECT callback_id FROM (${statuses.map(lastOf).join(" UNION ALL ")}) AS each_state
           ORDER BY callback_id DESC LIMIT $3) AS page
    JOIN callbacks k ON k.callback_id = page.callback_id ${ofCall}
   ORDER BY page.callback_id DESC`;

const listTexts: Readonly<Record<CallbackStatus, string>> = {
  PENDING: toListText("PENDING"),
  DELIVERED: toListText("DELIVERED"),
  FAILED: toListText("FAILED"),
};
const listAllText = toListText("PENDING", "DELIVERED", "FAILED");

/** Lists the tenant's callbacks with ids below `before`, newest first; only those of `status` if it is given. */
export function listTenantCallbacks(
  tx: Transaction,
  {
    tenantId,
    status,
    before,
    limit,
  }: { tenantId: number; status: CallbackStatus | undefined; before: number; limit: number },
): Promise<ListedCallback[]> {
  const text = status === undefined ? listAllText : listTexts[status];
  return tx.all<ListedCallback>(text, tenantId, -before, limit);
}

/** The ids of the callbacks about some calls: those that are pending, and those that are finished. */
const idsAbout = (calls: string) => `
      SELECT callback_id FROM callbacks WHERE request_id ${calls} AND status = 'PENDING'
      UNION ALL SELECT callback_id FROM callbacks WHERE request_id ${calls} AND next_attempt_at IS NULL`;

/** Lists the latest callbacks about a call, newest first, with those about the end of its batch. */
export function listCallbacksAbout(tx: Transaction, requestId: number, limit: number): Promise<ListedCallback[]> {
  return tx.all<ListedCallback>(
    `SELECT ${columns} FROM (${idsAbout("= $1")}) AS about JOIN callbacks k ON k.callback_id = about.callback_id ${ofCall}
      ORDER BY about.callback_id DESC LIMIT $2`,
    requestId,
    limit,
  );
}

/** Finds the callback that reports the end of a batch: it belongs to one of the calls that ended last. */
export function findEndCallback(
  tx: Transaction,
  { batchId, completedAt }: { batchId: number; completedAt: number },
): Promise<ListedCallback | undefined> {
  const last = "IN (SELECT request_id FROM tts_calls WHERE batch_id = $1 AND completed_at = $2)";
  return tx.get<ListedCallback>(
    `SELECT ${columns} FROM (${idsAbout(last)}) AS about JOIN callbacks k ON k.callback_id = about.callback_id ${ofCall}
      WHERE k.type = 'voice.tts_batch.finalized' ORDER BY about.callback_id DESC LIMIT 1`,
    batchId,
    completedAt,
  );
}

/** Counts the callbacks about a batch's calls in one state, up to `most`. */
export function countCallbacksOfBatch(
  tx: Transaction,
  { batchId, status, most }: { batchId: number; status: CallbackStatus; most: number },
): Promise<number> {
  // the conditions of the two partial indexes by call
  const isCounted = status === "PENDING" ? "k.status = 'PENDING'" : "k.next_attempt_at IS NULL AND k.status = $3";
  const sql = `SELECT COUNT(*) AS count FROM
    (SELECT 1 FROM tts_calls c CROSS JOIN callbacks k
      WHERE c.batch_id = $1 AND k.request_id = c.request_id AND ${isCounted} LIMIT $2) AS counted`;
  return findCount(tx, sql, batchId, most, ...(status === "PENDING" ? [] : [status]));
}

/** How often a receiver's callbacks had an outcome. */
interface ReceiverAnswer {
  readonly outcome: string;
  readonly count: number;
  /** When one of these callbacks last changed, in epoch milliseconds. */
  readonly lastAt: number;
}

/** A receiver's newest callbacks, counted by state. */
export interface ReceiverCounts {
  readonly receiver: string;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  /** When one of the callbacks last changed, in epoch milliseconds. */
  readonly lastAt: number;
  /** The outcomes of their last attempts, the latest first. */
  readonly answers: readonly ReceiverAnswer[];
}

const newestOf = (status: CallbackStatus) => `
      SELECT * FROM
        (SELECT receiver, status, last_outcome, updated_at FROM callbacks WHERE tenant_id = $1 AND status = '${status}'
          ORDER BY ${order} LIMIT $2) AS ${status.toLowerCase()}`;

const countReceiversText = `
  SELECT receiver, last_outcome AS outcome,
         COUNT(CASE WHEN status = 'DELIVERED' THEN 1 END) AS delivered,
         COUNT(CASE WHEN status = 'FAILED' THEN 1 END) AS failed,
         COUNT(CASE WHEN status = 'PENDING' THEN 1 END) AS pending,
         MAX(updated_at) AS "lastAt"
    FROM (${(["PENDING", "DELIVERED", "FAILED"] as const).map(newestOf).join(" UNION ALL ")}) AS newest
   GROUP BY receiver, last_outcome ORDER BY MAX(updated_at) DESC, last_outcome`;

/** Counts the newest `most` of the tenant's callbacks in each state by receiver. Lists up to `limit` receivers, the busiest first. */
export async function countReceivers(
  tx: Transaction,
  { tenantId, most, limit }: { tenantId: number; most: number; limit: number },
): Promise<ReceiverCounts[]> {
  const receivers = new Map<string, ReceiverCounts>();
  const parts = await tx.all<Omit<ReceiverCounts, "answers"> & { outcome: string | null }>(
    countReceiversText,
    tenantId,
    most,
  );
  for (const { receiver, outcome, delivered, failed, pending, lastAt } of parts) {
    const known = receivers.get(receiver) ?? { receiver, delivered: 0, failed: 0, pending: 0, lastAt, answers: [] };
    const answer = outcome === null ? [] : [{ outcome, count: delivered + failed + pending, lastAt }];
    receivers.set(receiver, {
      receiver,
      delivered: known.delivered + delivered,
      failed: known.failed + failed,
      pending: known.pending + pending,
      lastAt: Math.max(known.lastAt, lastAt),
      answers: [...known.answers, ...answer],
    });
  }
  const all = ({ delivered, failed, pending }: ReceiverCounts) => delivered + failed + pending;
  return [...receivers.values()]
    .sort((one, other) => all(other) - all(one) || (one.receiver < other.receiver ? -1 : 1))
    .slice(0, limit);
}

/** A failed callback, and whether it may be sent again by its receiver and the time at which it failed. */
interface FailedCallback {
  readonly callbackId: number;
  readonly webhookId: string;
  readonly isMeant: 0 | 1;
}

/** Lists up to `examined` of the tenant's failed callbacks below the id `before`, newest first, and which of them to resend. */
export function listFailedCallbacks(
  tx: Transaction,
  { tenantId, receiver, since, before, examined }: LaneKey & { since: number; before: number; examined: number },
): Promise<FailedCallback[]> {
  return tx.all<FailedCallback>(
    `SELECT callback_id AS "callbackId", webhook_id AS "webhookId",
            CASE WHEN receiver = $2 AND updated_at >= $3 THEN 1 ELSE 0 END AS "isMeant"
       FROM callbacks WHERE tenant_id = $1 AND status = 'FAILED' AND ${order} > $4 ORDER BY ${order} LIMIT $5`,
    tenantId,
    receiver,
    since,
    -before,
    examined,
  );
}

/** Finds the tenant's callback with this webhook-id. */
export function findTenantCallback(
  tx: Transaction,
  tenantId: number,
  webhookId: string,
): Promise<FoundCallback | undefined> {
  return tx.get<FoundCallback>(
    `SELECT ${columns}, k.body FROM callbacks k ${ofCall} WHERE k.webhook_id = $2 AND k.tenant_id = $1`,
    tenantId,
    webhookId,
  );
}

/** Counts the tenant's pending callbacks, up to `most`. `since` is the start of the oldest one's wait. */
export async function countPendingCallbacks(
  tx: Transaction,
  tenantId: number,
  most: number,
): Promise<{ count: number; since: number | null }> {
  const row = await tx.get<{ count: number; since: number | null }>(
    `SELECT COUNT(*) AS count, MIN(since) AS since FROM
      (SELECT patience_from AS since FROM callbacks WHERE tenant_id = $1 AND status = 'PENDING'
        ORDER BY ${order} DESC LIMIT $2) AS counted`,
    tenantId,
    most,
  );
  return row ?? { count: 0, since: null };
}
