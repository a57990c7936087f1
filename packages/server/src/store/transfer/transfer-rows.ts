// Copies tables in pages, then reads both ends again and compares each value: what the target holds is what it gives
// back, not what it was given.

import type { SqlValue, Transaction } from "../store.ts";
import type { Copy } from "./copies.ts";
import type { RowValues, TransferSource, TransferTarget } from "./transfer-ends.ts";

/** Rows read and written together; of tables whose texts have no narrow bound, fewer. */
const PAGE_ROWS = 2_000;
const LONG_ROWS = 16;
const longTables: ReadonlySet<string> = new Set(["long_contents", "voice_provisioning"]);

/** How many rows of a table were copied, or compared, so far. */
export interface Progress {
  readonly step: "copied" | "compared";
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
      note({ step: "copied", table, rows });
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
      note({ step: "compared", table, rows });
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

/** Throws for what msgd never writes, and would not arrive as it is. */
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

/** Reads a table, or what stands in for it, in the order of its key. */
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
