// Messages still to be dispatched: to submit, to ask the provider about, or to give up on. Accepted ones are in their
// queue (queue/queue.ts); all others are in `dispatches`.
// Every change of a message locks it first, then its dispatch, then the quota that it is charged to: in this order no
// two wait for each other.

import { allEnded } from "../../store/batching.ts";
import { queueOf } from "../../store/queue/engine.ts";
import {
  contentColumns,
  isDoubted,
  type MessageProgress,
  type OutboxRow,
  type OutboxState,
} from "../../store/queue/message-rows.ts";
import { type QueueLook, recently } from "../../store/queue/queue.ts";
import { batchStatement, isAmong } from "../../store/statement.ts";
import { findValue, type Transaction } from "../../store/store.ts";
import { saveAttempt, saveWaiting } from "./progress-rows.ts";

export type { OutboxRow, OutboxState } from "../../store/queue/message-rows.ts";

/** Questions, and all other claimed messages, each with an index of its own. */
const isQuestion = "state = 'reconciling'";
const isNoQuestion = "state <> 'reconciling'";

const dueStatement = (condition: string) => `
  SELECT ${contentColumns}, m.status, NULL AS "openAttempt", d.state, d.due_at AS "dueAt", d.asks,
         d.give_up_at AS "giveUpAt", ${isDoubted} AS "isDoubted", 0 AS "isQueued"
    FROM dispatches d JOIN messages m ON m.message_id = d.message_id
   WHERE d.${condition} AND d.due_at BETWEEN $3 AND $1 ORDER BY d.due_at, d.message_id LIMIT $2 FOR UPDATE SKIP LOCKED`;
const dueQuestionsStatement = dueStatement(isQuestion);
const dueDispatchesStatement = dueStatement(isNoQuestion);
const nextDueStatement = (condition: string) =>
  `SELECT MIN(due_at) AS "dueAt" FROM dispatches WHERE ${condition} AND due_at BETWEEN $2 AND $1`;

/** A look at what is due. */
interface DueList {
  readonly now: number;
  readonly limit: number;
  readonly look: QueueLook;
}

/** A look at what falls due next, by `until`: of receipts awaited for days, thousands come and go in between. */
interface NextDue extends Pick<DueList, "now" | "look"> {
  readonly until: number;
}

/**
 * Lists up to `limit` rows due by `now` other than questions: those claimed before come first, then the oldest. Locked
 * for update.
 */
export async function listDue(tx: Transaction, { now, limit, look }: DueList): Promise<OutboxRow[]> {
  const dispatches = await listDispatches(tx, dueDispatchesStatement, { now, limit, look });
  if (dispatches.length === limit) return dispatches;
  return dispatches.concat(await queueOf(tx).list(tx, { now, limit: limit - dispatches.length, look }));
}

/** Up to `limit` rows due by `now` that a provider is to be asked about. Held for update. */
export function listDueQuestions(tx: Transaction, list: DueList): Promise<OutboxRow[]> {
  return listDispatches(tx, dueQuestionsStatement, list);
}

async function listDispatches(tx: Transaction, statement: string, { now, limit, look }: DueList): Promise<OutboxRow[]> {
  const rows = await tx.all<OutboxRow>(statement, now, limit, look.due.at(now));
  look.due.raise(now, queueOf(tx).floorAfter(now, rows[0]?.dueAt));
  return rows;
}

/** Finds the time at which the next row of `listDue` falls due; undefined if none does in time. */
export async function findNextDue(tx: Transaction, next: NextDue): Promise<number | undefined> {
  const accepted = await queueOf(tx).findNext(tx, next);
  const dispatch = await findValue<number>(tx, nextDueStatement(isNoQuestion), next.until, next.look.due.floor);
  const dues = [accepted, dispatch].filter((dueAt) => dueAt !== undefined);
  return dues.length === 0 ? undefined : Math.min(...dues);
}

/** Finds the time at which the next row of `listDueQuestions` falls due; undefined if none does in time. */
export function findNextQuestionDue(tx: Transaction, { until, look }: NextDue): Promise<number | undefined> {
  return findValue<number>(tx, nextDueStatement(isQuestion), until, look.due.floor);
}

