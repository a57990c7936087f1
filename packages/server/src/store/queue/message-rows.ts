// The rows of messages in progress: the columns for every change of one, and those that a claim reads of a due one.

import type { Schemas } from "@msgctl/contract";
import type { Transaction } from "../store.ts";

export type MessageStatus = Schemas["MessageStatus"];

/** RESERVED until the outcome is known; then SETTLED, for good, or RELEASED. */
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
  /** Acceptance, in epoch milliseconds, and the tenant's time zone: both decide the day that it counts to. */
  readonly createdAt: number;
  readonly timezone: string;
  /** The provider of an attempt that is saved only with its outcome; else null. */
  readonly openAttempt: string | null;
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
  (SELECT t.timezone FROM tenants t WHERE t.tenant_id = m.tenant_id) AS timezone`;

/**
 * - `waiting`: in the queue of a carrier, until it expires.
 * - `ready`: to be submitted.
 * - `submitting`: a lease holder may be submitting it.
 * - `handed-over`: it has left, or is about to, for a provider that reports when.
 * - `reconciling`: it may or may not have been taken, so the provider is asked.
 * - `awaiting`: taken; its final receipt is outstanding.
 */
export type OutboxState = "waiting" | "ready" | "submitting" | "handed-over" | "reconciling" | "awaiting";

/** A due row with the columns of its message that a submission needs. */
export interface OutboxRow extends MessageProgress {
  readonly state: OutboxState;
  readonly dueAt: number;
  /** Number of times that the provider was asked without an answer. */
  readonly asks: number;
  /** Time at which dispatch gives the message up; null until it is first claimed. */
  readonly giveUpAt: number | null;
  /** Submissions begun. */
  readonly attempts: number;
  /** Whether a carrier may have been given the message, unknown to this database: see store/restorations.ts. */
  readonly isDoubted: 0 | 1;
  /** Whether it is in the queue of accepted messages still, and not among the dispatches. */
  readonly isQueued: 0 | 1;
  readonly type: Schemas["MessageType"];
  readonly subject: string | null;
  /** Empty if it is long, and stored apart. */
  readonly content: string;
  /** Its length in bytes if it is stored apart; else null. */
  readonly longBytes: number | null;
}

/** The columns of an `OutboxRow` that `messages m` has. */
export const contentColumns = `${progressColumns}, m.type, m.subject, m.content, m.long_bytes AS "longBytes", m.attempts`;

/** Whether a carrier, of all or of some, may have been given the waiting message of `messages m`. */
export const isDoubted = `(EXISTS (SELECT 1 FROM doubts x WHERE x.message_id = m.message_id)
           OR EXISTS (SELECT 1 FROM suspected_messages x WHERE x.message_id = m.message_id))`;

/**
 * The last call and message of the database when carriers may have been ahead of it. Carriers are asked about those
 * that waited then before they are given them.
 */
export interface Horizon {
  /** The carrier that may be ahead; null for all of them. */
  readonly carrier: string | null;
  /** 0 if it had no call. */
  readonly lastRequestId: number;
  /** Empty if it had no message. */
  readonly lastMessageId: string;
}

/** Lists the horizons of the last restoration, and of each carrier that did not say what it had been given. */
export function listHorizons(tx: Transaction): Promise<Horizon[]> {
  return tx.all<Horizon>(
    `SELECT NULL AS carrier, last_request_id AS "lastRequestId", last_message_id AS "lastMessageId"
       FROM restorations WHERE restoration_id = (SELECT MAX(restoration_id) FROM restorations)
      UNION ALL SELECT carrier, last_request_id, last_message_id FROM suspicions`,
  );
}

/** Marks a message that is accepted now as one that the carriers of these horizons may have been given. */
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

/** Returns whether a carrier may have been given the waiting message, unknown to this database. */
export async function isInDoubt(tx: Transaction, messageId: string): Promise<boolean> {
  const row = await tx.get(
    `SELECT message_id FROM doubts WHERE message_id = $1
      UNION ALL SELECT message_id FROM suspected_messages WHERE message_id = $1 LIMIT 1`,
    messageId,
  );
  return row !== undefined;
}

/** Forgets the doubts about a message that ends without being sent. */
export async function forgetDoubts(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("DELETE FROM doubts WHERE message_id = $1", messageId);
  await tx.run("DELETE FROM suspected_messages WHERE message_id = $1", messageId);
}

/**
 * Ends the doubts about a message, which the outbox handles from now on. Returns whether this carrier may have been given it.
 * Without a carrier, what others are suspected of is kept until there is one, unless any may have been given it.
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

/** The kind in the names of queues whose messages have no carrier. */
export const NO_CARRIER = "no_carrier";
