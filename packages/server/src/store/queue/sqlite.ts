// The queue of accepted messages on SQLite: an index of the QUEUED messages. Queuing takes no statement of its own, and
// a claimed message leaves the index. SQLite has one process with one writer, so nothing is leased in the queue.

import { findCount, findValue } from "../store.ts";
import { contentColumns, isDoubted, type OutboxRow } from "./message-rows.ts";
import { BEGINNING, listInOrder, type Queue, queueOrders } from "./queue.ts";

const isAccepted = "status = 'QUEUED' AND queue_order IS NOT NULL";

// ids sort by time, so within an order the oldest message comes first
const listStatement = (orders: string) => `
  SELECT ${contentColumns}, m.status, NULL AS "openAttempt", 'ready' AS state, m.created_at AS "dueAt", 0 AS asks,
         NULL AS "giveUpAt", ${isDoubted} AS "isDoubted", 1 AS "isQueued"
    FROM messages m WHERE ${isAccepted} AND m.queue_order ${orders}
   ORDER BY m.queue_order, m.message_id LIMIT $1`;
const listFirstStatement = listStatement(`= ${queueOrders.HIGH}`);
const listOthersStatement = listStatement(`> ${queueOrders.HIGH}`);

const firstOfOrders = Object.values(queueOrders).map(
  (order) => `
    SELECT (SELECT created_at FROM messages WHERE status = 'QUEUED' AND queue_order = ${order}
             ORDER BY message_id LIMIT 1) AS due_at`,
);
const nextStatement = `SELECT MIN(due_at) AS "dueAt" FROM (${firstOfOrders.join(" UNION ALL ")}) AS firsts`;

export const sqliteQueue: Queue = {
  tables: () => [
    "CREATE INDEX messages_queued ON messages (queue_order, message_id) WHERE status = 'QUEUED' AND queue_order IS NOT NULL",
    "CREATE INDEX messages_unknown ON messages (status, tenant_id) WHERE status = 'UNKNOWN'",
  ],

  async add() {},

  list(tx, { limit }) {
    return listInOrder(limit, {
      first: (most) => tx.all<OutboxRow>(listFirstStatement, most),
      others: (most) => tx.all<OutboxRow>(listOthersStatement, most),
    });
  },

  async findNext(tx) {
    return findValue<number>(tx, nextStatement);
  },

  async count(tx, { most }) {
    return findCount(
      tx,
      `SELECT COUNT(*) AS count FROM (SELECT 1 FROM messages WHERE ${isAccepted} LIMIT $1) AS counted`,
      most,
    );
  },

  async countOf(tx, { tenantId, most }) {
    const row = await tx.get<{ count: number; examined: number; since: number | null }>(
      `SELECT COUNT(CASE WHEN tenant_id = $2 THEN 1 END) AS count, COUNT(*) AS examined,
              MIN(CASE WHEN tenant_id = $2 THEN at END) AS since
         FROM (SELECT tenant_id, created_at AS at FROM messages WHERE ${isAccepted} LIMIT $1) AS looked_at`,
      most,
      tenantId,
    );
    return { count: row?.count ?? 0, since: row?.since ?? null, isMore: row?.examined === most };
  },

  async hasItems(tx, { order, fromId, toId, tenantId, fromMs, toMs }) {
    const found = await tx.get(
      `SELECT 1 AS found FROM messages
        WHERE ${isAccepted} AND queue_order = $1 AND message_id >= $2 AND message_id < $3 AND tenant_id = $4
          AND channel <> 'VOICE' AND units > 0 AND created_at >= $5 AND created_at < $6 LIMIT 1`,
      ...[order, fromId, toId, tenantId, fromMs, toMs],
    );
    return found !== undefined;
  },

  canLease: () => false,

  async lease() {
    throw new Error("a message leaves the queue when it is claimed");
  },

  async takeLeased() {
    return false;
  },

  async remove() {},

  async leave(tx, messageId) {
    await tx.run("UPDATE messages SET queue_order = NULL WHERE message_id = $1", messageId);
  },

  leasingTables: ["dispatches"],

  async expireLeases() {},

  async askLeased() {
    return 0;
  },

  async noteUnknown() {},

  floorAfter: () => BEGINNING,

  async findNextFloors(_tx, floors) {
    return floors;
  },
};
