// A tenant's messages that wait to be handed over, and its calls that are not dialled yet.

import { toQueueText } from "./queue/columns.ts";
import type { Query, SqlValue, Transaction } from "./store.ts";

/** The calls that no carrier was asked to place. */
export const undialledStates: readonly string[] = ["SCHEDULED", "QUEUED", "SYNTHESIZING"];

const undialled = undialledStates.map((state) => `'${state}'`).join(", ");
const inDispatches = "SELECT message_id FROM dispatches WHERE state IN ('waiting', 'ready') AND tenant_id = $1";
const queuedStatement = toQueueText(
  ({ accepted }) => `
  SELECT message_id AS "messageId" FROM
    (SELECT message_id FROM (${accepted}) AS accepted WHERE tenant_id = $1 UNION ALL ${inDispatches}) AS queued LIMIT $2`,
);

/** The ids of the messages, those of calls that wait to be dialled too. Reads all that waits, and what carriers have taken. */
export function queuedMessagesQuery(tenantId: number): Query<{ readonly messageId: string }> {
  return { sql: queuedStatement, values: [tenantId], isWalk: true };
}

/** A call that is not dialled yet. */
export interface UndialledCall {
  readonly requestId: number;
  readonly createdAt: number;
  /** Of a single call, which has a message from the beginning. */
  readonly messageId: string | null;
}

/** The calls of accepted batches that are not dialled yet. */
export function undialledCallsQuery(tenantId: number): Query<UndialledCall> {
  const values: SqlValue[] = [tenantId];
  const sql = `SELECT c.request_id AS "requestId", b.created_at AS "createdAt", c.message_id AS "messageId"
      FROM tts_batches b JOIN tts_calls c ON c.batch_id = b.batch_id
     WHERE b.tenant_id = $1 AND b.is_accepted = 1 AND b.pending + b.scheduled > 0 AND c.status IN (${undialled}) LIMIT $2`;
  return { sql, values, isWalk: true };
}

/** A tenant's waiting messages, and how many it sent lately. */
export interface TenantTraffic {
  readonly tenantId: number;
  /** Messages and calls that wait to be handed over. */
  readonly queued: number;
  /** When the first of them was accepted, in epoch milliseconds; null without any. */
  readonly queuedSince: number | null;
  readonly acceptedInMinute: number;
  readonly acceptedInHour: number;
}

/** The most messages accepted lately that are looked at. */
export const MOST_ACCEPTED = 1_000_000;

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

const trafficStatement = toQueueText(
  ({ accepted }) => `
    SELECT tenant_id AS "tenantId", SUM(queued) AS queued, MIN(since) AS "queuedSince",
           SUM(minute) AS "acceptedInMinute", SUM(hour) AS "acceptedInHour" FROM
      (SELECT tenant_id, 1 AS queued, at AS since, 0 AS minute, 0 AS hour FROM
        (SELECT tenant_id, accepted_at AS at FROM (${accepted}) AS accepted
         UNION ALL SELECT tenant_id, accepted_at FROM dispatches WHERE state IN ('waiting', 'ready')
         UNION ALL SELECT b.tenant_id, b.created_at FROM tts_batches b JOIN tts_calls c ON c.batch_id = b.batch_id
                    WHERE b.is_accepted = 1 AND b.pending + b.scheduled > 0 AND c.status IN (${undialled})) AS waiting
       UNION ALL
       SELECT tenant_id, 0, NULL, CASE WHEN created_at > $2 THEN 1 ELSE 0 END, 1 FROM
        (SELECT tenant_id, created_at FROM messages
          WHERE message_id >= $1 AND created_at > $3 AND channel <> 'VOICE' ORDER BY message_id DESC LIMIT $4) AS lately
       UNION ALL
       SELECT tenant_id, 0, NULL, CASE WHEN created_at > $2 THEN admitted_calls ELSE 0 END, admitted_calls
         FROM tts_batches WHERE is_accepted = 1 AND created_at > $3) AS entries
     GROUP BY tenant_id`,
);

/** The traffic of tenants that have any; `firstId` is the lowest id of an hour ago. Reads all that waits, and what was accepted within the hour. */
export function countTraffic(
  tx: Transaction,
  { firstId, now }: { firstId: string; now: number },
): Promise<TenantTraffic[]> {
  return tx.all<TenantTraffic>(trafficStatement, firstId, now - MINUTE_MS, now - HOUR_MS, MOST_ACCEPTED);
}
