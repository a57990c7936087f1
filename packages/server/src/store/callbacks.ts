// The callbacks that tenants asked for: their content and the state of their delivery. callback-lines.ts decides when
// each may be posted, and in which order.

import type { EventType } from "@msgctl/contract";
import { putInLine } from "./callback-lines.ts";
import { isGone } from "./gone-urls.ts";
import type { CallbackEnd } from "./occurrences.ts";
import type { Transaction } from "./store.ts";

export type CallbackStatus = "PENDING" | "DELIVERED" | "FAILED";

export interface CallbackRow {
  /** The `webhook-id` that every attempt carries. */
  readonly id: string;
  readonly type: EventType;
  readonly url: string;
  readonly status: CallbackStatus;
  /** Attempts with an outcome since it was queued, or sent again; one that this server aborted has none. */
  readonly attempts: number;
  /** From when it may be posted, in epoch milliseconds; null once it is over. */
  readonly nextAttemptAt: number | null;
  /** The outcome of the last attempt, in a few words: `200`, `timeout`; null before its end. */
  readonly lastOutcome: string | null;
  /** The JSON text that is posted. */
  readonly body: string;
}

/** The next callback of a call. */
export interface NextCallback {
  readonly callbackId: number;
  readonly webhookId: string;
  readonly url: string;
  readonly body: string;
  readonly attempts: number;
  /** When its patience began, moved later by the delays that its receiver asked for. */
  readonly patienceFrom: number;
}

/** Most callbacks of one call that return to the queue at once. */
const MOST_RETRIES = 32;

/**
 * Enqueues a POST of `{ type, timestamp, data }` to `url`, in the transaction of the change of call `requestId` that it
 * reports. `url` is the one that the call's request named, and one that `rules/callback-url.ts` finds no fault with. It
 * fails at once if the receiver has since said that it wants nothing more. `now` is the change's time.
 */
export async function enqueueCallback(
  tx: Transaction,
  callback: { tenantId: number; requestId: number; url: string; type: EventType; data: object; now: number },
): Promise<void> {
  const { tenantId, requestId, url, type, data, now } = callback;
  const receiver = receiverOf(url);
  const isUnwanted = await isGone(tx, { tenantId, url, requestId });
  await tx.run(
    `INSERT INTO callbacks (webhook_id, tenant_id, url, receiver, type, body, status, last_outcome, attempts, next_attempt_at,
       updated_at, request_id, waits_until, patience_from)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11, 0, $10)`,
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
  );
  if (isUnwanted) noteEnd(tx, "FAILED");
  else await putInLine(tx, { requestId, tenantId, receiver, url, dueAt: now });
}

/** A callback that is over, and the call and line that it belongs to. */
export interface EndedCallback {
  readonly callbackId: number;
  readonly requestId: number;
  readonly tenantId: number;
  readonly receiver: string;
  readonly url: string;
}

/**
 * Queues a callback that is over as if it were new, with its webhook-id and its place among those of its call. The
 * tenant's lines must be held. Returns false, with nothing changed, if it is pending or was removed.
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
  if (reopened > 0) await putInLine(tx, { ...call, dueAt: now });
  return reopened > 0;
}

/** The receiver of `url`: its host name, whatever the port. */
function receiverOf(url: string): string {
  // a trailing dot does not change the name
  return new URL(url).hostname.replace(/(?<=.)\.$/, "");
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

/** The first of the call's callbacks due by `now`, in the order of the events. The tenant's lines must be held. */
export async function findNextCallback(
  tx: Transaction,
  requestId: number,
  now: number,
): Promise<NextCallback | undefined> {
  // retries that are due regain their old place
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
export interface CallbackOutcome {
  readonly status: CallbackStatus;
  readonly attempts: number;
  /** When to retry a PENDING one, else null. */
  readonly nextAttemptAt: number | null;
  readonly patienceFrom: number;
  /** In a few words, for inspection: `200`, `timeout`. */
  readonly lastOutcome: string;
}

/** Records the outcome of an attempt. Its call's lease must be held. */
export async function recordCallbackAttempt(
  tx: Transaction,
  attempt: CallbackOutcome & { callbackId: number; now: number },
): Promise<void> {
  await tx.run(
    `UPDATE callbacks SET status = $2, attempts = $3, next_attempt_at = $4, waits_until = $5, patience_from = $6,
            last_outcome = $7, updated_at = $8
      WHERE callback_id = $1`,
    attempt.callbackId,
    attempt.status,
    attempt.attempts,
    attempt.nextAttemptAt,
    attempt.nextAttemptAt ?? 0,
    attempt.patienceFrom,
    attempt.lastOutcome,
    attempt.now,
  );
  if (attempt.status !== "PENDING") noteEnd(tx, attempt.status);
}

/** Notes why an attempt was lost: the callback stays queued as if it had not been made. */
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

/** Gives up a callback whose patience is over. */
export async function giveUpCallback(tx: Transaction, callbackId: number, now: number): Promise<void> {
  await tx.run(
    `UPDATE callbacks SET status = 'FAILED', next_attempt_at = NULL, waits_until = 0, updated_at = $2
      WHERE callback_id = $1`,
    callbackId,
    now,
  );
  noteEnd(tx, "FAILED");
}

/** Gives up at most `limit` of a call's callbacks, the first ones first. Returns how many. */
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

function noteEnd(tx: Transaction, status: CallbackEnd, count = 1): void {
  tx.note({ kind: "callbacks", status, count });
}
