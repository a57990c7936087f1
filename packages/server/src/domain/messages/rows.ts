// Messages as accepted and as shown, the parts that carriers took of them, and what carriers said.

import type { Schemas } from "@msgctl/contract";
import { queueOf } from "../../store/queue/engine.ts";
import { queueOrders, toQueueText } from "../../store/queue/queue.ts";
import { batchStatement } from "../../store/statement.ts";
import { findValue, listValues, type Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";
import { projectOf } from "../tenancy/project-rows.ts";
import type { Charge } from "./progress-rows.ts";

/** A message that is to be sent. */
export interface AskedMessage {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: string;
  readonly recipient: string;
  readonly subject: string | null;
  readonly content: string;
  /** Quota units that are reserved for it. */
  readonly units: number;
}

/** What is decided of a message when it is accepted. */
export interface Acceptance {
  readonly messageId: string;
  readonly tenantId: number;
  /** SEND is charged and needs consent; CONFIRMATION answers a reply, free and consent or not. */
  readonly purpose: "SEND" | "CONFIRMATION";
  /** The units that the credits pay. */
  readonly creditUnits: number;
  readonly period: string;
  readonly now: number;
  /** Its order in the queue; null holds it back until {@link releaseMessage}. @default that of its type */
  readonly queueOrder?: number | null;
}

/** Returns the order of a message that is not a call. One-time passwords go first: recipients wait for them. */
function orderOf(type: string): number {
  return type === "OTP" ? queueOrders.HIGH : queueOrders.NORMAL;
}

/** Length in characters past which content is stored apart: longer than any SMS or call. */
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

/** Adds a message, QUEUED, with its units reserved. */
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

/** The content of a message that is stored apart. */
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

/** The tenant's message, with the fields of replies. */
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

/** The message, of any tenant, without a lock. */
export function findAddressed(tx: Transaction, messageId: string): Promise<AddressedMessage | undefined> {
  return tx.get<AddressedMessage>(
    `SELECT tenant_id AS "tenantId", merchant_id AS "merchantId", channel, recipient FROM messages WHERE message_id = $1`,
    messageId,
  );
}

/** All stored data of one message, for people who read it. */
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
  /** RESERVED until it is known whether the units are taken. */
  readonly charge: Charge;
  /** The month of the units, such as 2026-11-01. */
  readonly period: string;
  readonly createdAt: number;
  /** Time at which a carrier took it; null before, and for those taken before this was stored. */
  readonly takenAt: number | null;
  readonly updatedAt: number;
  readonly project: string | null;
  /** The carrier's last words if it did not take the message at once, or did not deliver it; null if none. */
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

/** Finds the tenant's message; undefined if there is none, as for a call that is not dialled yet. */
export function findMessageDetails(
  tx: Transaction,
  tenantId: number,
  messageId: string,
): Promise<MessageDetails | undefined> {
  return tx.get<MessageDetails>(details, messageId, tenantId);
}

/** The state of a part of a message; null while it is only known that the carrier took it. */
type PartStatus = "DELIVERED" | "UNDELIVERED" | "EXPIRED" | null;

/** A carrier's id of a part. `provider` is the name under which the carrier's ids are kept, however often it was set. */
interface PartKey {
  readonly provider: string;
  readonly part: string;
}

/** Stands for the message of a part that only a receipt has named so far. */
const NOT_KNOWN = "";

/**
 * Adds the parts of a message; parts that it has already keep their state. An id that the carrier uses again belongs to the newer
 * message from then on.
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

/** Finds the message of a part; undefined while it is not known. */
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
 * Records that a receipt has named the part: some receipts come before the answer to their submission. The transaction
 * that adds the part's message waits for this one, and sees the receipt. Returns false if the message was added
 * meanwhile.
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

/** Saves the state of a part, unless it has ended before. */
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

/** Erases the number of parts that were noted before texts had contacts (text-rows.ts). */
export async function eraseParts(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("UPDATE message_parts SET recipient = NULL WHERE message_id = $1 AND recipient IS NOT NULL", messageId);
}

/** A receipt kept until its part is known, as JSON. */
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

/** Removes the receipts kept for a part, and returns them, the earliest first. */
export async function takeParked(tx: Transaction, { provider, part }: PartKey): Promise<string[]> {
  const list = "SELECT receipt FROM parked_receipts WHERE provider = $1 AND part = $2 ORDER BY parked_at, event_id";
  const receipts = await listValues<string>(tx, list, provider, part);
  if (receipts.length > 0) {
    await tx.run("DELETE FROM parked_receipts WHERE provider = $1 AND part = $2", provider, part);
  }
  return receipts;
}

/**
 * Stores a carrier's words about a message that it did not take at once, or did not deliver, in place of earlier words.
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