const orUpdate = `ON CONFLICT (message_id) DO UPDATE SET state = excluded.state, lease_token = excluded.lease_token,
        due_at = excluded.due_at, give_up_at = excluded.give_up_at`;
export const saveDispatchStatement = batchStatement({
  params: {
    messageId: "text",
    state: "text",
    token: "text",
    dueAt: "bigint",
    giveUpAt: "bigint",
    asks: "bigint",
    tenantId: "bigint",
    acceptedAt: "bigint",
  },
  one: `
    INSERT INTO dispatches (message_id, state, lease_token, due_at, give_up_at, asks, tenant_id, accepted_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ${orUpdate}`,
  batch: {
    kind: "writes",
    order: "dispatches",
    sql: (wanted) => `
      INSERT INTO dispatches (message_id, state, lease_token, due_at, give_up_at, asks, tenant_id, accepted_at)
      SELECT * FROM ${wanted} ORDER BY message_id ${orUpdate}`,
  },
});

interface Dispatch {
  readonly state: OutboxState;
  readonly token: string | null;
  readonly dueAt: number;
  readonly giveUpAt: number;
  readonly asks?: number;
}

async function saveDispatch(tx: Transaction, message: MessageProgress, dispatch: Dispatch): Promise<void> {
  const { messageId, tenantId, createdAt } = message;
  const { asks = 0 } = dispatch;
  await tx.run(saveDispatchStatement(dispatch, { messageId, asks, tenantId, acceptedAt: createdAt }));
}

/** Queues a locked message to be looked up, or to be submitted once more; any lease on it is void. */
export async function queueAgain(
  tx: Transaction,
  row: OutboxRow,
  { state, dueAt, giveUpAt, now }: { state: "reconciling" | "ready"; dueAt: number; giveUpAt: number; now: number },
): Promise<void> {
  await leaveAcceptedQueue(tx, row);
  await countOpenAttempt(tx, row, now);
  await saveDispatch(tx, row, { state, token: null, dueAt: recently(dueAt, now), giveUpAt, asks: row.asks });
  if (state === "ready") await saveWaiting(tx, row.messageId, now);
}

/** Sets a locked message aside until `dueAt`; any lease on it is void. */
export async function setAside(
  tx: Transaction,
  row: OutboxRow,
  { now, dueAt, giveUpAt }: { now: number; dueAt: number; giveUpAt: number },
): Promise<void> {
  if (row.isQueued === 1) await queueOf(tx).leave(tx, row.messageId);
  await countOpenAttempt(tx, row, now);
  await saveDispatch(tx, row, { state: row.state, token: null, dueAt, giveUpAt, asks: row.asks });
}

/** A lease of a message, until `expiresAt`. Recording its outcome requires the token. */
export interface Lease {
  readonly token: string;
  readonly expiresAt: number;
  readonly giveUpAt: number;
}

/** A locked message, and the attempt at `provider` that it is leased for. */
interface Leasing extends Omit<Lease, "token"> {
  readonly row: OutboxRow;
  readonly provider: string;
}

/** Leases locked messages, their status SENDING; returns their new state. */
export async function leaseSubmissions(
  tx: Transaction,
  leasings: readonly Leasing[],
  { token, now }: { token: string; now: number },
): Promise<OutboxRow[]> {
  return allEnded(
    leasings.map(async (leasing): Promise<OutboxRow> => {
      const { row, ...lease } = leasing;
      if (!queueOf(tx).canLease(row)) {
        await leaseOutOfQueue(tx, leasing, { token, now });
        return { ...row, status: "SENDING" };
      }
      await queueOf(tx).lease(tx, row.messageId, { ...lease, token });
      return { ...row, status: "SENDING", openAttempt: lease.provider };
    }),
  );
}

async function leaseOutOfQueue(
  tx: Transaction,
  { row, provider, expiresAt, giveUpAt }: Leasing,
  { token, now }: { token: string; now: number },
): Promise<void> {
  await leaveAcceptedQueue(tx, row);
  await saveAttempt(tx, { messageId: row.messageId, status: "SENDING", provider, now });
  await saveDispatch(tx, row, { state: "submitting", token, dueAt: expiresAt, giveUpAt, asks: row.asks });
}

