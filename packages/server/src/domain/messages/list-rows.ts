// Lists messages and calls for developers and operators, and counts the traffic of tenants.

import type { Schemas } from "@msgctl/contract";
import { toQueueText } from "../../store/queue/queue.ts";
import type { Query, Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";

export interface MessageFilter {
  readonly messageId?: string;
  readonly to?: string;
  readonly channel?: Channel;
  readonly limit: number;
}

export interface ListedMessage {
  readonly messageId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: string;
  readonly to: string;
  readonly content: string;
  readonly status: Schemas["MessageStatus"];
  readonly deliveryReason: string | null;
  readonly attempts: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A call without a message: it was never submitted to a carrier, or not yet. */
export interface UndialledCall extends Omit<ListedMessage, "messageId" | "status" | "attempts"> {
  readonly requestId: number;
  readonly finalStatus: Schemas["FinalStatus"];
}

const selectMessages = toQueueText(
  ({ status, openAttempt, join }) => `
  SELECT m.message_id AS "messageId", m.tenant_id AS "tenantId", m.merchant_id AS "merchantId", m.channel, m.type,
         m.recipient AS "to", ${status} AS status, m.delivery_reason AS "deliveryReason",
         m.attempts + CASE WHEN ${openAttempt} IS NULL THEN 0 ELSE 1 END AS attempts,
         CASE WHEN m.long_bytes IS NULL THEN m.content
              ELSE (SELECT l.content FROM long_contents l WHERE l.message_id = m.message_id) END AS content,
         COALESCE((SELECT b.created_at FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id
                    WHERE c.message_id = m.message_id), m.created_at) AS "createdAt", m.updated_at AS "updatedAt"
    FROM messages m ${join}`,
);

/** Lists messages, newest first. For development only: reads every message if few match the filter. */
export function listAllMessages(tx: Transaction, filter: MessageFilter): Promise<ListedMessage[]> {
  const { condition, values } = readFilter([
    ["m.message_id", filter.messageId],
    ["lower(m.recipient)", filter.to?.toLowerCase()],
    ["m.channel", filter.channel],
  ]);
  return tx.all<ListedMessage>(
    `${selectMessages[tx.dialect.engine]} WHERE ${condition} ORDER BY m.message_id DESC LIMIT $1`,
    filter.limit,
    ...values,
  );
}

/** Lists undialled calls, newest first, except those refused at acceptance. As slow as `listAllMessages`. */
export function listUndialledCalls(
  tx: Transaction,
  filter: { requestId: number | undefined; to: string | undefined; limit: number },
): Promise<UndialledCall[]> {
  const { condition, values } = readFilter([
    ["c.request_id", filter.requestId],
    ["c.to_number", filter.to],
  ]);
  return tx.all<UndialledCall>(
    `SELECT c.request_id AS "requestId", b.tenant_id AS "tenantId", b.merchant_id AS "merchantId", 'VOICE' AS channel,
            b.message_type AS type, c.to_number AS "to", b.message_text AS content, c.final_status AS "finalStatus",
            c.delivery_reason AS "deliveryReason", b.created_at AS "createdAt", c.updated_at AS "updatedAt"
       FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id
      WHERE c.message_id IS NULL AND (c.status <> 'REJECTED' OR c.scheduled_at IS NOT NULL) AND ${condition}
      ORDER BY c.request_id DESC LIMIT $1`,
    filter.limit,
    ...values,
  );
}

/** Builds an SQL condition that selects rows with all the given values. Its parameters start at $2. */
function readFilter(wanted: readonly (readonly [column: string, value: string | number | undefined])[]) {
  const given = wanted.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
  const conditions = given.map(({ column }, index) => `${column} = $${index + 2}`);
  return { condition: ["1 = 1", ...conditions].join(" AND "), values: given.map(({ value }) => value) };
}

/** The states of calls that were not submitted to a carrier. */
export const undialledStates: readonly string[] = ["SCHEDULED", "QUEUED", "SYNTHESIZING"];

const undialled = undialledStates.map((state) => `'${state}'`).join(", ");
const inDispatches = "SELECT message_id FROM dispatches WHERE state IN ('waiting', 'ready') AND tenant_id = $1";
const queuedStatement = toQueueText(
  ({ accepted }) => `
  SELECT message_id AS "messageId" FROM
    (SELECT message_id FROM (${accepted}) AS accepted WHERE tenant_id = $1 UNION ALL ${inDispatches}) AS queued LIMIT $2`,
);

/**
 * Lists the ids of a tenant's queued messages, including those of calls. Reads all waiting messages, and all that
 * carriers have accepted.
 */
export function queuedMessagesQuery(tenantId: number): Query<{ readonly messageId: string }> {
  return { sql: queuedStatement, values: [tenantId], isWalk: true };
}

/** A call that has not been dialled. */
interface CallToDial {
  readonly requestId: number;
  readonly createdAt: number;
  /** The message of a single call, which is created with it; null for a call of a batch. */
  readonly messageId: string | null;
}

/** Lists the calls of accepted batches that have not been dialled. */
export function undialledCallsQuery(tenantId: number): Query<CallToDial> {
  const sql = `SELECT c.request_id AS "requestId", b.created_at AS "createdAt", c.message_id AS "messageId"
      FROM tts_batches b JOIN tts_calls c ON c.batch_id = b.batch_id
     WHERE b.tenant_id = $1 AND b.is_accepted = 1 AND b.pending + b.scheduled > 0 AND c.status IN (${undialled}) LIMIT $2`;
  return { sql, values: [tenantId], isWalk: true };
}

/** How many messages of a tenant wait, and how many it sent recently. */
export interface TenantTraffic {
  readonly tenantId: number;
  /** Messages and calls that wait to be submitted to a carrier. */
  readonly queued: number;
  /** When the first queued one was accepted, in epoch milliseconds; null if none is queued. */
  readonly queuedSince: number | null;
  readonly acceptedInMinute: number;
  readonly acceptedInHour: number;
}

/** Recently accepted messages are counted up to this number. */
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

/**
 * Counts the traffic of each tenant that has any. `firstId` is the lowest message id of an hour ago. Reads all waiting
 * messages, and those accepted within the last hour.
 */
export function countTraffic(
  tx: Transaction,
  { firstId, now }: { firstId: string; now: number },
): Promise<TenantTraffic[]> {
  return tx.all<TenantTraffic>(trafficStatement, firstId, now - MINUTE_MS, now - HOUR_MS, MOST_ACCEPTED);
}
