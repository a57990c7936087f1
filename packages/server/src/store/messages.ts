import { queueOf } from "./engine.ts";
import type { Channel } from "./merchants.ts";
import { toQueueText } from "./queue/columns.ts";
import { queueOrders } from "./queue/floors.ts";
import { batchStatement } from "./statement.ts";
import type { Transaction } from "./store.ts";

/** A message as accepted. */
export interface NewMessage {
  readonly messageId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: string;
  /** SEND is charged and needs consent; CONFIRMATION answers a reply, free and consent or not. */
  readonly purpose: "SEND" | "CONFIRMATION";
  readonly recipient: string;
  readonly subject: string | null;
  readonly content: string;
  /** Quota units reserved for it, and how many of them the credits paid. */
  readonly units: number;
  readonly creditUnits: number;
  readonly period: string;
  readonly now: number;
  /** Its place in the queue; null holds it back until {@link releaseMessage}. @default that of its type */
  readonly queueOrder?: number | null;
}

/** The order of a message that is no call: somebody waits for a one-time password. */
function orderOf(type: string): number {
  return type === "OTP" ? queueOrders.HIGH : queueOrders.NORMAL;
}

/** Length in characters past which content is stored apart: more than an SMS or a call has. */
const LONGEST_BESIDE = 4_096;

export const insertMessageStatement = batchStatement({
  params: {
    messageId: "text",
    tenantId: "bigint",
    merchantId: "text",
    channel: "text",
    type: "text",
    purpose: "text",
    recipient: "text",
    units: "bigint",
    creditUnits: "bigint",
    period: "text",
    now: "bigint",
    subject: "text",
    content: "text",
    queueOrder: "bigint",
    longBytes: "bigint",
  },
  one: `
    INSERT INTO messages (message_id, tenant_id, merchant_id, channel, type, purpose, recipient, status, units,
      credit_units, period, charge, attempts, created_at, updated_at, subject, content, queue_order, long_bytes)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 'QUEUED', $8, $9, $10, 'RESERVED', 0, $11, $11, $12, $13, $14, $15)`,
  batch: {
    kind: "writes",
    order: "messages",
    sql: (wanted) => `
      INSERT INTO messages (message_id, tenant_id, merchant_id, channel, type, purpose, recipient, status, units,
        credit_units, period, charge, attempts, created_at, updated_at, subject, content, queue_order, long_bytes)
      SELECT message_id, tenant_id, merchant_id, channel, type, purpose, recipient, 'QUEUED', units, credit_units, period,
             'RESERVED', 0, now, now, subject, content, queue_order, long_bytes
        FROM ${wanted}`,
  },
});

export const insertLongContentStatement = batchStatement({
  params: { messageId: "text", content: "text" },
  one: "INSERT INTO long_contents (message_id, content) VALUES ($1, $2)",
  batch: {
    kind: "writes",
    order: "long_contents",
    sql: (wanted) => `INSERT INTO long_contents (message_id, content) SELECT message_id, content FROM ${wanted}`,
  },
});

/** Adds the message, QUEUED, with its units reserved. */
export async function insertMessage(tx: Transaction, message: NewMessage): Promise<void> {
  const queueOrder = message.queueOrder === undefined ? orderOf(message.type) : message.queueOrder;
  const longBytes = message.content.length > LONGEST_BESIDE ? Buffer.byteLength(message.content) : null;
  const content = longBytes === null ? message.content : "";
  await tx.run(insertMessageStatement(message, { content, queueOrder, longBytes }));
  tx.note({ kind: "message", channel: message.channel, status: "QUEUED", tenantId: message.tenantId });
  if (queueOrder !== null) {
    const { messageId, tenantId, now: acceptedAt } = message;
    await queueOf(tx).add(tx, { messageId, queueOrder, tenantId, acceptedAt });
  }
  if (longBytes === null) return;
  await tx.run(insertLongContentStatement(message));
}

/** The content of a message that is stored apart. */
export async function findLongContent(tx: Transaction, messageId: string): Promise<string> {
  const row = await tx.get<{ content: string }>("SELECT content FROM long_contents WHERE message_id = $1", messageId);
  if (row === undefined) throw new Error(`the content of ${messageId} is gone`);
  return row.content;
}

/** Queues a message that was held back. */
export async function releaseMessage(tx: Transaction, messageId: string, queueOrder: number): Promise<void> {
  const message = await tx.get<{ tenantId: number; acceptedAt: number }>(
    `UPDATE messages SET queue_order = $2 WHERE message_id = $1
     RETURNING tenant_id AS "tenantId", created_at AS "acceptedAt"`,
    messageId,
    queueOrder,
  );
  if (message !== undefined) await queueOf(tx).add(tx, { messageId, queueOrder, ...message });
}

export interface SentMessageRow {
  readonly messageId: string;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly recipient: string;
  readonly status: string;
}

const sentStatement = toQueueText(
  ({ status, join }) => `
  SELECT m.message_id AS "messageId", m.merchant_id AS "merchantId", m.channel, m.recipient, ${status} AS status
    FROM messages m ${join} WHERE m.message_id = $1 AND m.tenant_id = $2`,
);

/** The tenant's message, with what replies show of it. */
export function findSentMessage(
  tx: Transaction,
  tenantId: number,
  messageId: string,
): Promise<SentMessageRow | undefined> {
  return tx.get<SentMessageRow>(sentStatement, messageId, tenantId);
}

/** Whose a message is, and whom it is for. */
export interface AddressedMessage {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly recipient: string;
}

/** The message, of any tenant, held by nobody. */
export function findAddressed(tx: Transaction, messageId: string): Promise<AddressedMessage | undefined> {
  return tx.get<AddressedMessage>(
    `SELECT tenant_id AS "tenantId", merchant_id AS "merchantId", channel, recipient FROM messages WHERE message_id = $1`,
    messageId,
  );
}
