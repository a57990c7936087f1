// The queue of accepted messages on PostgreSQL: a narrow table, `outbox`. A claim leases the row in place, which
// changes neither an index nor the message. The row is deleted when the attempt's outcome is saved. A scan begins at a
// floor: see queue.ts.

import { batchStatement, isAmong, require } from "../statement.ts";
import { findCount, findValue, listValues } from "../store.ts";
import { contentColumns, isDoubted, type OutboxRow } from "./message-rows.ts";
import { floorAfter, floorsTable, isAboveFloor, listInOrder, type Queue } from "./queue.ts";

// reads one order after the other, and locks only the rows that it returns
const listStatement = (ordinals: string) => `
  SELECT ${contentColumns}, CASE WHEN o.lease_token IS NULL THEN m.status ELSE 'SENDING' END AS status,
         o.provider AS "openAttempt", CASE WHEN o.lease_token IS NULL THEN 'ready' ELSE 'submitting' END AS state,
         CASE WHEN o.lease_token IS NULL THEN o.accepted_at ELSE o.lease_until END AS "dueAt", 0 AS asks,
         o.give_up_at AS "giveUpAt", ${isDoubted} AS "isDoubted", 1 AS "isQueued"
    FROM ${floorsTable(3)}
   CROSS JOIN LATERAL (SELECT * FROM outbox o WHERE ${isAboveFloor} AND o.lease_until <= $2
                        ORDER BY o.queued_by, o.message_id LIMIT $1 FOR UPDATE SKIP LOCKED) AS o
    JOIN messages m ON m.message_id = o.message_id
   WHERE f.ordinal ${ordinals}
   ORDER BY f.ordinal LIMIT $1`;
const listFirstStatement = listStatement("= 1");
const listOthersStatement = listStatement("> 1");

const nextStatement = `
  SELECT MIN(o.accepted_at) AS "dueAt"
    FROM ${floorsTable(2)}
   CROSS JOIN LATERAL (SELECT accepted_at FROM outbox o WHERE ${isAboveFloor} AND o.lease_until <= $1
                        ORDER BY o.queued_by, o.message_id LIMIT 1) AS o`;
const nextLeaseStatement = `
  SELECT MIN(o.lease_until) AS "dueAt"
    FROM ${floorsTable(2)}
   CROSS JOIN LATERAL (SELECT lease_until FROM outbox o WHERE ${isAboveFloor}
                        ORDER BY o.queued_by, o.message_id LIMIT $1) AS o`;

/** More leases than all instances together ever hold. */
const MOST_UNDER_WAY = 10_000;

// entries of open transactions are invisible, but none has a number below the snapshot's xmin
const nextFloorsStatement = `
  SELECT LEAST((SELECT o.queued_by FROM outbox o WHERE ${isAboveFloor} ORDER BY o.queued_by LIMIT 1),
               CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS BIGINT)) AS floor
    FROM ${floorsTable(1)} ORDER BY f.ordinal`;

export const insertEntryStatement = batchStatement({
  params: { queueOrder: "bigint", messageId: "text", tenantId: "bigint", acceptedAt: "bigint" },
  one: "INSERT INTO outbox (queue_order, message_id, tenant_id, accepted_at) VALUES ($1, $2, $3, $4)",
  batch: {
    kind: "writes",
    order: "outbox",
    sql: (wanted) => `
      INSERT INTO outbox (queue_order, message_id, tenant_id, accepted_at)
      SELECT queue_order, message_id, tenant_id, accepted_at FROM ${wanted}`,
  },
});

export const leaseEntryStatement = batchStatement({
  params: { messageId: "text", token: "text", expiresAt: "bigint", giveUpAt: "bigint", provider: "text" },
  one: "UPDATE outbox SET lease_token = $2, lease_until = $3, give_up_at = $4, provider = $5 WHERE message_id = $1",
  batch: {
    kind: "writes",
    order: "outbox",
    // needs no locks: the claim locked these rows when it listed them
    sql: (wanted) => `
      UPDATE outbox o SET lease_token = w.token, lease_until = w.expires_at, give_up_at = w.give_up_at,
             provider = w.provider
        FROM ${wanted} WHERE o.message_id = w.message_id AND ${isAmong("o.message_id")}`,
  },
});

