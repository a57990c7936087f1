// Transfers rows between databases of two engines: plans the copies, then copies tables in pages. Then reads both ends
// again and compares each value, because only that shows what the target has stored.

import { type Counters, dayCounters, usageCounters } from "../counters/postgres.ts";
import type { SqlValue, Transaction } from "../store.ts";

/** Selects, at the source, the rows of a target table that the source lacks or stores in another form. */
interface StandIn {
  /** A SELECT on the source. */
  readonly select: string;
  /** The columns that it returns; the target fills its other columns with defaults. @default all columns of the table */
  readonly columns?: readonly string[];
  /** The columns that identify a row. @default the table's primary key */
  readonly key?: readonly string[];
}

/** Stand-ins by the target's table name. Other tables are copied from the source's table of the same name. */
export type StandIns = Readonly<Record<string, StandIn>>;

/** Selects each counter as its first generation. */
function firstGenerations({ table, key, counts }: Counters): StandIn {
  const columns = [...key, ...counts];
  const sums = counts.map((count) => `CAST(SUM(${count}) AS BIGINT) AS ${count}`).join(", ");
  const select = `SELECT ${key.join(", ")}, ${sums} FROM ${table} GROUP BY ${key.join(", ")}`;
  return { select, columns, key };
}

/** Selects the common columns of a table that has more columns at the target; the additional ones get their defaults. */
function commonPart(table: string, key: readonly string[], others: readonly string[]): StandIn {
  const columns = [...key, ...others];
  return { select: `SELECT ${columns.join(", ")} FROM ${table}`, columns, key };
}

