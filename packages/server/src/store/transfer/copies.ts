// Which rows go where.

import { type Counters, dayCounters, usageCounters } from "../counter-turns.ts";
import type { Column, TransferSource, TransferTarget } from "./transfer-ends.ts";

/** What gives the rows of a table that the source has not, or has otherwise. */
export interface StandIn {
  /** A SELECT on the source. */
  readonly select: string;
  /** The columns that it gives; the others are left to the table. @default all that the table has */
  readonly columns?: readonly string[];
  /** What its rows are told apart by. @default the table's primary key */
  readonly key?: readonly string[];
}

/** By the table at the target. Whatever is not in it is copied from the table of the same name, column by column. */
export type StandIns = Readonly<Record<string, StandIn>>;

/** Counters begin again with their first turn. */
function firstTurns({ table, key, counts }: Counters): StandIn {
  const columns = [...key, ...counts];
  const sums = counts.map((count) => `CAST(SUM(${count}) AS BIGINT) AS ${count}`).join(", ");
  const select = `SELECT ${key.join(", ")}, ${sums} FROM ${table} GROUP BY ${key.join(", ")}`;
  return { select, columns, key };
}

/** Rows that the target keeps more about, which begins anew. */
function commonPart(table: string, key: readonly string[], others: readonly string[]): StandIn {
  const columns = [...key, ...others];
  return { select: `SELECT ${columns.join(", ")} FROM ${table}`, columns, key };
}

/** What SQLite gives for the tables in which PostgreSQL differs. */
export const standIns: StandIns = {
  usage: firstTurns(usageCounters),
  daily_totals: firstTurns(dayCounters),
  callback_lines: commonPart(
    "callback_lines",
    ["tenant_id", "receiver"],
    ["due_at", "held_until", "rests", "waits_since"],
  ),
  callback_turns: commonPart("callback_turns", ["tenant_id"], ["due_at", "held_until"]),
  // the queue of accepted messages, and those that ended UNKNOWN, are indexes there
  outbox: {
    select: `SELECT queue_order, message_id, tenant_id, created_at AS accepted_at, 0 AS lease_until, NULL AS lease_token,
                    NULL AS give_up_at, NULL AS provider
               FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL`,
    columns: [
      "queue_order",
      "message_id",
      "tenant_id",
      "accepted_at",
      "lease_until",
      "lease_token",
      "give_up_at",
      "provider",
    ],
  },
  unknown_messages: { select: "SELECT message_id, tenant_id FROM messages WHERE status = 'UNKNOWN'" },
};

/** The table of what a data folder keeps outside of its database. */
const KEPT_APART = "installation";

/** A table to be filled. */
export interface Copy {
  readonly table: string;
  readonly columns: readonly Column[];
  /** What its rows are told apart and ordered by. */
  readonly key: readonly string[];
  /** What gives its rows at the source, to follow FROM. */
  readonly from: string;
}

/** Plans a transfer. Throws if the source has something that the target has no place for. */
export async function planCopies(source: TransferSource, target: TransferTarget, instead: StandIns): Promise<Copy[]> {
  const filled = listFilled(target);
  const left = [...source.tables, ...source.ledgerTables].filter((table) => !filled.includes(table));
  if (left.length > 0) throw new Error(`the table ${left.join(", ")} has no place at the other end`);
  const copies: Copy[] = [];
  for (const table of filled) {
    // a folder that was never served from has no ledger
    if (target.ledgerTables.includes(table) && source.ledgerTables.length === 0) continue;
    copies.push(await planCopy(table, source, target, instead[table]));
  }
  return copies;
}

/** The tables that a transfer fills. */
function listFilled({ tables, ledgerTables }: TransferTarget): string[] {
  return [...tables, ...ledgerTables].filter((table) => table !== KEPT_APART);
}

/** Throws a `TargetInUse` if a table that a transfer fills has rows. */
export async function requireEmptyTables(target: TransferTarget): Promise<void> {
  for (const table of listFilled(target)) {
    if ((await target.tx.get(`SELECT 1 FROM ${table} LIMIT 1`)) !== undefined) throw new TargetInUse(table);
  }
}

/** The target has rows already. */
export class TargetInUse extends Error {
  override readonly name = "TargetInUse";

  constructor(table: string) {
    super(`its table ${table} has rows`);
  }
}

async function planCopy(
  table: string,
  source: TransferSource,
  target: TransferTarget,
  standIn: StandIn | undefined,
): Promise<Copy> {
  const shape = await target.describe(table);
  if (standIn !== undefined) {
    const { select, columns, key = shape.key } = standIn;
    return {
      table,
      columns: shape.columns.filter(({ name }) => columns?.includes(name) ?? true),
      key,
      from: `(${select}) AS given`,
    };
  }
  const given = await source.listColumns(table);
  const columns = shape.columns.filter(({ name }) => given.includes(name));
  for (const name of given) {
    if (!columns.some((column) => column.name === name)) await requireEmpty(source, table, name);
  }
  return { table, columns, key: shape.key, from: table };
}

/** Throws if a column that the target does not have holds values. */
async function requireEmpty({ tx }: TransferSource, table: string, column: string): Promise<void> {
  const row = await tx.get(`SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`);
  if (row !== undefined)
    throw new Error(`the column ${column} of ${table} has no place at the other end, and has values`);
}