export const takeEntryStatement = batchStatement({
  params: { messageId: "text", token: "text" },
  one: "DELETE FROM outbox WHERE message_id = $1 AND lease_token = $2",
  batch: {
    kind: "writes",
    order: "outbox",
    sql: (wanted) => `
      WITH wanted AS (SELECT * FROM ${wanted}), taken AS (
        DELETE FROM outbox o USING wanted w
         WHERE o.message_id = w.message_id AND o.lease_token = w.token AND ${isAmong("o.message_id")} RETURNING 1
      )
      ${require("(SELECT COUNT(*) FROM taken) = (SELECT COUNT(*) FROM wanted)")}`,
  },
});

/** Type of a PostgreSQL column with the number of the transaction that inserted the row or set the column to DEFAULT. */
export const currentTransaction = "bigint NOT NULL DEFAULT CAST(CAST(pg_current_xact_id() AS text) AS bigint)";

export const postgresQueue: Queue = {
  tables: ({ text, int64 }) => [
    // a claim makes a HOT update: pages have room (fillfactor), and no index has a column that a claim changes. Autovacuum runs
    // often, because rows come and go. queued_by is the number of the transaction that queued the entry
    `CREATE TABLE outbox (
       message_id ${text} PRIMARY KEY,
       queue_order ${int64} NOT NULL CHECK (queue_order BETWEEN 0 AND 2),
       queued_by ${currentTransaction},
       tenant_id ${int64} NOT NULL,
       accepted_at ${int64} NOT NULL,
       lease_until ${int64} NOT NULL DEFAULT 0,
       lease_token ${text},
       give_up_at ${int64},
       provider ${text}
     ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
              autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
              autovacuum_vacuum_cost_delay = 0)`,
    "CREATE INDEX outbox_in_order ON outbox (queue_order, queued_by, message_id)",

    // a separate table: if messages.status had an index, each change of a status would write all indexes of messages
    `CREATE TABLE unknown_messages (
       message_id ${text} PRIMARY KEY,
       tenant_id ${int64} NOT NULL
     )`,
    "CREATE INDEX unknown_messages_of_tenant ON unknown_messages (tenant_id)",
  ],

  async add(tx, entry) {
    await tx.run(insertEntryStatement(entry));
  },

  list(tx, { now, limit, scan }) {
    return listInOrder(limit, {
      first: (most) => tx.all<OutboxRow>(listFirstStatement, most, now, ...scan.floors),
      others: (most) => tx.all<OutboxRow>(listOthersStatement, most, now, ...scan.floors),
    });
  },

  async findNext(tx, { now, scan }) {
    const first = await findValue<number>(tx, nextStatement, now, ...scan.floors);
    if (first !== undefined) return first;
    // all entries are leased, so they are no more than the messages in flight
    return findValue<number>(tx, nextLeaseStatement, MOST_UNDER_WAY, ...scan.floors);
  },

  async count(tx, { now, most, scan }) {
    return findCount(
      tx,
      `SELECT COUNT(*) AS count FROM
        (SELECT 1 FROM ${floorsTable(3)}
          CROSS JOIN LATERAL (SELECT 1 FROM outbox o WHERE ${isAboveFloor} AND o.lease_until <= $2
                               ORDER BY o.queued_by, o.message_id LIMIT $1) AS o LIMIT $1) AS counted`,
      most,
      now,
      ...scan.floors,
    );
  },

  async countOf(tx, { tenantId, most, scan }) {
    const row = await tx.get<{ count: number; examined: number; since: number | null }>(
      `SELECT COUNT(CASE WHEN tenant_id = $2 THEN 1 END) AS count, COUNT(*) AS examined,
              MIN(CASE WHEN tenant_id = $2 THEN at END) AS since FROM
        (SELECT o.* FROM ${floorsTable(3)}
          CROSS JOIN LATERAL (SELECT tenant_id, accepted_at AS at FROM outbox o
                               WHERE ${isAboveFloor} AND lease_token IS NULL LIMIT $1) AS o LIMIT $1) AS looked_at`,
      most,
      tenantId,
      ...scan.floors,
    );
    return { count: row?.count ?? 0, since: row?.since ?? null, isMore: row?.examined === most };
  },

  async hasItems(tx, { order, fromId, toId, tenantId, fromMs, toMs }) {
    const found = await tx.get(
      `SELECT 1 AS found FROM outbox o JOIN messages m ON m.message_id = o.message_id
        WHERE o.queue_order = $1 AND o.message_id >= $2 AND o.message_id < $3 AND o.tenant_id = $4
          AND m.channel <> 'VOICE' AND m.units > 0 AND m.created_at >= $5 AND m.created_at < $6 LIMIT 1`,
      ...[order, fromId, toId, tenantId, fromMs, toMs],
    );
    return found !== undefined;
  },

  // calls cannot be leased here: the API shows the attempts of a call, so each attempt is saved at once
  canLease: ({ isQueued, channel }) => isQueued === 1 && channel !== "VOICE",

  async lease(tx, messageId, { token, expiresAt, giveUpAt, provider }) {
    await tx.run(leaseEntryStatement({ messageId, token, expiresAt, giveUpAt, provider }));
  },

  async takeLeased(tx, messageId, token) {
    return (await tx.run(takeEntryStatement({ messageId, token }))) > 0;
  },

  async remove(tx, messageId) {
    await tx.run("DELETE FROM outbox WHERE message_id = $1", messageId);
  },

  leave(tx, messageId) {
    return this.remove(tx, messageId);
  },

  leasingTables: ["outbox", "dispatches"],

  async expireLeases(tx, now) {
    await tx.run("UPDATE outbox SET lease_until = $1 WHERE lease_until > $1", now);
  },

  async askLeased(tx, { now, giveUpAt, leasesEndAfter }) {
    await tx.run(
      `UPDATE messages SET status = 'SENDING', attempts = attempts + 1, provider = o.provider, updated_at = $1
         FROM outbox o WHERE o.message_id = messages.message_id AND o.lease_token IS NOT NULL`,
      now,
    );
    return tx.run(
      `WITH begun AS (DELETE FROM outbox WHERE lease_token IS NOT NULL RETURNING *)
       INSERT INTO dispatches (message_id, state, lease_token, due_at, give_up_at, asks, tenant_id, accepted_at)
       SELECT message_id, CASE WHEN lease_until > CAST($3 AS BIGINT) THEN 'handed-over' ELSE 'reconciling' END, NULL,
              CASE WHEN lease_until > CAST($3 AS BIGINT) THEN lease_until ELSE CAST($1 AS BIGINT) END,
              CAST($2 AS BIGINT), 0, tenant_id, accepted_at FROM begun`,
      now,
      giveUpAt,
      leasesEndAfter,
    );
  },

  // not an index on the status, as on SQLite: on PostgreSQL each change of a status would then write all indexes of messages
  async noteUnknown(tx, messageId, { from, to }) {
    if (from === to) return;
    if (to === "UNKNOWN") {
      await tx.run(
        `INSERT INTO unknown_messages (message_id, tenant_id) SELECT message_id, tenant_id FROM messages WHERE message_id = $1
         ON CONFLICT (message_id) DO NOTHING`,
        messageId,
      );
    }
    if (from === "UNKNOWN") await tx.run("DELETE FROM unknown_messages WHERE message_id = $1", messageId);
  },

  floorAfter,

  async findNextFloors(tx, floors) {
    return listValues<number>(tx, nextFloorsStatement, ...floors);
  },
};
