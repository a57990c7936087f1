// Rows whose time is over, found without an index on their time: a table is walked along its primary key, a bite at a
// time, from where the last bite ended. An index would cost every send; this costs them nothing.

import type { SqlValue, Transaction } from "./store.ts";

export type PrunedTable = "idempotency" | "provider_events";

interface Walk {
  readonly key: readonly string[];
  /** The column that is compared with the time before which rows are over. */
  readonly expiry: string;
}

const walks: Readonly<Record<PrunedTable, Walk>> = {
  idempotency: { key: ["tenant_id", "operation", "idempotency_key"], expiry: "expires_at" },
  provider_events: { key: ["provider", "event_id"], expiry: "received_at" },
};

/** Values of a primary key; null for a table's beginning, and for its end. */
export type Position = readonly SqlValue[] | null;

export interface Bite {
  /** Where the next bite begins; null where this one came to the end. */
  readonly position: Position;
  readonly removed: number;
  /** The earliest expiry of what the bite left in place, in epoch milliseconds; undefined where it left nothing. */
  readonly earliest: number | undefined;
}

export interface BiteRequest {
  readonly position: Position;
  /** Rows whose time ended then or before are removed. */
  readonly overAt: number;
  readonly limit: number;
}

/** Looks at up to `limit` rows after `position`, and removes those that are over. */
export type Prune = (tx: Transaction, request: BiteRequest) => Promise<Bite>;

/** Keys that have expired. */
export const pruneIdempotency = createPrune("idempotency");
/** Events that were received by `overAt`. */
export const pruneProviderEvents = createPrune("provider_events");

function createPrune(table: PrunedTable): Prune {
  const { key, expiry } = walks[table];
  const columns = key.join(", ");
  const place = `(${key.map((_, index) => `$${index + 1}`).join(", ")})`;
  const select = `SELECT ${key.map((column, index) => `${column} AS "${index}"`).join(", ")}, ${expiry} AS "expiry" FROM ${table}`;
  const firstStatement = `${select} ORDER BY ${columns} LIMIT $1`;
  const nextStatement = `${select} WHERE (${columns}) > ${place} ORDER BY ${columns} LIMIT $${key.length + 1}`;
  const removeStatement = `DELETE FROM ${table} WHERE (${columns}) = ${place} AND ${expiry} <= $${key.length + 1}`;
  const keyOf = (row: Record<string, SqlValue>) => key.map((_, index) => row[index] as SqlValue);

  return async (tx, { position, overAt, limit }) => {
    const rows =
      position === null
        ? await tx.all<Record<string, SqlValue>>(firstStatement, limit)
        : await tx.all<Record<string, SqlValue>>(nextStatement, ...position, limit);
    let removed = 0;
    let earliest: number | undefined;
    for (const row of rows) {
      const expiresAt = Number(row.expiry);
      if (expiresAt <= overAt) removed += await tx.run(removeStatement, ...keyOf(row), overAt);
      else earliest = Math.min(earliest ?? expiresAt, expiresAt);
    }
    const last = rows.at(-1);
    return { position: last === undefined || rows.length < limit ? null : keyOf(last), removed, earliest };
  };
}

/** Where the walk through the table stands; undefined before it was ever begun. */
export async function findWalk(tx: Transaction, table: PrunedTable): Promise<{ position: Position } | undefined> {
  const row = await tx.get<{ position: string | null }>(
    "SELECT position FROM pruning WHERE pruned_table = $1 FOR UPDATE",
    table,
  );
  return row && { position: row.position === null ? null : (JSON.parse(row.position) as Position) };
}

/** Keeps where the next bite begins. */
export async function saveWalk(tx: Transaction, table: PrunedTable, position: Position): Promise<void> {
  await tx.run(
    "UPDATE pruning SET position = $2 WHERE pruned_table = $1",
    table,
    position === null ? null : JSON.stringify(position),
  );
}

/** Begins the walk through the table. False, with nothing changed, where it was begun before. */
export async function beginWalk(tx: Transaction, table: PrunedTable): Promise<boolean> {
  return (
    (await tx.run("INSERT INTO pruning (pruned_table) VALUES ($1) ON CONFLICT (pruned_table) DO NOTHING", table)) > 0
  );
}
