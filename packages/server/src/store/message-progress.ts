// A message in progress: what dispatch reads of it, and how its state, charge and cost change.

import type { Schemas } from "@msgctl/contract";
import { allEnded } from "./all-ended.ts";
import { inLockOrder } from "./lock-order.ts";
import { groupAlike, listedIds, runEach } from "./many.ts";
import type { Channel } from "./merchants.ts";
import type { ReachedStatus } from "./occurrences.ts";
import { toQueueText } from "./queue-columns.ts";
import type { Transaction } from "./store.ts";
import { noteUnknown } from "./unknown-messages.ts";

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
  /** The provider of an attempt that is saved only with its outcome; else null. */
  readonly openAttempt: string | null;
}

/** The key of the quota that its units are of. */
export function quotaKeyOf({
  tenantId,
  merchantId,
  channel,
}: Pick<MessageProgress, "tenantId" | "merchantId" | "channel">): readonly [number, string, Channel] {
  return [tenantId, merchantId, channel];
}

/** The columns of `MessageProgress`, from messages as `m`, but for its status and `openAttempt`. */
export const progressColumns = `m.message_id AS "messageId", m.tenant_id AS "tenantId", m.merchant_id AS "merchantId",
  m.channel, m.purpose, m.recipient, m.units, m.credit_units AS "creditUnits", m.period, m.charge,
  m.created_at AS "createdAt",
  (SELECT t.timezone FROM tenants t WHERE t.tenant_id = m.tenant_id) AS timezone`;

/** Has a set form. */
export const progressStatement = toQueueText(
  ({ status, openAttempt, join }) => `
  SELECT ${progressColumns}, ${status} AS status, ${openAttempt} AS "openAttempt"
    FROM messages m ${join} WHERE m.message_id = $1`,
);

/** The message, of any tenant: a provider names only its id. Held for update. */
export function findMessageProgress(tx: Transaction, messageId: string): Promise<MessageProgress | undefined> {
  holdMessage(tx, messageId);
  return tx.get<MessageProgress>(progressStatement(tx.dialect), messageId);
}

/** What of a message decides whether its state may change. */
export type Standing = Pick<MessageProgress, "messageId" | "channel" | "status">;

/** Those of the messages that there are, of any tenant, by id. Held for update. */
export async function findStandings(tx: Transaction, messageIds: readonly string[]): Promise<Map<string, Standing>> {
  const found: (Standing | undefined)[] = tx.dialect.takesLists
    ? await tx.all<Standing>(
        `SELECT m.message_id AS "messageId", m.channel, m.status
           FROM json_each($1) AS w CROSS JOIN messages m ON m.message_id = w.value`,
        JSON.stringify(messageIds),
      )
    : await allEnded(
        inLockOrder(tx, messageIds, (messageId) => [messageId]).map((one) => findMessageProgress(tx, one)),
      );
  return new Map(found.flatMap((message) => (message === undefined ? [] : [[message.messageId, message] as const])));
}

/** Has a set form. */
export const holdMessageStatement = "SELECT message_id FROM messages WHERE message_id = $1 FOR UPDATE";

/** Holds the message until the transaction ends. */
export function holdMessage(tx: Transaction, messageId: string): void {
  tx.hold(holdMessageStatement, messageId);
}

/** Holds the message unless another transaction does: false then. */
export function tryHoldMessage(tx: Transaction, messageId: string): Promise<boolean> {
  return tx.tryHold(`${holdMessageStatement} SKIP LOCKED`, messageId);
}

/** The provider of the last attempt on record, or that may have had the message; undefined if there is none. */
export async function findLastProvider(tx: Transaction, messageId: string): Promise<string | undefined> {
  const row = await tx.get<{ provider: string | null }>(
    "SELECT provider FROM messages WHERE message_id = $1",
    messageId,
  );
  return row?.provider ?? undefined;
}

/** How often the message was submitted, but for an attempt that is saved only with its outcome. */
export async function countAttempts(tx: Transaction, messageId: string): Promise<number> {
  const row = await tx.get<{ attempts: number }>("SELECT attempts FROM messages WHERE message_id = $1", messageId);
  return row?.attempts ?? 0;
}

/** Counts an attempt at a provider. */
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

/** The same for a list of messages. */
export const saveListedAttemptsStatement = `
  UPDATE messages SET status = $2, provider = $3, attempts = attempts + 1, updated_at = $4 WHERE message_id IN ${listedIds}`;

/** The message may have been sent: its provider is asked before another attempt is made. */
export async function saveSending(
  tx: Transaction,
  sending: { messageId: string; status: Schemas["MessageStatus"]; provider: string | null; now: number },
): Promise<void> {
  await tx.run(
    "UPDATE messages SET status = $2, provider = $3, updated_at = $4 WHERE message_id = $1",
    sending.messageId,
    sending.status,
    sending.provider,
    sending.now,
  );
}

/**
 * The message was not taken, and waits again, outside of the queue of accepted messages: its dispatch says when it is due. One that
 * was in doubt without an attempt stays as it is, to be looked at again before its first.
 */
export async function saveWaiting(tx: Transaction, messageId: string, now: number): Promise<void> {
  await tx.run(
    "UPDATE messages SET status = 'QUEUED', queue_order = NULL, updated_at = $2 WHERE message_id = $1 AND status = 'SENDING' AND attempts > 0",
    messageId,
    now,
  );
}

/** Charge of the message, in micro-USD. */
export async function findCharge(
  tx: Transaction,
  messageId: string,
): Promise<{ readonly providerCostMicros: number; readonly markupMicros: number }> {
  const row = await tx.get<{ providerCostMicros: number | null; markupMicros: number | null }>(
    `SELECT provider_cost_micros AS "providerCostMicros", markup_micros AS "markupMicros" FROM messages
      WHERE message_id = $1`,
    messageId,
  );
  return { providerCostMicros: row?.providerCostMicros ?? 0, markupMicros: row?.markupMicros ?? 0 };
}