/** Stand-ins at a SQLite source for the tables in which PostgreSQL differs. */
export const standIns: StandIns = {
  usage: firstGenerations(usageCounters),
  daily_totals: firstGenerations(dayCounters),
  callback_lanes: commonPart(
    "callback_lanes",
    ["tenant_id", "receiver"],
    ["due_at", "leased_until", "rests", "waits_since"],
  ),
  callback_tenants: commonPart("callback_tenants", ["tenant_id"], ["due_at", "leased_until"]),
  // on SQLite the queue of accepted messages and the list of UNKNOWN messages are indexes
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

/** The table whose data a data folder keeps in files outside of its database. */
const KEPT_APART = "installation";

/** A table to copy. */
export interface Copy {
  readonly table: string;
  readonly columns: readonly Column[];
  /** The columns that identify and order its rows. */
  readonly key: readonly string[];
  /** The FROM expression that selects its rows at the source. */
  readonly from: string;
}

/** Plans a transfer. Throws if the source has data for which the target has no table or column. */
export async function planCopies(source: TransferSource, target: TransferTarget, instead: StandIns): Promise<Copy[]> {
  const filled = listFilled(target);
  const left = [...source.tables, ...source.ledgerTables].filter((table) => !filled.includes(table));
  if (left.length > 0) throw new Error(`the target has no table ${left.join(", ")}`);
  const copies: Copy[] = [];
  for (const table of filled) {
    // a folder that was never served has no ledger
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

/** Thrown if the target already has rows. */
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

/** Throws if a column that the target lacks has values. */
async function requireEmpty({ tx }: TransferSource, table: string, column: string): Promise<void> {
  const row = await tx.get(`SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`);
  if (row !== undefined)
    throw new Error(`the target has no column ${column} in ${table}, but the source has values in it`);
}

export interface Column {
  readonly name: string;
  /** The column type's name in the engine. */
  readonly type: string;
}

export interface TableShape {
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/** The values of a row, in the order of the requested columns. */
type RowValues = readonly SqlValue[];

/** The highest id ever generated for each table whose ids the engine counts and never reuses. */
export type CounterValues = ReadonlyMap<string, number>;

/** One end of a transfer: a transaction during which no other process writes to the database. */
interface TransferEnd {
  readonly tx: Transaction;
  /** msgd's tables, each after those that it refers to. */
  readonly tables: readonly string[];
  /** Tables of the simulated carrier's ledger; empty without a ledger. */
  readonly ledgerTables: readonly string[];
  /** Rolls the transaction back, unless it has ended. */
  abandon(): Promise<void>;
}

export interface TransferSource extends TransferEnd {
  listColumns(table: string): Promise<string[]>;
  readCounters(): Promise<CounterValues>;
}

export interface TransferTarget extends TransferEnd {
  describe(table: string): Promise<TableShape>;
  /** Inserts rows with these columns. */
  insert(table: string, columns: readonly Column[], rows: readonly RowValues[]): Promise<void>;
  /** Called when all rows of the table are inserted. */
  settle(table: string): Promise<void>;
  /** Makes each id counter continue after its value in `counters` and after the highest existing id. */
  raiseCounters(counters: CounterValues): Promise<void>;
  /** Commits and ends the transaction. Throws a `CommitInDoubt` if the outcome is unknown. */
  commit(): Promise<void>;
}

/** Number of rows read and written together; it is lower for tables with long texts. */
const PAGE_ROWS = 2_000;
const LONG_ROWS = 16;
const longTables: ReadonlySet<string> = new Set(["long_contents", "voice_provisioning"]);

/** Number of a table's rows that were copied or compared so far. */
export interface Progress {
  readonly phase: "copied" | "compared";
  readonly table: string;
  readonly rows: number;
}

/** Both ends of a transfer. */
interface Ends {
  readonly source: TransferSource;
  readonly target: TransferTarget;
}

export interface TableCount {
  readonly table: string;
  readonly rows: number;
}

/** Thrown if a value differs, or would differ, at the other end. The message names its row. */
export class UnlikeRows extends Error {
  override readonly name = "UnlikeRows";
}

/** Copies all rows into empty tables. Returns the number of rows of each table. */
export async function copyRows(
  { source, target }: Ends,
  copies: readonly Copy[],
  note: (progress: Progress) => void,
): Promise<TableCount[]> {
  const counts: TableCount[] = [];
  for (const copy of copies) {
    const { table, columns } = copy;
    let rows = 0;
    for await (const page of readPages(source.tx, copy, copy.from)) {
      for (const row of page) requireTransferable(copy, row);
      await target.insert(table, columns, page);
      rows += page.length;
      note({ phase: "copied", table, rows });
    }
    await target.settle(table);
    counts.push({ table, rows });
  }
  await target.raiseCounters(await source.readCounters());
  return counts;
}

/** Compares both ends in key order. Throws an `UnlikeRows` for the first row that differs. */
export async function compareRows(
  { source, target }: Ends,
  copies: readonly Copy[],
  note: (progress: Progress) => void,
): Promise<void> {
  for (const copy of copies) {
    const { table } = copy;
    let rows = 0;
    const found = readPages(target.tx, copy, table);
    for await (const page of readPages(source.tx, copy, copy.from)) {
      const { value: other = [] } = await found.next();
      for (let index = 0; index < Math.max(page.length, other.length); index += 1) {
        compareRow(copy, page[index], other[index]);
      }
      rows += page.length;
      note({ phase: "compared", table, rows });
    }
    const { value: more = [] } = await found.next();
    compareRow(copy, undefined, more[0]);
  }
}

function compareRow(copy: Copy, given: RowValues | undefined, found: RowValues | undefined): void {
  if (given === undefined && found === undefined) return;
  if (given === undefined || found === undefined) {
    const where = given === undefined ? "at the target only" : "at the source only";
    throw new UnlikeRows(`${nameRow(copy, (given ?? found) as RowValues)} is ${where}`);
  }
  for (let index = 0; index < given.length; index += 1) {
    if (given[index] === found[index]) continue;
    const { name } = copy.columns[index] as Copy["columns"][number];
    throw new UnlikeRows(`${nameRow(copy, given)} is not the same at both ends: its ${name} differs`);
  }
}

/** Throws if the row has a value that msgd never writes and that would not arrive unchanged. */
function requireTransferable(copy: Copy, row: RowValues): void {
  for (const [index, value] of row.entries()) {
    if (typeof value === "number" ? Number.isSafeInteger(value) : !value?.includes("\0")) continue;
    const fault = typeof value === "number" ? "a number beyond 2^53 - 1" : "a text with U+0000";
    throw new UnlikeRows(`${nameRow(copy, row)} has ${fault} as its ${copy.columns[index]?.name}`);
  }
}

/** Returns the name of a row, with its key: `messages (message_id msg_1)`. */
function nameRow({ table, columns, key }: Copy, row: RowValues): string {
  const named = key.map((name) => `${name} ${row[columns.findIndex((column) => column.name === name)]}`);
  return `${table} (${named.join(", ")})`;
}

/** Reads a table, or its stand-in, in the order of its key. */
async function* readPages(
  tx: Transaction,
  { table, columns, key }: Copy,
  from: string,
): AsyncGenerator<RowValues[], undefined, undefined> {
  const names = columns.map(({ name }) => name);
  const limit = longTables.has(table) ? LONG_ROWS : PAGE_ROWS;
  const order = key.map(quote).join(", ");
  const first = `SELECT ${names.map(quote).join(", ")} FROM ${from}`;
  const rest = `ORDER BY ${order} LIMIT ${limit}`;
  const after = `WHERE (${order}) > (${key.map((_, index) => `$${index + 1}`).join(", ")})`;
  for (let last: SqlValue[] | undefined; ; ) {
    const rows: Record<string, SqlValue>[] =
      last === undefined ? await tx.all(`${first} ${rest}`) : await tx.all(`${first} ${after} ${rest}`, ...last);
    if (rows.length === 0) return undefined;
    yield rows.map((row) => names.map((name) => row[name] as SqlValue));
    if (rows.length < limit) return undefined;
    const end = rows.at(-1) as Record<string, SqlValue>;
    last = key.map((name) => end[name] as SqlValue);
  }
}

function quote(name: string): string {
  return `"${name}"`;
}
