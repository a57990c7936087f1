// The queue of accepted messages. SQLite has it in an index of the messages that are QUEUED, so that accepting costs no
// statement, and a message that is claimed leaves it. PostgreSQL has it in a narrow table, `outbox`: a claim leases the
// row in its place, which changes no index and not the message, and the row goes with the attempt's outcome.

import { contentColumns, isDoubted, type OutboxRow } from "./outbox-rows.ts";
import type { Transaction } from "./store.ts";

/** An entry's place: the lowest order goes first; of equals, the oldest. */
export interface QueueKey {
  readonly messageId: string;
  readonly queueOrder: number;
}

export interface QueueEntry extends QueueKey {
  readonly tenantId: number;
  /** Epoch milliseconds. */
  readonly acceptedAt: number;
}

/** A lease of an entry in its place, for an attempt at `provider`. */
export interface QueueLease {
  readonly token: string;
  readonly expiresAt: number;
  readonly giveUpAt: number;
  readonly provider: string;
}

// ids sort by time, so the oldest of equals comes first
const inOrder = (table: string) => `ORDER BY ${table}.queue_order, ${table}.message_id`;

const listIndexStatement = `
  SELECT ${contentColumns}, m.status, NULL AS "openAttempt", 'ready' AS state, m.created_at AS "dueAt", 0 AS asks,
         NULL AS "giveUpAt", ${isDoubted} AS "isDoubted", 1 AS "isQueued"
    FROM messages m WHERE m.status = 'QUEUED' AND m.queue_order IS NOT NULL ${inOrder("m")} LIMIT $1`;

const listTableStatement = `
  SELECT ${contentColumns}, CASE WHEN o.lease_token IS NULL THEN m.status ELSE 'SENDING' END AS status,
         o.provider AS "openAttempt", CASE WHEN o.lease_token IS NULL THEN 'ready' ELSE 'submitting' END AS state,
         CASE WHEN o.lease_token IS NULL THEN o.accepted_at ELSE o.lease_until END AS "dueAt", 0 AS asks,
         o.give_up_at AS "giveUpAt", ${isDoubted} AS "isDoubted", 1 AS "isQueued"
    FROM outbox o JOIN messages m ON m.message_id = o.message_id
   WHERE o.lease_until <= $2 ${inOrder("o")} LIMIT $1 FOR UPDATE OF o SKIP LOCKED`;

/** The first entries that no live lease keeps. Held for update; others skip them. */
export function listAccepted(tx: Transaction, now: number, limit: number): Promise<OutboxRow[]> {
  return tx.dialect.hasQueueTable
    ? tx.all<OutboxRow>(listTableStatement, limit, now)
    : tx.all<OutboxRow>(listIndexStatement, limit);
}

/** When there is something to list; undefined if never. */
export async function findNextAccepted(tx: Transaction, now: number): Promise<number | undefined> {
  if (!tx.dialect.hasQueueTable) {
    const first = await tx.get<{ dueAt: number }>(
      `SELECT created_at AS "dueAt" FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL
        ORDER BY queue_order, message_id LIMIT 1`,
    );
    return first?.dueAt;
  }
  const first = await tx.get<{ dueAt: number }>(
    `SELECT accepted_at AS "dueAt" FROM outbox WHERE lease_until <= $1 ORDER BY queue_order, message_id LIMIT 1`,
    now,
  );
  if (first !== undefined) return first.dueAt;
  // then all that is there is leased: no more than is under way
  const lease = await tx.get<{ dueAt: number | null }>(`SELECT MIN(lease_until) AS "dueAt" FROM outbox`);
  return lease?.dueAt ?? undefined;
}

/** How many there are to list, at most `most`. */
export async function countAccepted(tx: Transaction, now: number, most: number): Promise<number> {
  const row = await (tx.dialect.hasQueueTable
    ? tx.get<{ count: number }>(
        "SELECT COUNT(*) AS count FROM (SELECT 1 FROM outbox WHERE lease_until <= $2 LIMIT $1) AS some",
        most,
        now,
      )
    : tx.get<{ count: number }>(
        `SELECT COUNT(*) AS count FROM
          (SELECT 1 FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL LIMIT $1) AS some`,
        most,
      ));
  return row?.count ?? 0;
}

