// Which rows go where.

import type { StandIns } from "./stand-ins.ts";
import { keptApart } from "./stand-ins.ts";
import type { Column, TransferEnd } from "./transfer-end.ts";

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
export async function planCopies(source: TransferEnd, target: TransferEnd, standIns: StandIns): Promise<Copy[]> {
  const taken = new Set([
    ...listFilled(target),
    ...Object.values(standIns).flatMap(({ reads = [] }) => reads),
    ...keptApart,
  ]);
  const left = [...source.tables, ...source.ledgerTables].filter((table) => !taken.has(table));
  if (left.length > 0) throw new Error(`the table ${left.join(", ")} has no place at the other end`);
  const copies: Copy[] = [];
  for (const table of listFilled(target)) {
    // a folder that was never served from has no ledger
    if (target.ledgerTables.includes(table) && source.ledgerTables.length === 0) continue;
    copies.push(await planCopy(table, source, target, standIns[table]));
  }
  return copies;
}

/** The tables that a transfer fills. */
function listFilled({ tables, ledgerTables }: TransferEnd): string[] {
  return [...tables, ...ledgerTables].filter((table) => !keptApart.has(table));
}

/** Throws a `TargetInUse` if a table that a transfer fills has rows. */
export async function requireEmptyTables(target: TransferEnd): Promise<void> {
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
  source: TransferEnd,
  target: TransferEnd,
  standIn: StandIns[string] | undefined,
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
  const given = (await source.describe(table)).columns.map(({ name }) => name);
  const columns = shape.columns.filter(({ name }) => given.includes(name));
  for (const name of given) {
    if (!columns.some((column) => column.name === name)) await requireEmpty(source, table, name);
  }
  return { table, columns, key: shape.key, from: table };
}

/** A column of an earlier release, which the other engine never had. */
async function requireEmpty({ tx }: TransferEnd, table: string, column: string): Promise<void> {
  const row = await tx.get(`SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`);
  if (row !== undefined)
    throw new Error(`the column ${column} of ${table} has no place at the other end, and has values`);
}
