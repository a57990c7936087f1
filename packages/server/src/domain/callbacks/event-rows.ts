// Stores the URLs to which tenants' events of messages are posted, and the events that are not callbacks yet. A change of a
// message writes only a row here: it must not wait for the lock of the tenant's lanes, which callbacks need.

import type { Schemas } from "@msgctl/contract";
import type { MessageProgress } from "../../store/queue/message-rows.ts";
import { batchStatement } from "../../store/statement.ts";
import { findValue, type Transaction } from "../../store/store.ts";
import type { MessageEventType } from "./rules.ts";

/** Where a tenant's events of messages are posted. */
export interface EventSubscription {
  readonly tenantId: number;
  readonly url: string;
  readonly tellsUpdates: 0 | 1;
  readonly tellsTexts: 0 | 1;
  /** Epoch milliseconds. */
  readonly setAt: number;
  /** When its receiver answered 410, since when it gets no events; else null. */
  readonly stoppedAt: number | null;
}

/** Lists the types of events of which the tenant is told. */
export function listTypes({ tellsUpdates, tellsTexts }: EventSubscription): MessageEventType[] {
  return [
    ...(tellsUpdates === 1 ? (["message.updated"] as const) : []),
    ...(tellsTexts === 1 ? (["message.received"] as const) : []),
  ];
}

const columns = `tenant_id AS "tenantId", url, tells_updates AS "tellsUpdates", tells_texts AS "tellsTexts",
  set_at AS "setAt", stopped_at AS "stoppedAt"`;

export function findSubscription(tx: Transaction, tenantId: number): Promise<EventSubscription | undefined> {
  return tx.get<EventSubscription>(`SELECT ${columns} FROM event_subscriptions WHERE tenant_id = $1`, tenantId);
}

/** Lists up to `limit` subscriptions, in the order of their tenants. */
export function listSubscriptions(tx: Transaction, limit: number): Promise<EventSubscription[]> {
  return tx.all<EventSubscription>(`SELECT ${columns} FROM event_subscriptions ORDER BY tenant_id LIMIT $1`, limit);
}

/** Sets the tenant's URL, or replaces it. An earlier 410 of the URL's receiver no longer counts. */
export async function saveSubscription(
  tx: Transaction,
  { tenantId, url, tellsUpdates, tellsTexts, setAt }: Omit<EventSubscription, "stoppedAt">,
): Promise<void> {
  await tx.run(
    `INSERT INTO event_subscriptions (tenant_id, url, tells_updates, tells_texts, set_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant_id) DO UPDATE
        SET url = excluded.url, tells_updates = excluded.tells_updates, tells_texts = excluded.tells_texts,
            set_at = excluded.set_at, stopped_at = NULL`,
    ...[tenantId, url, tellsUpdates, tellsTexts, setAt],
  );
  await tx.run("DELETE FROM callback_gone_urls WHERE tenant_id = $1 AND url = $2", tenantId, url);
}

/** Sets the tenant's URL, which has no fault, and the types of events that are posted to it. */
export async function setSubscription(
  tx: Transaction,
  { types, url, ...of }: { tenantId: number; url: string; types: readonly MessageEventType[]; setAt: number },
): Promise<EventSubscription> {
  const subscription: EventSubscription = {
    ...of,
    url: new URL(url).href,
    tellsUpdates: types.includes("message.updated") ? 1 : 0,
    tellsTexts: types.includes("message.received") ? 1 : 0,
    stoppedAt: null,
  };
  await saveSubscription(tx, subscription);
  return subscription;
}

/** Removes the tenant's URL. Returns false if it has none. */
export async function removeSubscription(tx: Transaction, tenantId: number): Promise<boolean> {
  return (await tx.run("DELETE FROM event_subscriptions WHERE tenant_id = $1", tenantId)) > 0;
}

/** Stops the tenant's events to a URL whose receiver answered 410. */
export async function stopSubscription(
  tx: Transaction,
  { tenantId, url }: { tenantId: number; url: string },
  now: number,
): Promise<void> {
  const sql = "UPDATE event_subscriptions SET stopped_at = $3 WHERE tenant_id = $1 AND url = $2 AND stopped_at IS NULL";
  await tx.run(sql, tenantId, url, now);
}

export const insertMessageUpdateStatement = batchStatement({
  params: { tenantId: "bigint", messageId: "text", data: "text", now: "bigint" },
  one: `
    INSERT INTO message_events (tenant_id, type, message_id, data, occurred_at)
    VALUES ($1, 'message.updated', $2, $3, $4)`,
  batch: {
    kind: "writes",
    order: "message_events",
    sql: (wanted) => `
      INSERT INTO message_events (tenant_id, type, message_id, data, occurred_at)
      SELECT tenant_id, 'message.updated', message_id, data, now FROM ${wanted}`,
  },
});

