// A tenant's callbacks as its users look at them: listed, the newest first, and one at a time.

import type { EventType } from "@msgctl/contract";
import type { CallbackStatus } from "./callbacks.ts";
import type { Transaction } from "./store.ts";

export interface ListedCallback {
  /** By which they are in order: shown to nobody, as it counts all tenants' callbacks. */
  readonly callbackId: number;
  readonly webhookId: string;
  readonly type: EventType;
  readonly url: string;
  readonly receiver: string;
  readonly status: CallbackStatus;
  readonly attempts: number;
  /** Epoch milliseconds; null once it is over. */
  readonly nextAttemptAt: number | null;
  readonly lastOutcome: string | null;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** The call that it tells of, which may have been removed. */
  readonly requestId: number;
  /** How its body begins: with its type and the time of what it tells. */
  readonly head: string;
  /** Of the call that it tells of, and the three that follow; null where there is none. */
  readonly merchantId: string | null;
  readonly toNumber: string | null;
  readonly messageId: string | null;
  /** When the call was accepted, in epoch milliseconds. */
  readonly acceptedAt: number | null;
}

export interface FoundCallback extends ListedCallback {
  readonly body: string;
}

const HEAD = 200;

const columns = `k.callback_id AS "callbackId", k.webhook_id AS "webhookId", k.type, k.url, k.receiver, k.status, k.attempts,
  k.next_attempt_at AS "nextAttemptAt", k.last_outcome AS "lastOutcome", k.updated_at AS "updatedAt",
  k.request_id AS "requestId", substr(k.body, 1, ${HEAD}) AS head, b.merchant_id AS "merchantId",
  c.to_number AS "toNumber", c.message_id AS "messageId", b.created_at AS "acceptedAt"`;

const ofCall = `
    LEFT JOIN tts_calls c ON c.request_id = k.request_id
    LEFT JOIN tts_batches b ON b.batch_id = c.batch_id`;

/**
 * The newest come first by this, which one index has: by `callback_id` PostgreSQL would go along the primary key, past
 * other tenants' callbacks, where it believes that the tenant has most of them.
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

/** The tenant's callbacks before one, the newest first; those of one state where it is named. */
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

/** The tenant's callback with this webhook-id. */
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

/** How many of the tenant's callbacks no receiver has taken yet, at most `most`, and since when the first of them waits. */
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
