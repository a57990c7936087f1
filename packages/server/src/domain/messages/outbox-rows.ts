// The outbox: messages that dispatch still has to submit, ask the provider about, or give up on. Newly accepted messages
// are in the accepted queue (queue/queue.ts), all others in `dispatches`.
// Every change locks the message first, then its dispatch, then the quota that it is charged to. This order prevents
// deadlocks.

import { allEnded } from "../../store/batching.ts";
import { queueOf } from "../../store/queue/engine.ts";
import {
  contentColumns,
  isDoubted,
  type MessageProgress,
  type OutboxRow,
  type OutboxState,
} from "../../store/queue/message-rows.ts";
import { type QueueScan, recently } from "../../store/queue/queue.ts";
import { batchStatement, isAmong } from "../../store/statement.ts";
import { findValue, type Transaction } from "../../store/store.ts";
import { saveAttempt, saveWaiting } from "./progress-rows.ts";

export type { OutboxRow, OutboxState } from "../../store/queue/message-rows.ts";

/** Conditions for messages that a provider must be asked about (look-ups), and for all others. Each has its own index. */
const isLookup = "state = 'reconciling'";
const isNoLookup = "state <> 'reconciling'";

const dueStatement = (condition: string) => `
  SELECT ${contentColumns}, m.status, NULL AS "openAttempt", d.state, d.due_at AS "dueAt", d.asks,
         d.give_up_at AS "giveUpAt", ${isDoubted} AS "isDoubted", 0 AS "isQueued"
    FROM dispatches d JOIN messages m ON m.message_id = d.message_id
   WHERE d.${condition} AND d.due_at BETWEEN $3 AND $1 ORDER BY d.due_at, d.message_id LIMIT $2 FOR UPDATE SKIP LOCKED`;
const dueLookupsStatement = dueStatement(isLookup);
const dueDispatchesStatement = dueStatement(isNoLookup);
const nextDueStatement = (condition: string) =>
  `SELECT MIN(due_at) AS "dueAt" FROM dispatches WHERE ${condition} AND due_at BETWEEN $2 AND $1`;

/** A request for due rows. */
interface DueList {
  readonly now: number;
  readonly limit: number;
  readonly scan: QueueScan;
}

/** A request for the next due time, up to `until`. Rows due later, such as thousands of awaited receipts, are not read. */
interface NextDue extends Pick<DueList, "now" | "scan"> {
  readonly until: number;
}

/**
 * Lists up to `limit` rows due by `now`, except look-ups: messages that were claimed before come first, then the oldest
 * accepted ones. Locks them for update.
 */
export async function listDue(tx: Transaction, { now, limit, scan }: DueList): Promise<OutboxRow[]> {
  const dispatches = await listDispatches(tx, dueDispatchesStatement, { now, limit, scan });
  if (dispatches.length === limit) return dispatches;
  return dispatches.concat(await queueOf(tx).list(tx, { now, limit: limit - dispatches.length, scan }));
}

/** Lists up to `limit` messages due by `now` that a provider must be asked about. Locks them for update. */
export function listDueLookups(tx: Transaction, list: DueList): Promise<OutboxRow[]> {
  return listDispatches(tx, dueLookupsStatement, list);
}

async function listDispatches(tx: Transaction, statement: string, { now, limit, scan }: DueList): Promise<OutboxRow[]> {
  const rows = await tx.all<OutboxRow>(statement, now, limit, scan.due.at(now));
  scan.due.raise(now, queueOf(tx).floorAfter(now, rows[0]?.dueAt));
  return rows;
}

/** Finds when the next row of `listDue` falls due; undefined if none does by `until`. */
export async function findNextDue(tx: Transaction, next: NextDue): Promise<number | undefined> {
  const accepted = await queueOf(tx).findNext(tx, next);
  const dispatch = await findValue<number>(tx, nextDueStatement(isNoLookup), next.until, next.scan.due.floor);
  const dues = [accepted, dispatch].filter((dueAt) => dueAt !== undefined);
  return dues.length === 0 ? undefined : Math.min(...dues);
}

