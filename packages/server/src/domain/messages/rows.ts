// Stores messages, the parts in which carriers accepted them, receipts, and carriers' error texts.

import type { Schemas } from "@msgctl/contract";
import { queueOf } from "../../store/queue/engine.ts";
import { queueOrders, toQueueText } from "../../store/queue/queue.ts";
import { batchStatement } from "../../store/statement.ts";
import { findValue, listValues, type Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";
import { projectOf } from "../tenancy/project-rows.ts";
import type { Charge } from "./progress-rows.ts";

/** A message to send. */
export interface AskedMessage {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: string;
  readonly recipient: string;
  readonly subject: string | null;
  readonly content: string;
  /** Quota units to reserve for it. */
  readonly units: number;
}

/** The values set when a message is accepted. */
export interface Acceptance {
  readonly messageId: string;
  readonly tenantId: number;
  /** A SEND is charged and needs consent. A CONFIRMATION answers a reply: it is free and needs no consent. */
  readonly purpose: "SEND" | "CONFIRMATION";
  /** How many of the units the credits pay for. */
  readonly creditUnits: number;
  readonly period: string;
  readonly now: number;
  /** Order in the accepted queue; null holds the message back until {@link releaseMessage}. @default the order of its type */
  readonly queueOrder?: number | null;
}

/** The queue order of a message that is not a call. One-time passwords go first, because recipients wait for them. */
function orderOf(type: string): number {
  return type === "OTP" ? queueOrders.HIGH : queueOrders.NORMAL;
}

/** Longer content, in characters, is stored in its own table. No SMS or call is so long. */
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

/** Adds a message with status QUEUED. The caller has reserved its units. */
export async function insertMessage(tx: Transaction, message: AskedMessage, acceptance: Acceptance): Promise<void> {
  const { messageId, tenantId, purpose, creditUnits, period, now, queueOrder = orderOf(message.type) } = acceptance;
  const longBytes = message.content.length > LONGEST_BESIDE ? Buffer.byteLength(message.content) : null;
  const content = longBytes === null ? message.content : "";
  const decided = { messageId, tenantId, purpose, creditUnits, period, now, queueOrder, content, longBytes };
  await tx.run(insertMessageStatement(message, decided));
  tx.note({ kind: "message", channel: message.channel, status: "QUEUED", tenantId });
  if (queueOrder !== null) await queueOf(tx).add(tx, { messageId, queueOrder, tenantId, acceptedAt: now });
  if (longBytes !== null) await tx.run(insertLongContentStatement({ messageId, content: message.content }));
}

/** Reads the content of a message that is stored in its own table. */
export async function findLongContent(tx: Transaction, messageId: string): Promise<string> {
  const content = await findValue<string>(tx, "SELECT content FROM long_contents WHERE message_id = $1", messageId);
  if (content === undefined) throw new Error(`the content of ${messageId} is gone`);
  return content;
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

/** Finds the tenant's message with the fields that replies show. */
export function findSentMessage(
  tx: Transaction,
  tenantId: number,
  messageId: string,
): Promise<SentMessageRow | undefined> {
  return tx.get<SentMessageRow>(sentStatement, messageId, tenantId);
}

/** The owner and the recipient of a message. */
export interface AddressedMessage {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly recipient: string;
}

/** Finds a message of any tenant, without locking it. */
export function findAddressed(tx: Transaction, messageId: string): Promise<AddressedMessage | undefined> {
  return tx.get<AddressedMessage>(
    `SELECT tenant_id AS "tenantId", merchant_id AS "merchantId", channel, recipient FROM messages WHERE message_id = $1`,
    messageId,
  );
}

/** All stored data of one message, for display. */
export interface MessageDetails {
  readonly messageId: string;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: string;
  readonly purpose: "SEND" | "CONFIRMATION";
  readonly status: Schemas["MessageStatus"];
  readonly reason: string | null;
  readonly to: string;
  readonly subject: string | null;
  readonly content: string;
  readonly units: number;
  readonly creditUnits: number;
  readonly attempts: number;
  readonly provider: string | null;
  readonly providerMessageId: string | null;
  readonly providerCostMicros: number | null;
  readonly markupMicros: number | null;
  /** RESERVED until the units are charged or released. */
  readonly charge: Charge;
  /** The first day of the month to which the units count, such as 2026-11-01. */
  readonly period: string;
  readonly createdAt: number;
  /** When a carrier accepted it; null before that, and for messages older than this column. */
  readonly takenAt: number | null;
  readonly updatedAt: number;
  readonly project: string | null;
  /** The carrier's last error if it deferred, refused or did not deliver the message; null if there was none. */
  readonly carrierWords: string | null;
  readonly carrierSaidAt: number | null;
}

const details = toQueueText(
  ({ status, openAttempt, join }) => `
  SELECT m.message_id AS "messageId", m.merchant_id AS "merchantId", m.channel, m.type, m.purpose, ${status} AS status,
         m.delivery_reason AS reason, m.recipient AS "to", m.subject,
         CASE WHEN m.long_bytes IS NULL THEN m.content
              ELSE (SELECT l.content FROM long_contents l WHERE l.message_id = m.message_id) END AS content,
         m.units, m.credit_units AS "creditUnits",
         m.attempts + CASE WHEN ${openAttempt} IS NULL THEN 0 ELSE 1 END AS attempts,
         COALESCE(m.provider, ${openAttempt}) AS provider, m.provider_message_id AS "providerMessageId",
         m.provider_cost_micros AS "providerCostMicros", m.markup_micros AS "markupMicros",
         m.charge, m.period, m.created_at AS "createdAt", m.taken_at AS "takenAt", m.updated_at AS "updatedAt",
         ${projectOf} AS project, w.words AS "carrierWords", w.said_at AS "carrierSaidAt"
    FROM messages m ${join} LEFT JOIN carrier_words w ON w.message_id = m.message_id WHERE m.message_id = $1 AND m.tenant_id = $2`,
);

/** Finds the tenant's message; undefined if there is none, as for a call that has not been dialled. */
export function findMessageDetails(
  tx: Transaction,
  tenantId: number,
  messageId: string,
): Promise<MessageDetails | undefined> {
  return tx.get<MessageDetails>(details, messageId, tenantId);
}

/** The state of a part of a message; null if the carrier has accepted the part and reported nothing else yet. */
type PartStatus = "DELIVERED" | "UNDELIVERED" | "EXPIRED" | null;

/** A carrier's id of a part. `provider` names the carrier's id space, which outlives changes of its settings. */
interface PartKey {
  readonly provider: string;
  readonly part: string;
}

/** Message id of a part whose message is not known yet: only a receipt has named the part. */
const NOT_KNOWN = "";

/**
 * Adds the parts of a message. Parts that it already has keep their state. If the carrier reuses a part's id, the id
 * belongs to the newer message.
 */
export async function insertParts(
  tx: Transaction,
  { provider, parts, messageId, now }: { provider: string; parts: readonly string[]; messageId: string; now: number },
): Promise<void> {
  for (const part of parts) {
    await tx.run(
      `INSERT INTO message_parts (provider, part, message_id, taken_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (provider, part) DO UPDATE
         SET message_id = excluded.message_id, status = NULL, recipient = NULL, taken_at = excluded.taken_at
         WHERE message_parts.message_id <> excluded.message_id`,
      provider,
      part,
      messageId,
      now,
    );
  }
}

/** Finds the message of a part; undefined if it is not known yet. */
export function findPartMessage(tx: Transaction, { provider, part }: PartKey): Promise<string | undefined> {
  return findValue<string>(
    tx,
    `SELECT message_id AS "messageId" FROM message_parts WHERE provider = $1 AND part = $2 AND message_id <> $3`,
    provider,
    part,
    NOT_KNOWN,
  );
}

/**
 * Records a part that a receipt names before its message is known: some receipts arrive before the answer to the
 * submission. The transaction that adds the part's message waits for this one, and then sees the receipt. Returns false
 * if the message has been added in the meantime.
 */
export async function expectPart(tx: Transaction, { provider, part }: PartKey, now: number): Promise<boolean> {
  await tx.run(
    `INSERT INTO message_parts (provider, part, message_id, taken_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (provider, part) DO NOTHING`,
    provider,
    part,
    NOT_KNOWN,
    now,
  );
  return (await findPartMessage(tx, { provider, part })) === undefined;
}

/** Saves the state of a part, unless it already has a final one. */
export async function savePartStatus(
  tx: Transaction,
  { provider, part }: PartKey,
  status: Exclude<PartStatus, null>,
): Promise<void> {
  await tx.run(
    "UPDATE message_parts SET status = $3 WHERE provider = $1 AND part = $2 AND status IS NULL",
    provider,
    part,
    status,
  );
}

export function listPartStatuses(tx: Transaction, messageId: string): Promise<PartStatus[]> {
  return listValues<PartStatus>(tx, "SELECT status FROM message_parts WHERE message_id = $1", messageId);
}

/** Erases the recipient's number from parts. Only parts stored by old versions, without `text_contacts`, have one. */
export async function eraseParts(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("UPDATE message_parts SET recipient = NULL WHERE message_id = $1 AND recipient IS NOT NULL", messageId);
}

/** A receipt, as JSON, that is kept until the message of its part is known. */
interface ParkedReceipt extends PartKey {
  readonly eventId: string;
  readonly receipt: string;
}

export async function parkReceipt(
  tx: Transaction,
  { provider, part, eventId, receipt, now }: ParkedReceipt & { now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO parked_receipts (provider, part, event_id, receipt, parked_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (provider, part, event_id) DO NOTHING`,
    provider,
    part,
    eventId,
    receipt,
    now,
  );
}

/** Removes and returns the receipts kept for a part, earliest first. */
export async function takeParked(tx: Transaction, { provider, part }: PartKey): Promise<string[]> {
  const list = "SELECT receipt FROM parked_receipts WHERE provider = $1 AND part = $2 ORDER BY parked_at, event_id";
  const receipts = await listValues<string>(tx, list, provider, part);
  if (receipts.length > 0) {
    await tx.run("DELETE FROM parked_receipts WHERE provider = $1 AND part = $2", provider, part);
  }
  return receipts;
}

/**
 * Stores a carrier's error for a message that it deferred, refused or did not deliver. Replaces an earlier error.
 */
export async function saveCarrierWords(
  tx: Transaction,
  { messageId, words, now }: { messageId: string; words: string; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO carrier_words (message_id, words, said_at) VALUES ($1, $2, $3)
     ON CONFLICT (message_id) DO UPDATE SET words = excluded.words, said_at = excluded.said_at`,
    messageId,
    words,
    now,
  );
}

export async function removeCarrierWords(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("DELETE FROM carrier_words WHERE message_id = $1", messageId);
}