/** Marks what no attempt was begun of as doubted; makes an attempt under way a question. Returns how many of each. */
export async function doubtAccepted(
  tx: Transaction,
  { now, giveUpAt }: { now: number; giveUpAt: number },
): Promise<{ doubted: number; asked: number }> {
  if (!tx.dialect.hasQueueTable) {
    const doubted = await tx.run(
      `INSERT INTO doubts (message_id) SELECT message_id FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL
       ON CONFLICT (message_id) DO NOTHING`,
    );
    return { doubted, asked: 0 };
  }
  const doubted = await tx.run(
    `INSERT INTO doubts (message_id) SELECT message_id FROM outbox WHERE lease_token IS NULL
     ON CONFLICT (message_id) DO NOTHING`,
  );
  await tx.run(
    `UPDATE messages SET status = 'SENDING', attempts = attempts + 1, provider = o.provider, updated_at = $1
       FROM outbox o WHERE o.message_id = messages.message_id AND o.lease_token IS NOT NULL`,
    now,
  );
  const asked = await tx.run(
    `WITH begun AS (DELETE FROM outbox WHERE lease_token IS NOT NULL RETURNING *)
     INSERT INTO dispatches (message_id, state, lease_token, due_at, give_up_at, asks, tenant_id, accepted_at)
     SELECT message_id, 'reconciling', NULL, CAST($1 AS BIGINT), CAST($2 AS BIGINT), 0, tenant_id, accepted_at FROM begun`,
    now,
    giveUpAt,
  );
  return { doubted, asked };
}

/** Whether a paid SMS or email of the range waits, of which no outcome is saved: see open-items.ts. */
export async function hasAcceptedItems(
  tx: Transaction,
  range: { tenantId: number; order: number; fromId: string; toId: string; fromMs: number; toMs: number },
): Promise<boolean> {
  const ofRange = (
    table: string,
  ) => `${table}.queue_order = $1 AND ${table}.message_id >= $2 AND ${table}.message_id < $3
        AND ${table}.tenant_id = $4`;
  const isPaid = "m.channel <> 'VOICE' AND m.units > 0 AND m.created_at >= $5 AND m.created_at < $6";
  const found = await tx.get(
    tx.dialect.hasQueueTable
      ? `SELECT 1 AS found FROM outbox o JOIN messages m ON m.message_id = o.message_id
          WHERE ${ofRange("o")} AND ${isPaid} LIMIT 1`
      : `SELECT 1 AS found FROM messages m
          WHERE m.status = 'QUEUED' AND m.queue_order IS NOT NULL AND ${ofRange("m")} AND ${isPaid} LIMIT 1`,
    range.order,
    range.fromId,
    range.toId,
    range.tenantId,
    range.fromMs,
    range.toMs,
  );
  return found !== undefined;
}

/** Has a set form. */
export const insertEntryStatement =
  "INSERT INTO outbox (queue_order, message_id, tenant_id, accepted_at) VALUES ($1, $2, $3, $4)";

/** Queues a message whose row is QUEUED, and says its order. Undefined where the row says it all. */
export function addToQueue(tx: Transaction, entry: QueueEntry): Promise<unknown> | undefined {
  if (!tx.dialect.hasQueueTable) return undefined;
  return tx.run(insertEntryStatement, entry.queueOrder, entry.messageId, entry.tenantId, entry.acceptedAt);
}

/** Has a set form. */
export const leaseEntryStatement = `
  UPDATE outbox SET lease_token = $3, lease_until = $4, give_up_at = $5, provider = $6
   WHERE queue_order = $1 AND message_id = $2`;

/**
 * Leases a held entry in its place; what the attempt changes of the message is saved with its outcome. Resolves to
 * false where entries leave the queue instead when they are claimed.
 */
export async function leaseInQueue(tx: Transaction, key: QueueKey, lease: QueueLease): Promise<boolean> {
  if (!tx.dialect.hasQueueTable) return false;
  await tx.run(
    leaseEntryStatement,
    key.queueOrder,
    key.messageId,
    lease.token,
    lease.expiresAt,
    lease.giveUpAt,
    lease.provider,
  );
  return true;
}

/** Removes an entry. */
export async function removeFromQueue(tx: Transaction, key: QueueKey): Promise<void> {
  if (!tx.dialect.hasQueueTable) return;
  await tx.run("DELETE FROM outbox WHERE queue_order = $1 AND message_id = $2", key.queueOrder, key.messageId);
}

/** Has a set form. */
export const takeEntryStatement = "DELETE FROM outbox WHERE queue_order = $1 AND message_id = $2 AND lease_token = $3";

/** Removes an entry if its lease is the token's. Returns false, with nothing changed, if it is not. */
export async function takeLeased(tx: Transaction, key: QueueKey, token: string): Promise<boolean> {
  if (!tx.dialect.hasQueueTable) return false;
  const removed = await tx.run(takeEntryStatement, key.queueOrder, key.messageId, token);
  return removed > 0;
}

/** Makes every lease in the queue due at `now`, when their holders are known to be dead. */
export async function expireQueueLeases(tx: Transaction, now: number): Promise<void> {
  if (!tx.dialect.hasQueueTable) return;
  await tx.run("UPDATE outbox SET lease_until = $1 WHERE lease_until > $1", now);
}