/**
 * Records that a locked message under a lease leaves for its provider, and leases it until `expiresAt`. Returns its new
 * state; undefined, with nothing changed, if the lease is no longer the token's. May be repeated after a commit in
 * doubt.
 */
export async function saveHandOver(
  tx: Transaction,
  message: OutboxRow,
  { token, expiresAt, giveUpAt, now }: Lease & { now: number },
): Promise<OutboxRow | undefined> {
  const { messageId, openAttempt } = message;
  const moved = openAttempt === null ? message : { ...message, openAttempt: null, isQueued: 0 as const };
  if (openAttempt !== null && (await queueOf(tx).takeLeased(tx, messageId, token))) {
    await countOpenAttempt(tx, message, now);
    await saveDispatch(tx, message, { state: "handed-over", token, dueAt: expiresAt, giveUpAt, asks: message.asks });
    return moved;
  }
  const changed = await tx.run(
    "UPDATE dispatches SET state = 'handed-over', due_at = $3 WHERE message_id = $1 AND lease_token = $2",
    messageId,
    token,
    expiresAt,
  );
  return changed > 0 ? moved : undefined;
}

/**
 * Returns whether the message is leased by this token. Waits for a transaction that has locked it: after a commit in
 * doubt the answer is final.
 */
export async function isLeasedBy(tx: Transaction, messageId: string, token: string): Promise<boolean> {
  lockInOutbox(tx, messageId);
  const leased = queueOf(tx).leasingTables.map(
    (table) => `SELECT message_id FROM ${table} WHERE message_id = $1 AND lease_token = $2`,
  );
  return (await tx.get(leased.join(" UNION ALL "), messageId, token)) !== undefined;
}

/** Makes claims skip a locked message, once a claim that has begun with it has ended. */
export function lockInOutbox(tx: Transaction, messageId: string): void {
  for (const table of queueOf(tx).leasingTables) {
    tx.lock(`SELECT message_id FROM ${table} WHERE message_id = $1 FOR UPDATE`, messageId);
  }
}

/** Removes a locked, waiting message from the outbox. */
export async function withdraw(tx: Transaction, messageId: string): Promise<void> {
  await queueOf(tx).remove(tx, messageId);
  await endDispatch(tx, messageId);
}

/** Leases a locked message for a question to its provider. */
export function leaseQuestion(tx: Transaction, row: OutboxRow, { token, expiresAt, giveUpAt }: Lease): Promise<void> {
  return saveDispatch(tx, row, { state: "reconciling", token, dueAt: expiresAt, giveUpAt, asks: row.asks });
}

/** Ends the lease and sets the next state. Returns false, with nothing changed, if the lease is not the token's. */
export async function releaseOutbox(
  tx: Transaction,
  message: OutboxRow,
  next: {
    token: string;
    state: Exclude<OutboxState, "submitting" | "handed-over">;
    dueAt: number;
    giveUpAt: number;
    asks: number;
    now: number;
  },
): Promise<boolean> {
  const { token, state, asks, now } = next;
  const dueAt = recently(next.dueAt, now);
  // else its hand-over may have been recorded, by a commit that had no answer
  if (message.openAttempt !== null && (await queueOf(tx).takeLeased(tx, message.messageId, token))) {
    // a message that was taken is saved with its charge
    if (state !== "awaiting") await countOpenAttempt(tx, message, now);
    await saveDispatch(tx, message, { state, token: null, dueAt, giveUpAt: next.giveUpAt, asks });
    if (state === "ready") await saveWaiting(tx, message.messageId, now);
    return true;
  }
  const changed = await tx.run(
    `UPDATE dispatches SET state = $3, due_at = $4, asks = $5, lease_token = NULL
      WHERE message_id = $1 AND lease_token = $2`,
    message.messageId,
    token,
    state,
    dueAt,
    asks,
  );
  if (changed > 0 && state === "ready") await saveWaiting(tx, message.messageId, now);
  return changed > 0;
}

/** A message under the lease of a token. */
interface Leased extends Pick<Lease, "token"> {
  readonly message: OutboxRow;
}

/**
 * Ends the leases of messages that their providers took, whose receipts are awaited until `giveUpAt`. Returns false if one of
 * the leases is not its token's any more, with an unknown part of it done: the transaction must not be committed.
 */
