// Rows of messages in progress: the columns that every change of a message needs, and those that a claim reads.

import type { Schemas } from "@msgctl/contract";
import type { Transaction } from "../store.ts";

export type MessageStatus = Schemas["MessageStatus"];

/** The state of a message's reserved units: RESERVED until the outcome is known, then SETTLED or RELEASED. Both are final. */
export type Charge = "RESERVED" | "SETTLED" | "RELEASED";

export interface MessageProgress {
  readonly messageId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Schemas["Channel"];
  readonly purpose: "SEND" | "CONFIRMATION";
  readonly recipient: string;
  readonly status: MessageStatus;
  readonly units: number;
  readonly creditUnits: number;
  readonly period: string;
  readonly charge: Charge;
  /** Time of acceptance, in epoch milliseconds. With the tenant's time zone it decides the day to which the message counts. */
  readonly createdAt: number;
  readonly timezone: string;
  /** Whether a bounce of the recipient is stored, so that the recipient may be suppressed. */
  readonly hasBounced: 0 | 1;
  /** The provider of an attempt that is in flight and not yet saved with the message; else null. */
  readonly openAttempt: string | null;
  /** Whether the tenant has a URL to which changes of the message are posted. */
  readonly isTold: 0 | 1;
}

/** Returns the key of the quota that the message's units belong to. */
export function quotaKeyOf({
  tenantId,
  merchantId,
  channel,
}: Pick<MessageProgress, "tenantId" | "merchantId" | "channel">): readonly [number, string, Schemas["Channel"]] {
  return [tenantId, merchantId, channel];
}

/** The columns of `MessageProgress`, from messages as `m`, except for its status and `openAttempt`. */
export const progressColumns = `m.message_id AS "messageId", m.tenant_id AS "tenantId", m.merchant_id AS "merchantId",
  m.channel, m.purpose, m.recipient, m.units, m.credit_units AS "creditUnits", m.period, m.charge,
  m.created_at AS "createdAt",
  (SELECT t.timezone FROM tenants t WHERE t.tenant_id = m.tenant_id) AS timezone,
  CASE WHEN m.purpose = 'SEND' AND m.channel <> 'VOICE' AND EXISTS
      (SELECT 1 FROM event_subscriptions e
        WHERE e.tenant_id = m.tenant_id AND e.tells_updates = 1 AND e.stopped_at IS NULL)
    THEN 1 ELSE 0 END AS "isTold",
  CASE WHEN EXISTS (SELECT 1 FROM suppressions s WHERE s.tenant_id = m.tenant_id AND s.channel = m.channel
                       AND s.contact = lower(m.recipient)) THEN 1 ELSE 0 END AS "hasBounced"`;

/**
 * - `waiting`: in the queue of a carrier, until it expires.
 * - `ready`: to be submitted.
 * - `submitting`: a lease holder may be submitting it.
 * - `handed-over`: has left, or is about to leave, for a provider that reports when it does.
 * - `reconciling`: the provider may or may not have accepted it, so the provider is asked.
 * - `awaiting`: accepted by the provider; the final receipt is outstanding.
 */
export type OutboxState = "waiting" | "ready" | "submitting" | "handed-over" | "reconciling" | "awaiting";

/** A due row with the columns of its message that a submission needs. */
export interface OutboxRow extends MessageProgress {
  readonly state: OutboxState;
  readonly dueAt: number;
  /** Number of questions to the provider that brought no answer. */
  readonly asks: number;
  /** Time at which dispatch gives the message up; null until it is first claimed. */
  readonly giveUpAt: number | null;
  /** Number of submissions that were begun. */
  readonly attempts: number;
  /** Whether a carrier may have the message although this database has no record of it: see store/restorations.ts. */
  readonly isDoubted: 0 | 1;
  /** Whether the message is still in the queue of accepted messages and has no dispatch. */
  readonly isQueued: 0 | 1;
  readonly type: Schemas["MessageType"];
  readonly subject: string | null;
  /** Empty if the content is long and stored in `long_contents`. */
  readonly content: string;
  /** Length in bytes of a content that is stored in `long_contents`; else null. */
  readonly longBytes: number | null;
}

