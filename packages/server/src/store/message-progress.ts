// A message on its way: what dispatch reads of it, and how its state, charge and cost are changed.

import type { Channel } from "./merchants.ts";
import type { Transaction } from "./store.ts";

export type MessageStatus =
  | "QUEUED"
  | "SENDING"
  | "SENT"
  | "DELIVERED"
  | "UNDELIVERED"
  | "FAILED"
  | "EXPIRED"
  | "CANCELED"
  | "UNKNOWN";

/** RESERVED until the outcome is known; then SETTLED, for good, or RELEASED. */
export type Charge = "RESERVED" | "SETTLED" | "RELEASED";

export interface MessageProgress {
  readonly messageId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly purpose: "SEND" | "CONFIRMATION";
  readonly recipient: string;
  readonly status: MessageStatus;
  readonly units: number;
  readonly creditUnits: number;
  readonly period: string;
  readonly charge: Charge;
  /** When it was accepted, in epoch milliseconds, and the tenant's time zone: both say which day it counts to. */
  readonly createdAt: number;
  readonly timezone: string;
}

/** The columns of `MessageProgress`, from messages as `m`. */
export const progressColumns = `m.message_id AS "messageId", m.tenant_id AS "tenantId", m.merchant_id AS "merchantId",
  m.channel, m.purpose, m.recipient, m.status, m.units, m.credit_units AS "creditUnits", m.period, m.charge,
  m.created_at AS "createdAt", (SELECT t.timezone FROM tenants t WHERE t.tenant_id = m.tenant_id) AS timezone`;

/** The message, whoever's it is: a provider names only its id. Held for update. */
export function findMessageProgress(tx: Transaction, messageId: string): Promise<MessageProgress | undefined> {
  return tx.get<MessageProgress>(
    `SELECT ${progressColumns} FROM messages m WHERE m.message_id = $1 FOR UPDATE`,
    messageId,
  );
}

/** Counts an attempt of a provider about to be made. */
export async function saveAttempt(
  tx: Transaction,
  attempt: { messageId: string; status: MessageStatus; provider: string; now: number },
): Promise<void> {
  await tx.run(
    "UPDATE messages SET status = $2, provider = $3, attempts = attempts + 1, updated_at = $4 WHERE message_id = $1",
    attempt.messageId,
    attempt.status,
    attempt.provider,
    attempt.now,
  );
}

/** A new state that leaves the charge as it is. */
export async function saveStatus(
  tx: Transaction,
  change: { messageId: string; status: MessageStatus; deliveryReason: string | null; now: number },
): Promise<void> {
  await tx.run(
    "UPDATE messages SET status = $2, delivery_reason = $3, updated_at = $4 WHERE message_id = $1",
    change.messageId,
    change.status,
    change.deliveryReason,
    change.now,
  );
}

/** A new state that decides the charge. */
export async function saveOutcome(
  tx: Transaction,
  outcome: {
    messageId: string;
    status: MessageStatus;
    deliveryReason: string | null;
    charge: Exclude<Charge, "RESERVED">;
    providerCostMicros: number;
    markupMicros: number;
    providerMessageId: string | null;
    now: number;
  },
): Promise<void> {
  await tx.run(
    `UPDATE messages SET status = $2, delivery_reason = $3, charge = $4, provider_cost_micros = $5, markup_micros = $6,
            provider_message_id = $7, updated_at = $8
      WHERE message_id = $1`,
    outcome.messageId,
    outcome.status,
    outcome.deliveryReason,
    outcome.charge,
    outcome.providerCostMicros,
    outcome.markupMicros,
    outcome.providerMessageId,
    outcome.now,
  );
}

/** A provider took a message whose charge is decided later. */
export async function saveTaken(
  tx: Transaction,
  taken: { messageId: string; status: MessageStatus; providerMessageId: string; now: number },
): Promise<void> {
  await tx.run(
    "UPDATE messages SET status = $2, provider_message_id = $3, updated_at = $4 WHERE message_id = $1",
    taken.messageId,
    taken.status,
    taken.providerMessageId,
    taken.now,
  );
}

/** A last state that decides the charge, and of how many units. */
export async function saveEnd(
  tx: Transaction,
  end: {
    messageId: string;
    status: MessageStatus;
    deliveryReason: string | null;
    units: number;
    charge: Exclude<Charge, "RESERVED">;
    providerCostMicros: number;
    markupMicros: number;
    now: number;
  },
): Promise<void> {
  await tx.run(
    `UPDATE messages SET status = $2, delivery_reason = $3, units = $4, charge = $5, provider_cost_micros = $6,
            markup_micros = $7, updated_at = $8
      WHERE message_id = $1`,
    end.messageId,
    end.status,
    end.deliveryReason,
    end.units,
    end.charge,
    end.providerCostMicros,
    end.markupMicros,
    end.now,
  );
}