export async function awaitReceipts(
  tx: Transaction,
  leased: readonly Leased[],
  { giveUpAt, now }: { giveUpAt: number; now: number },
): Promise<boolean> {
  const released = await allEnded(
    leased.map(({ message, token }) =>
      releaseOutbox(tx, message, { token, state: "awaiting", dueAt: giveUpAt, giveUpAt, asks: 0, now }),
    ),
  );
  return !released.includes(false);
}

/** Ends the lease of a message that needs nothing more. Returns false if the lease is no longer the token's. */
export async function finishLeased(tx: Transaction, message: OutboxRow, token: string): Promise<boolean> {
  const { messageId, openAttempt } = message;
  if (openAttempt !== null && (await queueOf(tx).takeLeased(tx, messageId, token))) return true;
  return (await tx.run("DELETE FROM dispatches WHERE message_id = $1 AND lease_token = $2", messageId, token)) > 0;
}

/**
 * Has a locked message submitted again that was handed over and proved not to be taken; any lease on it is void.
 * Returns false if it is no longer in doubt.
 */
export async function submitAgain(
  tx: Transaction,
  messageId: string,
  { dueAt, now }: { dueAt: number; now: number },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE dispatches SET state = 'ready', due_at = $2, asks = 0, lease_token = NULL
      WHERE message_id = $1 AND state IN ('handed-over', 'reconciling')`,
    messageId,
    dueAt,
  );
  if (changed > 0) await saveWaiting(tx, messageId, now);
  return changed > 0;
}

/** Removes a locked message whose final state is known from the outbox; any lease on it is void. */
export async function removeFromOutbox(tx: Transaction, row: OutboxRow): Promise<void> {
  await leaveAcceptedQueue(tx, row);
  await endDispatch(tx, row.messageId);
}

/** Removes a message that was taken, and whose final state is known. */
export async function endDispatch(tx: Transaction, messageId: string): Promise<void> {
  await tx.run(endDispatchStatement({ messageId }));
}

/** Removes messages that were taken, and whose final states are known. */
export async function endDispatches(tx: Transaction, messageIds: readonly string[]): Promise<void> {
  await allEnded(messageIds.map((messageId) => endDispatch(tx, messageId)));
}

export const endDispatchStatement = batchStatement({
  params: { messageId: "text" },
  one: "DELETE FROM dispatches WHERE message_id = $1",
  batch: { kind: "writes", order: "dispatches", sql: () => `DELETE FROM dispatches WHERE ${isAmong("message_id")}` },
});

function leaveAcceptedQueue(tx: Transaction, { messageId, isQueued }: OutboxRow): Promise<void> {
  return isQueued === 1 ? queueOf(tx).remove(tx, messageId) : Promise.resolve();
}

/** Saves an attempt that ended without an outcome, or whose process is gone. */
async function countOpenAttempt(tx: Transaction, message: MessageProgress, now: number): Promise<void> {
  const { messageId, openAttempt: provider } = message;
  if (provider !== null) await saveAttempt(tx, { messageId, status: "SENDING", provider, now });
}

/** Makes every lease due at `now`, when their holders are known to be dead. */
export async function expireLeases(tx: Transaction, now: number): Promise<void> {
  await queueOf(tx).expireLeases(tx, now);
  for (const condition of [isQuestion, isNoQuestion]) {
    await tx.run(
      `UPDATE dispatches SET due_at = $1 WHERE ${condition} AND lease_token IS NOT NULL AND due_at > $1`,
      now,
    );
  }
}

/**
 * Awaits the final receipt of a locked message that the provider turned out to have taken, until `giveUpAt`; any lease
 * on it is void.
 */
export async function awaitReceipt(tx: Transaction, message: MessageProgress, giveUpAt: number): Promise<void> {
  const { messageId, openAttempt } = message;
  if (openAttempt !== null) {
    await queueOf(tx).remove(tx, messageId);
    await saveDispatch(tx, message, { state: "awaiting", token: null, dueAt: giveUpAt, giveUpAt });
    return;
  }
  await tx.run(
    "UPDATE dispatches SET state = 'awaiting', due_at = $2, lease_token = NULL WHERE message_id = $1",
    messageId,
    giveUpAt,
  );
}
