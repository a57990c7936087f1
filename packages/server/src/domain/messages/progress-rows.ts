// Messages in progress: reads the columns that dispatch needs, and saves changes of state, charge and cost.

import type { Schemas } from "@msgctl/contract";
import { allEnded, inLockOrder } from "../../store/batching.ts";
import { queueOf } from "../../store/queue/engine.ts";
import { type Charge, type MessageProgress, progressColumns } from "../../store/queue/message-rows.ts";
import { queueColumns, toQueueText } from "../../store/queue/queue.ts";
import { batchStatement, rowOf } from "../../store/statement.ts";
import { findCount, findValue, type ReachedStatus, type Transaction } from "../../store/store.ts";
import { noteMessageUpdate } from "../callbacks/event-rows.ts";
import type { Channel } from "../contacts.ts";

export { type Charge, type MessageProgress, quotaKeyOf } from "../../store/queue/message-rows.ts";

export const progressStatement = batchStatement({
  params: { messageId: "text" },
  row: rowOf<MessageProgress>(),
  one: toQueueText(
    ({ status, openAttempt, join }) => `
    SELECT ${progressColumns}, ${status} AS status, ${openAttempt} AS "openAttempt"
      FROM messages m ${join} WHERE m.message_id = $1`,
  ),
  batch: {
    kind: "reads",
    sql: (wanted) => `
      SELECT w.ordinal, ${progressColumns}, ${queueColumns.postgres.status} AS status, ${queueColumns.postgres.openAttempt} AS "openAttempt"
        FROM ${wanted} JOIN messages m ON m.message_id = w.message_id ${queueColumns.postgres.join}`,
  },
});

/** Finds a message of any tenant: a provider reports only its id. Locks it for update. */
export function findMessageProgress(tx: Transaction, messageId: string): Promise<MessageProgress | undefined> {
  lockMessage(tx, messageId);
  return tx.get(progressStatement({ messageId }));
}

/** The fields of a message that decide whether its state may change, and who is told. */
export type Standing = Pick<MessageProgress, "messageId" | "tenantId" | "channel" | "status" | "isTold" | "hasBounced">;

/** Finds messages of any tenant by id. Locks them for update. */
export async function findStandings(tx: Transaction, messageIds: readonly string[]): Promise<Map<string, Standing>> {
  const inOrder = inLockOrder(messageIds, (messageId) => [messageId]);
  const found = await allEnded(inOrder.map((messageId) => findMessageProgress(tx, messageId)));
  return new Map(found.flatMap((message) => (message === undefined ? [] : [[message.messageId, message] as const])));
}

const lockMessageText = "SELECT message_id FROM messages WHERE message_id = $1 FOR UPDATE";
export const lockMessageStatement = batchStatement({
  params: { messageId: "text" },
  one: lockMessageText,
  batch: {
    kind: "locks",
    order: "lock messages",
    sql: (wanted) => `
      SELECT m.message_id FROM messages m JOIN ${wanted} ON m.message_id = w.message_id
       ORDER BY m.message_id FOR UPDATE OF m`,
  },
});

/** Locks the message until the transaction ends. */
export function lockMessage(tx: Transaction, messageId: string): void {
  tx.lock(lockMessageStatement({ messageId }));
}

/** Locks the message without waiting. Returns false if another transaction has locked it. */
export function tryLockMessage(tx: Transaction, messageId: string): Promise<boolean> {
  return tx.tryLock(`${lockMessageText} SKIP LOCKED`, messageId);
}

/** The provider of the last recorded attempt, or one that may have received the message; undefined if none. */
export function findLastProvider(tx: Transaction, messageId: string): Promise<string | undefined> {
  return findValue<string>(tx, "SELECT provider FROM messages WHERE message_id = $1", messageId);
}

/** The provider's id of a message that it accepted; otherwise null. */
export async function findProviderMessageId(tx: Transaction, messageId: string): Promise<string | null> {
  const id = await findValue<string>(tx, "SELECT provider_message_id FROM messages WHERE message_id = $1", messageId);
  return id ?? null;
}

/** Counts the message's recorded submissions. An attempt in progress may not be recorded until it has an outcome. */
export function countAttempts(tx: Transaction, messageId: string): Promise<number> {
  return findCount(tx, "SELECT attempts FROM messages WHERE message_id = $1", messageId);
}

/** Records an attempt at a provider. */
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

/** Records that the message may have been sent: its provider must be asked before another attempt. */
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
 * Records that the provider did not accept the message and it waits again. Its due time is in its dispatch, not in the
 * accepted queue. A message in doubt without an attempt does not change: it is looked up again before its first attempt.
 */
export async function saveWaiting(tx: Transaction, messageId: string, now: number): Promise<void> {
  await tx.run(
    `UPDATE messages SET status = 'QUEUED', queue_order = NULL, updated_at = $2
      WHERE message_id = $1 AND status = 'SENDING' AND attempts > 0`,
    messageId,
    now,
  );
}

