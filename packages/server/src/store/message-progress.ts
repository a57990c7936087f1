// A message in progress: what dispatch reads of it, and how its state, charge and cost change.

import type { Schemas } from "@msgctl/contract";
import type { Channel } from "./merchants.ts";
import type { ReachedStatus } from "./occurrences.ts";
import type { Transaction } from "./store.ts";

/** RESERVED until the outcome is known; then SETTLED, for good, or RELEASED. */
export type Charge = "RESERVED" | "SETTLED" | "RELEASED";

export interface MessageProgress {
  readonly messageId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly purpose: "SEND" | "CONFIRMATION";
  readonly recipient: string;
  readonly status: Schemas["MessageStatus"];
  readonly units: number;
  readonly creditUnits: number;
  readonly period: string;
  readonly charge: Charge;
  /** When it was accepted, in epoch milliseconds, and the tenant's time zone: both decide which day it counts to. */
  readonly createdAt: number;
  readonly timezone: string;
}

/** The columns of `MessageProgress`, from messages as `m`. */
export const progressColumns = `m.message_id AS "messageId", m.tenant_id AS "tenantId", m.merchant_id AS "merchantId",
  m.channel, m.purpose, m.recipient, m.status, m.units, m.credit_units AS "creditUnits", m.period, m.charge,
  m.created_at AS "createdAt", (SELECT t.timezone FROM tenants t WHERE t.tenant_id = m.tenant_id) AS timezone`;

/** The message, of any tenant: a provider names only its id. Held for update. */
export function findMessageProgress(tx: Transaction, messageId: string): Promise<MessageProgress | undefined> {
  return tx.get<MessageProgress>(
    `SELECT ${progressColumns} FROM messages m WHERE m.message_id = $1 FOR UPDATE`,
    messageId,
  );
}

const holdStatement = "SELECT message_id FROM messages WHERE message_id = $1 FOR UPDATE";

/** Holds the message until the transaction ends. */
export function holdMessage(tx: Transaction, messageId: string): void {
  tx.hold(holdStatement, messageId);
}

/** Counts an attempt that is about to be made at a provider. */
export async function saveAttempt(
  tx: Transaction,
  attempt: { messageId: string; status: Schemas["MessageStatus"]; provider: string; now: number },
): Promise<void> {
  await tx.run(
    "UPDATE messages SET status = $2, provider = $3, attempts = attempts + 1, updated_at = $4 WHERE message_id = $1",
    attempt.messageId,
    attempt.status,
    attempt.provider,
    attempt.now,
  );
}

/** The message may have been sent: its provider is asked before another attempt is made. */
export async function saveSending(
  tx: Transaction,
  sending: { messageId: string; status: Schemas["MessageStatus"]; provider: string; now: number },
): Promise<void> {
  await tx.run(
    "UPDATE messages SET status = $2, provider = $3, updated_at = $4 WHERE message_id = $1",
    sending.messageId,
    sending.status,
    sending.provider,
    sending.now,
  );
}

/** The message that changes. */
type Changed = Pick<MessageProgress, "messageId" | "channel">;

/** Saves a new state that leaves the charge as it is. */
export async function saveStatus(
  tx: Transaction,
  change: Changed & { status: ReachedStatus; deliveryReason: string | null; now: number },
): Promise<void> {
  noteMove(tx, change);
  await tx.run(
    "UPDATE messages SET status = $2, delivery_reason = $3, updated_at = $4 WHERE message_id = $1",
    change.messageId,
    change.status,
    change.deliveryReason,
    change.now,
  );
}

/** Saves a new state that decides the charge. What is omitted stays: the units accepted, the provider's id. */
export async function saveOutcome(
  tx: Transaction,
  outcome: Changed & {
    status: ReachedStatus;
    deliveryReason: string | null;
    charge: Exclude<Charge, "RESERVED">;
    units?: number;
    providerCostMicros: number;
    markupMicros: number;
    providerMessageId?: string;
    now: number;
  },
): Promise<void> {
  noteMove(tx, outcome);
  await tx.run(
    `UPDATE messages SET status = $2, delivery_reason = $3, charge = $4, units = COALESCE($5, units),
            provider_cost_micros = $6, markup_micros = $7, provider_message_id = COALESCE($8, provider_message_id),
            updated_at = $9
      WHERE message_id = $1`,
    outcome.messageId,
    outcome.status,
    outcome.deliveryReason,
    outcome.charge,
    outcome.units ?? null,
    outcome.providerCostMicros,
    outcome.markupMicros,
    outcome.providerMessageId ?? null,
    outcome.now,
  );
}

/** Saves that a provider took a message whose charge is decided later. */
export async function saveTaken(
  tx: Transaction,
  taken: Changed & { status: ReachedStatus; providerMessageId: string; now: number },
): Promise<void> {
  noteMove(tx, taken);
  await tx.run(
    "UPDATE messages SET status = $2, provider_message_id = $3, updated_at = $4 WHERE message_id = $1",
    taken.messageId,
    taken.status,
    taken.providerMessageId,
    taken.now,
  );
}

function noteMove(tx: Transaction, { channel, status }: { channel: Channel; status: ReachedStatus }): void {
  tx.note({ kind: "message", channel, status });
}