/** The message that changes. */
type Changed = Pick<MessageProgress, "messageId" | "channel">;

/** Saves a new state that leaves the charge as it is. */
export async function saveStatus(
  tx: Transaction,
  message: MessageProgress,
  change: { status: ReachedStatus; deliveryReason: string | null; now: number },
): Promise<void> {
  const { messageId, channel } = message;
  const { status, deliveryReason, now } = change;
  noteMove(tx, { channel, status });
  await noteUnknown(tx, messageId, { from: message.status, to: status });
  await tx.run(saveStatusStatement, messageId, status, deliveryReason, now);
}

/** Has a set form. */
export const saveStatusStatement =
  "UPDATE messages SET status = $2, delivery_reason = $3, updated_at = $4 WHERE message_id = $1";

const saveListedStatusesStatement = `
  UPDATE messages SET status = $2, delivery_reason = $3, updated_at = $4 WHERE message_id IN ${listedIds}`;

/** A message's new state, which leaves the charge as it is. */
export interface Move {
  readonly message: Standing;
  readonly status: ReachedStatus;
  readonly deliveryReason: string | null;
}

/** The same for many messages. */
export async function saveStatuses(tx: Transaction, moves: readonly Move[], now: number): Promise<void> {
  for (const { message, status } of moves) {
    noteMove(tx, { channel: message.channel, status });
    await noteUnknown(tx, message.messageId, { from: message.status, to: status });
  }
  if (!tx.dialect.takesLists) {
    const rows = moves.map(({ message, status, deliveryReason }) => [message.messageId, status, deliveryReason, now]);
    await runEach(tx, saveStatusStatement, rows);
    return;
  }
  for (const { shared, items } of groupAlike(moves, (one) => [one.status, one.deliveryReason] as const)) {
    await tx.run(
      saveListedStatusesStatement,
      JSON.stringify(items.map(({ message }) => message.messageId)),
      ...shared,
      now,
    );
  }
}

/** Has a set form. */
export const saveOutcomeStatement = `
  UPDATE messages SET status = $2, delivery_reason = $3, charge = $4, units = COALESCE($5, units),
         provider_cost_micros = $6, markup_micros = $7, provider_message_id = COALESCE($8, provider_message_id),
         taken_at = CASE WHEN $8 IS NULL THEN taken_at ELSE COALESCE(taken_at, $9) END,
         updated_at = $9, provider = COALESCE($10, provider),
         attempts = attempts + CASE WHEN $10 IS NULL THEN 0 ELSE 1 END
   WHERE message_id = $1`;

/**
 * Saves a new state that decides the charge, with the attempt that led to it. What is omitted stays: the units accepted,
 * the provider's id.
 */
export async function saveOutcome(
  tx: Transaction,
  message: MessageProgress,
  outcome: {
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
  const { messageId, channel, openAttempt } = message;
  noteMove(tx, { channel, status: outcome.status });
  await noteUnknown(tx, messageId, { from: message.status, to: outcome.status });
  await tx.run(
    saveOutcomeStatement,
    messageId,
    outcome.status,
    outcome.deliveryReason,
    outcome.charge,
    outcome.units ?? null,
    outcome.providerCostMicros,
    outcome.markupMicros,
    outcome.providerMessageId ?? null,
    outcome.now,
    openAttempt,
  );
}

/** A message that a provider took, and was charged. */
export interface Taken {
  readonly message: MessageProgress;
  readonly status: ReachedStatus;
  readonly providerMessageId: string;
  readonly providerCostMicros: number;
  readonly markupMicros: number;
}

const saveListedTakenStatement = `
  UPDATE messages SET status = $2, delivery_reason = NULL, charge = 'SETTLED', provider_cost_micros = $3,
         markup_micros = $4, provider_message_id = w.value ->> 1, taken_at = COALESCE(taken_at, $5), updated_at = $5
    FROM json_each($1) AS w WHERE message_id = w.value ->> 0`;

/** Saves that providers took messages, and what they were charged: `saveOutcome` for many. */
export async function saveAllTaken(tx: Transaction, taken: readonly Taken[], now: number): Promise<void> {
  const save = ({ message, ...outcome }: Taken) =>
    saveOutcome(tx, message, { ...outcome, deliveryReason: null, charge: "SETTLED", now });
  if (!tx.dialect.takesLists) {
    await allEnded(taken.map(save));
    return;
  }
  for (const { message, status } of taken) noteMove(tx, { channel: message.channel, status });
  const describe = (one: Taken) => [one.status, one.providerCostMicros, one.markupMicros] as const;
  for (const { shared, items } of groupAlike(taken, describe)) {
    const rows = items.map(({ message, providerMessageId }) => [message.messageId, providerMessageId]);
    await tx.run(saveListedTakenStatement, JSON.stringify(rows), ...shared, now);
  }
}

/** Saves that a provider took a message whose charge is decided later. */
export async function saveTaken(
  tx: Transaction,
  taken: Changed & { status: ReachedStatus; providerMessageId: string; now: number },
): Promise<void> {
  noteMove(tx, taken);
  await tx.run(
    "UPDATE messages SET status = $2, provider_message_id = $3, taken_at = $4, updated_at = $4 WHERE message_id = $1",
    taken.messageId,
    taken.status,
    taken.providerMessageId,
    taken.now,
  );
}

function noteMove(tx: Transaction, { channel, status }: { channel: Channel; status: ReachedStatus }): void {
  tx.note({ kind: "message", channel, status });
}