/** The columns of an `OutboxRow` that come from `messages m`. */
export const contentColumns = `${progressColumns}, m.type, m.subject, m.content, m.long_bytes AS "longBytes", m.attempts`;

/** SQL that is true if all carriers (`doubts`) or one (`suspected_messages`) may already have the waiting message `m`. */
export const isDoubted = `(EXISTS (SELECT 1 FROM doubts x WHERE x.message_id = m.message_id)
           OR EXISTS (SELECT 1 FROM suspected_messages x WHERE x.message_id = m.message_id))`;

/**
 * The database's last call and message at a time when carriers may have been ahead of it. Before a call or message that
 * waited at that time is submitted, carriers are asked whether they have it already.
 */
export interface Horizon {
  /** The carrier that may be ahead; null for all of them. */
  readonly carrier: string | null;
  /** 0 if the database had no call. */
  readonly lastRequestId: number;
  /** Empty if the database had no message. */
  readonly lastMessageId: string;
}

/** Lists the horizon of the last restoration and those of carriers that could not list their latest messages. */
export function listHorizons(tx: Transaction): Promise<Horizon[]> {
  return tx.all<Horizon>(
    `SELECT NULL AS carrier, last_request_id AS "lastRequestId", last_message_id AS "lastMessageId"
       FROM restorations WHERE restoration_id = (SELECT MAX(restoration_id) FROM restorations)
      UNION ALL SELECT carrier, last_request_id, last_message_id FROM suspicions`,
  );
}

/** Marks a message as it is accepted: the carriers of these horizons may already have it. */
export async function addDoubts(
  tx: Transaction,
  messageId: string,
  horizons: readonly Pick<Horizon, "carrier">[],
): Promise<void> {
  for (const { carrier } of horizons) {
    await (carrier === null
      ? tx.run("INSERT INTO doubts (message_id) VALUES ($1) ON CONFLICT (message_id) DO NOTHING", messageId)
      : tx.run(
          `INSERT INTO suspected_messages (message_id, carrier) VALUES ($1, $2)
           ON CONFLICT (message_id, carrier) DO NOTHING`,
          messageId,
          carrier,
        ));
  }
}

/** Returns whether a carrier may have the waiting message although this database has no record of it. */
export async function isInDoubt(tx: Transaction, messageId: string): Promise<boolean> {
  const row = await tx.get(
    `SELECT message_id FROM doubts WHERE message_id = $1
      UNION ALL SELECT message_id FROM suspected_messages WHERE message_id = $1 LIMIT 1`,
    messageId,
  );
  return row !== undefined;
}

/** Removes the doubts about a message that ends without being sent. */
export async function forgetDoubts(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("DELETE FROM doubts WHERE message_id = $1", messageId);
  await tx.run("DELETE FROM suspected_messages WHERE message_id = $1", messageId);
}

/**
 * Removes the doubts about a message that leaves the queue for `carrier`. Returns whether that carrier may already have it.
 * If `carrier` is undefined, doubts about single carriers are kept until the message has a carrier, unless every carrier
 * is in doubt.
 */
export async function endDoubts(tx: Transaction, messageId: string, carrier: string | undefined): Promise<boolean> {
  const ofAll = await tx.run("DELETE FROM doubts WHERE message_id = $1", messageId);
  if (carrier === undefined && ofAll === 0) return false;
  const suspected = await tx.all<{ carrier: string }>(
    "DELETE FROM suspected_messages WHERE message_id = $1 RETURNING carrier",
    messageId,
  );
  return ofAll > 0 || suspected.some((one) => one.carrier === carrier);
}

/** The first part of the names of queues for messages without a carrier. */
export const NO_CARRIER = "no_carrier";
