// Tables of many columns whose rows are written whole: their statements come from one list of columns.

import { drawId, newIdSql } from "./row-ids.ts";
import type { SqlValue, Transaction } from "./store.ts";

/** The statements of one table. */
export interface RecordTable<Row extends object> {
  /** `SELECT … FROM table`, to be followed by a WHERE. */
  readonly select: string;
  /** The same for some members, or all but some, for lists that need no more: a whole row may be large. */
  selectOnly(...members: readonly (keyof Row)[]): string;
  selectAllBut(...members: readonly (keyof Row)[]): string;
  /** Adds a row and returns its id, drawn from `now`, in epoch milliseconds. */
  insert(tx: Transaction, row: Omit<Row, "id">, now: number): Promise<number>;
  /** Writes every column of the row with this id. */
  update(tx: Transaction, row: Row): Promise<void>;
}

type Columns<Row extends object> = { readonly [Member in Exclude<keyof Row, "id">]: string };

/** `columns` names the column of each member of a row; `idColumn` that of its `id`. */
export function describeRecords<Row extends { readonly id: number } & { readonly [M in keyof Row]: SqlValue }>(
  table: string,
  idColumn: string,
  columns: Columns<Row>,
): RecordTable<Row> {
  const pairs = Object.entries<string>(columns) as [Exclude<keyof Row, "id">, string][];
  const names = pairs.map(([, column]) => column);
  const selected = [["id", idColumn] as const, ...pairs];
  const selectWhere = (isWanted: (member: keyof Row) => boolean) => {
    const wanted = selected.filter(([member]) => isWanted(member));
    return `SELECT ${wanted.map(([member, column]) => `${column} AS "${String(member)}"`).join(", ")} FROM ${table}`;
  };
  const newId = newIdSql(table, idColumn, `$${names.length + 1}`);
  const insert = `INSERT INTO ${table} (${names.join(", ")}, ${idColumn})
    VALUES (${names.map((_, index) => `$${index + 1}`).join(", ")}, ${newId}) RETURNING ${idColumn} AS id`;
  const assigned = names.map((column, index) => `${column} = $${index + 1}`);
  const update = `UPDATE ${table} SET ${assigned.join(", ")} WHERE ${idColumn} = $${names.length + 1}`;

  return {
    select: selectWhere(() => true),
    selectOnly: (...members) => selectWhere((member) => members.includes(member)),
    selectAllBut: (...members) => selectWhere((member) => !members.includes(member)),
    async insert(tx, row, now) {
      const values: SqlValue[] = pairs.map(([member]) => row[member as keyof Omit<Row, "id">] as SqlValue);
      const added = await tx.get<{ id: number }>(insert, ...values, drawId(tx.randomness, now));
      if (added === undefined) throw new Error(`a new row of ${table} came back without its id`);
      return added.id;
    },
    async update(tx, row) {
      const values: SqlValue[] = pairs.map(([member]) => row[member] as SqlValue);
      await tx.run(update, ...values, row.id);
    },
  };
}