/** Finds when the next row of `listDueLookups` falls due; undefined if none does by `until`. */
export function findNextLookupDue(tx: Transaction, { until, scan }: NextDue): Promise<number | undefined> {
  return findValue<number>(tx, nextDueStatement(isLookup), until, scan.due.floor);
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

/** Queues a locked message to be looked up or submitted again, and voids any lease on it. */
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

/** Defers a locked message until `dueAt`, and voids any lease on it. */
export async function setAside(
  tx: Transaction,
  row: OutboxRow,
  { now, dueAt, giveUpAt }: { now: number; dueAt: number; giveUpAt: number },
): Promise<void> {
  if (row.isQueued === 1) await queueOf(tx).leave(tx, row.messageId);
  await countOpenAttempt(tx, row, now);
  await saveDispatch(tx, row, { state: row.state, token: null, dueAt, giveUpAt, asks: row.asks });
}

/** A lease of a message until `expiresAt`. Only the holder of the token can record the outcome. */
export interface Lease {
  readonly token: string;
  readonly expiresAt: number;
  readonly giveUpAt: number;
}

/** A locked message, to be leased for an attempt at `provider`. */
interface Leasing extends Omit<Lease, "token"> {
  readonly row: OutboxRow;
  readonly provider: string;
}

/** Leases locked messages for submission, with status SENDING. Returns their new state. */
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
 * Records that a locked, leased message is about to be submitted to its provider, and leases it until `expiresAt`.
 * Returns its new state. If the lease has another token by now, changes nothing and returns undefined. May be repeated
 * if it is unknown whether the commit succeeded.
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
 * Returns whether the message is leased by this token. Waits for any transaction that has locked the message, so the
 * answer is final even if an earlier commit's outcome was unknown.
 */
export async function isLeasedBy(tx: Transaction, messageId: string, token: string): Promise<boolean> {
  lockInOutbox(tx, messageId);
  const leased = queueOf(tx).leasingTables.map(
    (table) => `SELECT message_id FROM ${table} WHERE message_id = $1 AND lease_token = $2`,
  );
  return (await tx.get(leased.join(" UNION ALL "), messageId, token)) !== undefined;
}

/** Makes claims skip a locked message. Waits for a claim that has already locked its outbox row. */
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

/** Leases a locked message for asking its provider about it. */
export function leaseLookup(tx: Transaction, row: OutboxRow, { token, expiresAt, giveUpAt }: Lease): Promise<void> {
  return saveDispatch(tx, row, { state: "reconciling", token, dueAt: expiresAt, giveUpAt, asks: row.asks });
}

/** Ends the lease and sets the next state. If the lease has another token, changes nothing and returns false. */
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
  // if the queue does not have it, `saveHandOver` may have moved it to `dispatches`, in a commit whose outcome was unknown
  if (message.openAttempt !== null && (await queueOf(tx).takeLeased(tx, message.messageId, token))) {
    // the attempt of an accepted message is saved with its charge instead
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

/** A message leased by a token, and the time at which it is due if its receipt has not arrived by then. */
interface Accepted extends Pick<Lease, "token"> {
  readonly message: OutboxRow;
  readonly dueAt: number;
}

/**
 * Ends the leases of messages that their providers accepted, and awaits their receipts until `giveUpAt`. If any lease
 * has another token by now, returns false: some of the messages may be changed, so the transaction must be rolled back.
 */
export async function awaitReceipts(
  tx: Transaction,
  accepted: readonly Accepted[],
  { giveUpAt, now }: { giveUpAt: number; now: number },
): Promise<boolean> {
  const released = await allEnded(
    accepted.map(({ message, token, dueAt }) =>
      releaseOutbox(tx, message, { token, state: "awaiting", dueAt, giveUpAt, asks: 0, now }),
    ),
  );
  return !released.includes(false);
}

/** Ends the lease of a message that dispatch has finished with. Returns false if the lease has another token by now. */
export async function finishLeased(tx: Transaction, message: OutboxRow, token: string): Promise<boolean> {
  const { messageId, openAttempt } = message;
  if (openAttempt !== null && (await queueOf(tx).takeLeased(tx, messageId, token))) return true;
  return (await tx.run("DELETE FROM dispatches WHERE message_id = $1 AND lease_token = $2", messageId, token)) > 0;
}

/**
 * Queues a locked message for submission again, after proof that the provider did not accept it, and voids any lease on
 * it. Returns false if it is no longer in doubt.
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

/** Removes a locked message with a final state from the outbox, and voids any lease on it. */
export async function removeFromOutbox(tx: Transaction, row: OutboxRow): Promise<void> {
  await leaveAcceptedQueue(tx, row);
  await endDispatch(tx, row.messageId);
}

/** Removes the dispatch of an accepted message with a final state. */
export async function endDispatch(tx: Transaction, messageId: string): Promise<void> {
  await tx.run(endDispatchStatement({ messageId }));
}

/** Removes the dispatches of accepted messages with final states. */
export async function endDispatches(tx: Transaction, messageIds: readonly string[]): Promise<void> {
  await allEnded(messageIds.map((messageId) => endDispatch(tx, messageId)));
}

export const endDispatchStatement = batchStatement({
  params: { messageId: "text" },
  one: "DELETE FROM dispatches WHERE message_id = $1",
  batch: {
    kind: "writes",
    order: "dispatches",
    sql: () => `DELETE FROM dispatches WHERE ${isAmong("message_id")}`,
  },
});

function leaveAcceptedQueue(tx: Transaction, { messageId, isQueued }: OutboxRow): Promise<void> {
  return isQueued === 1 ? queueOf(tx).remove(tx, messageId) : Promise.resolve();
}

/** Counts an attempt that ended without an outcome, or whose process has died. */
async function countOpenAttempt(tx: Transaction, message: MessageProgress, now: number): Promise<void> {
  const { messageId, openAttempt: provider } = message;
  if (provider !== null) await saveAttempt(tx, { messageId, status: "SENDING", provider, now });
}

/** Expires all leases at `now`. Call it only when their holders are known to be dead. */
export async function expireLeases(tx: Transaction, now: number): Promise<void> {
  await queueOf(tx).expireLeases(tx, now);
  for (const condition of [isLookup, isNoLookup]) {
    await tx.run(
      `UPDATE dispatches SET due_at = $1 WHERE ${condition} AND lease_token IS NOT NULL AND due_at > $1`,
      now,
    );
  }
}

/**
 * Makes a locked message await its final receipt until `giveUpAt`, after it turned out that the provider had accepted it.
 * Voids any lease on it. The message is next due at `dueAt`.
 */
export async function awaitReceipt(
  tx: Transaction,
  message: MessageProgress,
  { dueAt, giveUpAt }: { dueAt: number; giveUpAt: number },
): Promise<void> {
  const { messageId, openAttempt } = message;
  if (openAttempt !== null) {
    await queueOf(tx).remove(tx, messageId);
    await saveDispatch(tx, message, { state: "awaiting", token: null, dueAt, giveUpAt });
    return;
  }
  await tx.run(
    `UPDATE dispatches SET state = 'awaiting', due_at = $2, give_up_at = $3, asks = 0, lease_token = NULL
      WHERE message_id = $1`,
    messageId,
    dueAt,
    giveUpAt,
  );
}