/** Finds the charge of the message, in micro-USD. */
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

/** Saves a new state that does not change the charge. */
export async function saveStatus(
  tx: Transaction,
  message: Standing,
  change: { status: ReachedStatus; deliveryReason: string | null; now: number },
): Promise<void> {
  const { messageId, channel } = message;
  const { status, deliveryReason, now } = change;
  noteMove(tx, { channel, status });
  await queueOf(tx).noteUnknown(tx, messageId, { from: message.status, to: status });
  await tx.run(saveStatusStatement({ messageId, status, deliveryReason, now }));
  await noteMessageUpdate(tx, message, change);
}

export const saveStatusStatement = batchStatement({
  params: { messageId: "text", status: "text", deliveryReason: "text", now: "bigint" },
  one: "UPDATE messages SET status = $2, delivery_reason = $3, updated_at = $4 WHERE message_id = $1",
  batch: {
    kind: "writes",
    order: "messages",
    // the caller has locked the messages
    sql: (wanted) => `
      UPDATE messages m SET status = w.status, delivery_reason = w.delivery_reason, updated_at = w.now
        FROM ${wanted} WHERE m.message_id = w.message_id`,
  },
});

/** A message's new state, which does not change the charge. */
export interface Move {
  readonly message: Standing;
  readonly status: ReachedStatus;
  readonly deliveryReason: string | null;
}

/** Saves the new states of many messages. */
export async function saveStatuses(tx: Transaction, moves: readonly Move[], now: number): Promise<void> {
  await allEnded(moves.map(({ message, ...change }) => saveStatus(tx, message, { ...change, now })));
}

export const saveOutcomeStatement = batchStatement({
  params: {
    messageId: "text",
    status: "text",
    deliveryReason: "text",
    charge: "text",
    units: "bigint",
    providerCostMicros: "bigint",
    markupMicros: "bigint",
    providerMessageId: "text",
    now: "bigint",
    provider: "text",
  },
  one: `
    UPDATE messages SET status = $2, delivery_reason = $3, charge = $4, units = COALESCE($5, units),
           provider_cost_micros = $6, markup_micros = $7, provider_message_id = COALESCE($8, provider_message_id),
           taken_at = CASE WHEN $8 IS NULL THEN taken_at ELSE COALESCE(taken_at, $9) END,
           updated_at = $9, provider = COALESCE($10, provider),
           attempts = attempts + CASE WHEN $10 IS NULL THEN 0 ELSE 1 END
     WHERE message_id = $1`,
  batch: {
    kind: "writes",
    order: "messages",
    sql: (wanted) => `
      UPDATE messages m SET status = w.status, delivery_reason = w.delivery_reason, charge = w.charge,
             units = COALESCE(w.units, m.units), provider_cost_micros = w.provider_cost_micros,
             markup_micros = w.markup_micros,
             provider_message_id = COALESCE(w.provider_message_id, m.provider_message_id),
             taken_at = CASE WHEN w.provider_message_id IS NULL THEN m.taken_at ELSE COALESCE(m.taken_at, w.now) END,
             updated_at = w.now,
             provider = COALESCE(w.provider, m.provider),
             attempts = m.attempts + CASE WHEN w.provider IS NULL THEN 0 ELSE 1 END
        FROM ${wanted} WHERE m.message_id = w.message_id`,
  },
});

/**
 * Saves a new state that decides the charge, and the attempt that led to it. Omitted fields (the units, the provider's
 * id) keep their values.
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
  await queueOf(tx).noteUnknown(tx, messageId, { from: message.status, to: outcome.status });
  const { units = null, providerMessageId = null } = outcome;
  await tx.run(saveOutcomeStatement(outcome, { messageId, units, providerMessageId, provider: openAttempt }));
  await noteMessageUpdate(tx, message, outcome);
}

/** A charged message that a provider accepted. */
export interface Taken {
  readonly message: MessageProgress;
  readonly status: ReachedStatus;
  readonly providerMessageId: string;
  readonly providerCostMicros: number;
  readonly markupMicros: number;
}

/** Like `saveOutcome` for many messages that providers accepted, with their charges. */
export async function saveAllTaken(tx: Transaction, taken: readonly Taken[], now: number): Promise<void> {
  await allEnded(
    taken.map(({ message, ...outcome }) =>
      saveOutcome(tx, message, { ...outcome, deliveryReason: null, charge: "SETTLED", now }),
    ),
  );
}

/** Records that a provider accepted a message whose charge is decided later. */
export async function saveTaken(
  tx: Transaction,
  taken: Pick<MessageProgress, "messageId" | "channel"> & {
    status: ReachedStatus;
    providerMessageId: string;
    now: number;
  },
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
