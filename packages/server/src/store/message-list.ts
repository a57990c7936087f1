// Messages of all tenants, as shown to developers who work against the server.

import type { Schemas } from "@msgctl/contract";
import type { Channel } from "./merchants.ts";
import { toQueueText } from "./queue/columns.ts";
import type { Transaction } from "./store.ts";

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

/** A call that no carrier was asked to make, or not yet, and so without a message. */
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

/** Newest first. Reads every message if few match the filter: for development only. */
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

/** Newest first, without those refused at once. As slow as `listAllMessages`. */
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

/** A condition for rows with every given value; its parameters follow $1. */
function readFilter(wanted: readonly (readonly [column: string, value: string | number | undefined])[]) {
  const given = wanted.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
  const conditions = given.map(({ column }, index) => `${column} = $${index + 2}`);
  return { condition: ["1 = 1", ...conditions].join(" AND "), values: given.map(({ value }) => value) };
}