/** Records a change of a message, if the tenant is told of it. Call it in the transaction of the change. */
export async function noteMessageUpdate(
  tx: Transaction,
  { tenantId, messageId, isTold }: Pick<MessageProgress, "tenantId" | "messageId" | "isTold">,
  { status, deliveryReason, now }: { status: Schemas["MessageStatus"]; deliveryReason: string | null; now: number },
): Promise<void> {
  if (isTold === 0) return;
  const data = JSON.stringify({ status, deliveryReason });
  await tx.run(insertMessageUpdateStatement({ tenantId, messageId, data, now }));
  tx.note({ kind: "message-event" });
}

/** A text from a phone, of which a tenant is told. */
export interface ReceivedText {
  readonly tenantId: number;
  /** The message that it answers; null if there is none. */
  readonly messageId: string | null;
  readonly merchantId: string | null;
  readonly from: string;
  /** The number to which it was sent; null if the carrier does not say. */
  readonly to: string | null;
  readonly text: string;
  readonly action: Schemas["ReplyOutcome"];
}

/** Records a text from a phone, if the tenant is told of texts. Call it in the transaction that acts on the text. */
export async function noteReceivedText(
  tx: Transaction,
  { tenantId, messageId, merchantId, ...text }: ReceivedText,
  now: number,
): Promise<void> {
  const noted = await tx.run(
    `INSERT INTO message_events (tenant_id, type, message_id, merchant_id, contact, data, occurred_at)
     SELECT e.tenant_id, 'message.received', CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT),
            CAST($6 AS BIGINT)
       FROM event_subscriptions e WHERE e.tenant_id = $1 AND e.tells_texts = 1 AND e.stopped_at IS NULL`,
    ...[tenantId, messageId, merchantId, text.from, JSON.stringify(text), now],
  );
  if (noted > 0) tx.note({ kind: "message-event" });
}

/** An event that is not a callback yet, with the fields of its message. They are null if it has none. */
export interface MessageEventRow {
  readonly eventId: number;
  readonly type: MessageEventType;
  readonly messageId: string | null;
  readonly merchantId: string | null;
  readonly contact: string | null;
  readonly data: string;
  readonly occurredAt: number;
  readonly channel: Schemas["Channel"] | null;
  readonly messageType: Schemas["MessageType"] | null;
  readonly recipient: string | null;
  readonly createdAt: number | null;
}

/** Lists the tenant's first events. */
export function listMessageEvents(tx: Transaction, tenantId: number, limit: number): Promise<MessageEventRow[]> {
  return tx.all<MessageEventRow>(
    `SELECT e.event_id AS "eventId", e.type, e.message_id AS "messageId",
            COALESCE(e.merchant_id, m.merchant_id) AS "merchantId", e.contact, e.data, e.occurred_at AS "occurredAt",
            m.channel, m.type AS "messageType", m.recipient, m.created_at AS "createdAt"
       FROM (SELECT * FROM message_events WHERE tenant_id = $1 ORDER BY event_id LIMIT $2) AS e
       LEFT JOIN messages m ON m.message_id = e.message_id
      ORDER BY e.event_id`,
    tenantId,
    limit,
  );
}

export async function removeMessageEvent(tx: Transaction, eventId: number): Promise<void> {
  await tx.run("DELETE FROM message_events WHERE event_id = $1", eventId);
}

/** Finds the first tenant after `after` that has events; undefined if there is none. */
export function findTenantWithEvents(tx: Transaction, after: number): Promise<number | undefined> {
  return findValue<number>(
    tx,
    "SELECT tenant_id AS id FROM message_events WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1",
    after,
  );
}

/** Finds the queue key that the message's pending callbacks share; undefined if none is pending. */
export function findQueueKey(tx: Transaction, messageId: string): Promise<number | undefined> {
  return findValue<number>(
    tx,
    `SELECT request_id AS "requestId" FROM callbacks WHERE message_id = $1 AND status = 'PENDING' LIMIT 1`,
    messageId,
  );
}

/** Removes a phone's texts that are not callbacks yet: those to one merchant, or if it is null, all. */
export async function eraseMessageEvents(
  tx: Transaction,
  { tenantId, merchantId, contact }: { tenantId: number; merchantId: string | null; contact: string },
): Promise<void> {
  await tx.run(
    "DELETE FROM message_events WHERE tenant_id = $1 AND contact = $2 AND (CAST($3 AS TEXT) IS NULL OR merchant_id = $3)",
    tenantId,
    contact,
    merchantId,
  );
}
