// Transfers rows between databases of two engines: plans the target of each row, and copies tables in pages. Then reads
// both ends again and compares each value, as the target holds what it returns and not what it was given.

import { type Counters, dayCounters, usageCounters } from "../counters/postgres.ts";
import type { SqlValue, Transaction } from "../store.ts";

/** Selects the rows of a table that the source lacks, or has in another form. */
interface StandIn {
  /** A SELECT on the source. */
  readonly select: string;
  /** The columns that it gives; the others are left to the table. @default all that the table has */
  readonly columns?: readonly string[];
  /** The columns that identify a row. @default the table's primary key */
  readonly key?: readonly string[];
}

/** Stand-ins by table at the target. Other tables are copied from the table of the same name, column by column. */
export type StandIns = Readonly<Record<string, StandIn>>;

/** Counters begin again with their first generation. */
function firstGenerations({ table, key, counts }: Counters): StandIn {
  const columns = [...key, ...counts];
  const sums = counts.map((count) => `CAST(SUM(${count}) AS BIGINT) AS ${count}`).join(", ");
  const select = `SELECT ${key.join(", ")}, ${sums} FROM ${table} GROUP BY ${key.join(", ")}`;
  return { select, columns, key };
}

/** Rows with more columns at the target, which begin with their defaults. */
function commonPart(table: string, key: readonly string[], others: readonly string[]): StandIn {
  const columns = [...key, ...others];
  return { select: `SELECT ${columns.join(", ")} FROM ${table}`, columns, key };
}

/** SQLite's rows for the tables in which PostgreSQL differs. */
export const standIns: StandIns = {
  usage: firstGenerations(usageCounters),
  daily_totals: firstGenerations(dayCounters),
  callback_lanes: commonPart(
    "callback_lanes",
    ["tenant_id", "receiver"],
    ["due_at", "leased_until", "rests", "waits_since"],
  ),
  callback_tenants: commonPart("callback_tenants", ["tenant_id"], ["due_at", "leased_until"]),
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

/** The table of the data that a data folder keeps outside of its database. */
const KEPT_APART = "installation";

/** A table to be filled. */
export interface Copy {
  readonly table: string;
  readonly columns: readonly Column[];
  /** The columns that identify and order its rows. */
  readonly key: readonly string[];
  /** SQL after FROM that gives its rows at the source. */
  readonly from: string;
}

/** Plans a transfer. Throws if the source has something that does not fit the target. */
export async function planCopies(source: TransferSource, target: TransferTarget, instead: StandIns): Promise<Copy[]> {
  const filled = listFilled(target);
  const left = [...source.tables, ...source.ledgerTables].filter((table) => !filled.includes(table));
  if (left.length > 0) throw new Error(`the target has no table ${left.join(", ")}`);
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

/** Throws if a column that the target lacks has values. */
async function requireEmpty({ tx }: TransferSource, table: string, column: string): Promise<void> {
  const row = await tx.get(`SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`);
  if (row !== undefined) throw new Error(`the target has no column ${column} in ${table}; at the source it has values`);
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

/** The values of a row, in the order of the columns that were asked for. */
type RowValues = readonly SqlValue[];

/** The highest id that each table was ever given, if the engine counts them and reserves no id for a second row. */
export type CounterValues = ReadonlyMap<string, number>;

/** One end of a transfer: a transaction in which no other process writes to the database. */
interface TransferEnd {
  readonly tx: Transaction;
  /** msgd's own, each after those that it refers to. */
  readonly tables: readonly string[];
  /** Tables of the simulated carrier's ledger; none without a ledger. */
  readonly ledgerTables: readonly string[];
  /** Ends it without a trace, unless it has ended. */
  abandon(): Promise<void>;
}

export interface TransferSource extends TransferEnd {
  listColumns(table: string): Promise<string[]>;
  readCounters(): Promise<CounterValues>;
}

export interface TransferTarget extends TransferEnd {
  describe(table: string): Promise<TableShape>;
  /** Adds rows that have these columns. */
  insert(table: string, columns: readonly Column[], rows: readonly RowValues[]): Promise<void>;
  /** Called once all rows of the table are there. */
  settle(table: string): Promise<void>;
  /** Has every counter go on after `counters`, and after the ids that there are. */
  raiseCounters(counters: CounterValues): Promise<void>;
  /** Ends it, and commits. Throws a `CommitInDoubt` if the result is unknown. */
  commit(): Promise<void>;
}

/** Rows read and written together; fewer for tables with long texts. */
const PAGE_ROWS = 2_000;
const LONG_ROWS = 16;
const longTables: ReadonlySet<string> = new Set(["long_contents", "voice_provisioning"]);

/** Number of rows of a table that were copied, or compared, so far. */
export interface Progress {
  readonly phase: "copied" | "compared";
  readonly table: string;
  readonly rows: number;
}

/** The ends of a transfer. */
interface Ends {
  readonly source: TransferSource;
  readonly target: TransferTarget;
}

export interface TableCount {
  readonly table: string;
  readonly rows: number;
}

/** A value that would not be the same at the other end; the message names its row. */
export class UnlikeRows extends Error {
  override readonly name = "UnlikeRows";
}

/** Copies all rows into empty tables. Returns how many each has. */
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

/** Reads both ends in the order of the keys. Throws an `UnlikeRows` for the first row that is not the same at both. */
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

/** Throws for values that msgd never writes, and that would not arrive unchanged. */
function requireTransferable(copy: Copy, row: RowValues): void {
  for (const [index, value] of row.entries()) {
    if (typeof value === "number" ? Number.isSafeInteger(value) : !value?.includes("\0")) continue;
    const fault = typeof value === "number" ? "a number beyond 2^53 - 1" : "a text with U+0000";
    throw new UnlikeRows(`${nameRow(copy, row)} has ${fault} as its ${copy.columns[index]?.name}`);
  }
}

/** Names a row by its key: `messages (message_id msg_1)`. */
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
