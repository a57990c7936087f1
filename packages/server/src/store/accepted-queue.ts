// The queue of accepted messages. SQLite has it in an index of the messages that are QUEUED, so that accepting costs no
// statement, and a message that is claimed leaves it. PostgreSQL has it in a narrow table, `outbox`: a claim leases the
// row in its place, which changes no index and not the message, and the row goes with the attempt's outcome.

import { contentColumns, isDoubted, type OutboxRow } from "./outbox-rows.ts";
import { floorsTable, isAboveFloor, type QueueLook, queueOrders } from "./queue-floors.ts";
import type { Transaction } from "./store.ts";

export interface QueueEntry {
  readonly messageId: string;
  /** The lowest order goes first; of equals, the oldest. */
  readonly queueOrder: number;
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
const listIndexStatement = (orders: string) => `
  SELECT ${contentColumns}, m.status, NULL AS "openAttempt", 'ready' AS state, m.created_at AS "dueAt", 0 AS asks,
         NULL AS "giveUpAt", ${isDoubted} AS "isDoubted", 1 AS "isQueued"
    FROM messages m WHERE m.status = 'QUEUED' AND m.queue_order IS NOT NULL AND m.queue_order ${orders}
   ORDER BY m.queue_order, m.message_id LIMIT $1`;
const firstInIndexStatement = listIndexStatement(`= ${queueOrders.HIGH}`);
const othersInIndexStatement = listIndexStatement(`> ${queueOrders.HIGH}`);

// one order after the other, each held in its order: no more are held than are listed
const listTableStatement = (places: string) => `
  SELECT ${contentColumns}, CASE WHEN o.lease_token IS NULL THEN m.status ELSE 'SENDING' END AS status,
         o.provider AS "openAttempt", CASE WHEN o.lease_token IS NULL THEN 'ready' ELSE 'submitting' END AS state,
         CASE WHEN o.lease_token IS NULL THEN o.accepted_at ELSE o.lease_until END AS "dueAt", 0 AS asks,
         o.give_up_at AS "giveUpAt", ${isDoubted} AS "isDoubted", 1 AS "isQueued"
    FROM ${floorsTable(3)}
   CROSS JOIN LATERAL (SELECT * FROM outbox o WHERE ${isAboveFloor} AND o.lease_until <= $2
                        ORDER BY o.queued_by, o.message_id LIMIT $1 FOR UPDATE SKIP LOCKED) AS o
    JOIN messages m ON m.message_id = o.message_id
   WHERE f.place ${places}
   ORDER BY f.place LIMIT $1`;
const firstInTableStatement = listTableStatement("= 1");
const othersInTableStatement = listTableStatement("> 1");

/** The part of a list that is left to others, however many go first. */
const SHARE_OF_OTHERS = 1 / 4;

/** More leases than all instances together have. */
const MOST_UNDER_WAY = 10_000;

/**
 * The first entries that no live lease keeps: those of the highest order before all others, which have a share as long as they
 * wait. Held for update; others skip them.
 */
export async function listAccepted(
  tx: Transaction,
  { now, limit, look }: { now: number; limit: number; look: QueueLook },
): Promise<OutboxRow[]> {
  const list = (inIndex: string, inTable: string, most: number) =>
    tx.dialect.hasQueueTable ? tx.all<OutboxRow>(inTable, most, now, ...look.floors) : tx.all<OutboxRow>(inIndex, most);
  const firsts = await list(firstInIndexStatement, firstInTableStatement, limit);
  const room = Math.max(limit - firsts.length, Math.floor(limit * SHARE_OF_OTHERS));
  if (room === 0) return firsts;
  const others = await list(othersInIndexStatement, othersInTableStatement, room);
  return [...firsts.slice(0, limit - others.length), ...others];
}

const firstsInIndex = Object.values(queueOrders).map(
  (order) => `
    SELECT (SELECT created_at FROM messages WHERE status = 'QUEUED' AND queue_order = ${order}
             ORDER BY message_id LIMIT 1) AS due_at`,
);

/** When the first of what there is to list was accepted, or what is leased can be listed; undefined if never. */
export async function findNextAccepted(
  tx: Transaction,
  { now, look }: { now: number; look: QueueLook },
): Promise<number | undefined> {
  if (!tx.dialect.hasQueueTable) {
    const first = await tx.get<{ dueAt: number | null }>(
      `SELECT MIN(due_at) AS "dueAt" FROM (${firstsInIndex.join(" UNION ALL ")}) AS firsts`,
    );
    return first?.dueAt ?? undefined;
  }
  const first = await tx.get<{ dueAt: number | null }>(
    `SELECT MIN(o.accepted_at) AS "dueAt"
       FROM ${floorsTable(2)}
      CROSS JOIN LATERAL (SELECT accepted_at FROM outbox o WHERE ${isAboveFloor} AND o.lease_until <= $1
                           ORDER BY o.queued_by, o.message_id LIMIT 1) AS o`,
    now,
    ...look.floors,
  );
  if (typeof first?.dueAt === "number") return first.dueAt;
  // then all that is there is leased: no more than is under way
  const lease = await tx.get<{ dueAt: number | null }>(
    `SELECT MIN(o.lease_until) AS "dueAt"
       FROM ${floorsTable(2)}
      CROSS JOIN LATERAL (SELECT lease_until FROM outbox o WHERE ${isAboveFloor}
                           ORDER BY o.queued_by, o.message_id LIMIT $1) AS o`,
    MOST_UNDER_WAY,
    ...look.floors,
  );
  return lease?.dueAt ?? undefined;
}

/** How many there are to list, at most `most`. */
export async function countAccepted(
  tx: Transaction,
  { now, most, look }: { now: number; most: number; look: QueueLook },
): Promise<number> {
  const row = await (tx.dialect.hasQueueTable
    ? tx.get<{ count: number }>(
        `SELECT COUNT(*) AS count FROM
          (SELECT 1 FROM ${floorsTable(3)}
            CROSS JOIN LATERAL (SELECT 1 FROM outbox o WHERE ${isAboveFloor} AND o.lease_until <= $2
                                 ORDER BY o.queued_by, o.message_id LIMIT $1) AS o LIMIT $1) AS counted`,
        most,
        now,
        ...look.floors,
      )
    : tx.get<{ count: number }>(
        `SELECT COUNT(*) AS count FROM
          (SELECT 1 FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL LIMIT $1) AS counted`,
        most,
      ));
  return row?.count ?? 0;
}

/** What waits of a tenant among the first `most` entries of all tenants. */
export interface TenantQueue {
  readonly count: number;
  /** When the first of them was accepted, in epoch milliseconds. */
  readonly since: number | null;
  /** Whether entries behind the first `most` were not looked at. */
  readonly isMore: boolean;
}

/** Counts a tenant's entries that no attempt was begun of. */
export async function countAcceptedOf(
  tx: Transaction,
  { tenantId, most, look }: { tenantId: number; most: number; look: QueueLook },
): Promise<TenantQueue> {
  const counting = `SELECT COUNT(CASE WHEN tenant_id = $2 THEN 1 END) AS count, COUNT(*) AS looked,
           MIN(CASE WHEN tenant_id = $2 THEN at END) AS since`;
  const row = await (tx.dialect.hasQueueTable
    ? tx.get<{ count: number; looked: number; since: number | null }>(
        `${counting} FROM
          (SELECT o.* FROM ${floorsTable(3)}
            CROSS JOIN LATERAL (SELECT tenant_id, accepted_at AS at FROM outbox o
                                 WHERE ${isAboveFloor} AND lease_token IS NULL LIMIT $1) AS o LIMIT $1) AS looked_at`,
        most,
        tenantId,
        ...look.floors,
      )
    : tx.get<{ count: number; looked: number; since: number | null }>(
        `${counting} FROM
          (SELECT tenant_id, created_at AS at FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL
            LIMIT $1) AS looked_at`,
        most,
        tenantId,
      ));
  return { count: row?.count ?? 0, since: row?.since ?? null, isMore: row?.looked === most };
}

/**
 * Marks what no attempt was begun of as doubted; makes an attempt under way a question, at once or, if its lease ends after
 * `leasesEndAfter`, then. Returns how many of each.
 */
export async function doubtAccepted(
  tx: Transaction,
  { now, giveUpAt, leasesEndAfter }: { now: number; giveUpAt: number; leasesEndAfter: number },
): Promise<{ doubted: number; asked: number }> {
  if (!tx.dialect.hasQueueTable) {
    const doubted = await tx.run(
      `INSERT INTO doubts (message_id) SELECT message_id FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL
       ON CONFLICT (message_id) DO NOTHING`,
    );
    return { doubted, asked: 0 };
  }
  // held: what another claims meanwhile is in no doubt any more once that is committed
  const doubted = await tx.run(
    `INSERT INTO doubts (message_id)
     SELECT message_id FROM outbox WHERE lease_token IS NULL ORDER BY message_id FOR UPDATE
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
     SELECT message_id, CASE WHEN lease_until > CAST($3 AS BIGINT) THEN 'handed-over' ELSE 'reconciling' END, NULL,
            CASE WHEN lease_until > CAST($3 AS BIGINT) THEN lease_until ELSE CAST($1 AS BIGINT) END,
            CAST($2 AS BIGINT), 0, tenant_id, accepted_at FROM begun`,
    now,
    giveUpAt,
    leasesEndAfter,
  );
  return { doubted, asked };
}

/** Marks what no attempt was begun of as what a carrier may have been given. Returns how many. */
export function suspectAccepted(tx: Transaction, carrier: string): Promise<number> {
  const accepted = tx.dialect.hasQueueTable
    ? "SELECT message_id, $1 FROM outbox WHERE lease_token IS NULL ORDER BY message_id FOR UPDATE"
    : "SELECT message_id, $1 FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL";
  return tx.run(
    `INSERT INTO suspected_messages (message_id, carrier) ${accepted} ON CONFLICT (message_id, carrier) DO NOTHING`,
    carrier,
  );
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
  UPDATE outbox SET lease_token = $2, lease_until = $3, give_up_at = $4, provider = $5 WHERE message_id = $1`;

/**
 * Leases a held entry in its place; what the attempt changes of the message is saved with its outcome. Does nothing where
 * entries leave the queue instead when they are claimed.
 */
export async function leaseInQueue(tx: Transaction, messageId: string, lease: QueueLease): Promise<void> {
  if (!tx.dialect.hasQueueTable) return;
  const { token, expiresAt, giveUpAt, provider } = lease;
  await tx.run(leaseEntryStatement, messageId, token, expiresAt, giveUpAt, provider);
}

/** Removes an entry. */
export async function removeFromQueue(tx: Transaction, messageId: string): Promise<void> {
  if (tx.dialect.hasQueueTable) await tx.run("DELETE FROM outbox WHERE message_id = $1", messageId);
}

/** Removes an entry of a message that stays QUEUED: where the queue is an index of messages, its row says so. */
export function leaveAccepted(tx: Transaction, messageId: string): Promise<unknown> {
  if (tx.dialect.hasQueueTable) return removeFromQueue(tx, messageId);
  return tx.run("UPDATE messages SET queue_order = NULL WHERE message_id = $1", messageId);
}

/** Has a set form. */
export const takeEntryStatement = "DELETE FROM outbox WHERE message_id = $1 AND lease_token = $2";

/** Removes an entry if its lease is the token's. Returns false, with nothing changed, if it is not. */
export async function takeLeased(tx: Transaction, messageId: string, token: string): Promise<boolean> {
  return tx.dialect.hasQueueTable && (await tx.run(takeEntryStatement, messageId, token)) > 0;
}

/** Makes every lease in the queue due at `now`, when their holders are known to be dead. */
export async function expireQueueLeases(tx: Transaction, now: number): Promise<void> {
  if (!tx.dialect.hasQueueTable) return;
  await tx.run("UPDATE outbox SET lease_until = $1 WHERE lease_until > $1", now);
}
