// How a tenant's turn and its lines are found. Each of its callbacks changes both rows several times, and when they are due.
// On PostgreSQL a version of the row stays behind each time; beside an old snapshot none can be cleaned up, and whoever looks
// for the row, or for what is due first, passes over all of them. So there the two tables have more columns:
//
// - `place` ends the key: the number of the transaction that changed the row last. There is one row at any time, as the
//   tenant's lines are held; whoever looks for the highest place passes over few versions.
// - `due_from`: nothing of the line, or of the turn, is due before, so a look begins there. It is lowered with whatever is to
//   be due earlier, and raised by whoever has found what is due first.

import { perEngine } from "../statement.ts";
import type { SqlValue, Transaction } from "../store.ts";

interface Table {
  readonly name: string;
  /** Columns and types. */
  readonly key: Readonly<Record<string, string>>;
  /** The columns that begin with 0. */
  readonly zeros: readonly string[];
}

const lines: Table = {
  name: "callback_lines",
  key: { tenant_id: "BIGINT", receiver: "TEXT" },
  zeros: ["held_until", "rests"],
};
const turns: Table = { name: "callback_turns", key: { tenant_id: "BIGINT" }, zeros: ["held_until"] };

/** SQL about a row whose key is given as the first parameters. */
interface RowParts {
  /** The condition that finds it. */
  readonly isRow: string;
  /** The end of the list that follows SET. */
  readonly andPlace: string;
  /** The same where the parameter is the time before which nothing of it is due. */
  readonly andFrom: (parameter: string) => string;
  /** That time. */
  readonly dueFrom: string;
}

const isOfKey = ({ name, key }: Table) =>
  Object.keys(key)
    .map((column, index) => `${name}.${column} = $${index + 1}`)
    .join(" AND ");

/**
 * SQL that is true of all rows. The indexes by time have it as their condition, so that PostgreSQL takes them for those
 * statements alone that have it too: for a key it would choose among them by what it believes to be their sizes.
 */
export const isByTime = "due_at >= 0";

/** SQL of a column of the row's last version; not with MAX, which PostgreSQL looks for among all that it counts as few. */
const ofLast = (table: Table, column: string) =>
  `(SELECT ${column} FROM ${table.name} WHERE ${isOfKey(table)} ORDER BY place DESC LIMIT 1)`;

const toTexts = (table: Table) => {
  const sqlite: RowParts = { isRow: isOfKey(table), andPlace: "", andFrom: () => "", dueFrom: "0" };
  const postgres: RowParts = {
    isRow: `${isOfKey(table)} AND place = ${ofLast(table, "place")}`,
    andPlace: ", place = DEFAULT",
    andFrom: (parameter) => `, due_from = ${parameter}, place = DEFAULT`,
    dueFrom: ofLast(table, "due_from"),
  };
  return (write: (parts: RowParts) => string) => perEngine({ sqlite, postgres }, write);
};

/** Makes texts whose first parameters are the tenant and the receiver of a line. */
export const toLineText = toTexts(lines);
/** Makes texts whose first parameter is the tenant of a turn. */
export const toTurnText = toTexts(turns);

/** SQL of the later of two times, for any engine. */
export function later(one: string, other: string): string {
  return `CASE WHEN ${one} > ${other} THEN ${one} ELSE ${other} END`;
}

/** And of the earlier one. */
export function earlier(one: string, other: string): string {
  return `CASE WHEN ${one} < ${other} THEN ${one} ELSE ${other} END`;
}

const toForwardText = (table: Table) => {
  const { name, key, zeros } = table;
  const columns = [...Object.keys(key), "due_at", ...zeros];
  const parameters = [...Object.values(key), "BIGINT"].map((type, index) => `CAST($${index + 1} AS ${type})`);
  const dueAt = parameters.at(-1) ?? "";
  const begun = [...parameters, ...zeros.map(() => 0)].join(", ");
  // a held one is not due before its hold ends
  const due = later(`${name}.held_until`, dueAt);
  const sqlite = `
    INSERT INTO ${name} (${columns.join(", ")}) VALUES (${begun})
    ON CONFLICT (${Object.keys(key).join(", ")}) DO UPDATE SET due_at = ${due} WHERE ${name}.due_at > ${due}
    RETURNING due_at AS "dueAt"`;
  const postgres = `
    WITH last AS (
      SELECT ${ofLast(table, "place")} AS place
    ), brought AS (
      UPDATE ${name} SET due_at = LEAST(due_at, ${due}), due_from = LEAST(due_from, ${dueAt}), place = DEFAULT
       WHERE ${isOfKey(table)} AND place = (SELECT place FROM last) AND (due_at > ${due} OR due_from > ${dueAt})
      RETURNING due_at
    ), begun AS (
      INSERT INTO ${name} (${columns.join(", ")}, due_from) SELECT ${begun}, ${dueAt} FROM last WHERE place IS NULL
      RETURNING due_at
    )
    SELECT due_at AS "dueAt" FROM brought UNION ALL SELECT due_at FROM begun`;
  return { sqlite, postgres };
};

/** The value that `andFrom` names: none where there is no such column. */
export function dueFromValues({ dialect }: Transaction, dueAt: number): SqlValue[] {
  return dialect.engine === "postgres" ? [dueAt] : [];
}

const keepInSightText = `UPDATE callback_lines SET due_from = $3, place = DEFAULT
  WHERE ${isOfKey(lines)} AND place = ${ofLast(lines, "place")} AND due_from > $3`;

/** Has looks at a line begin early enough for what is due at a time. */
export async function keepInSight(
  tx: Transaction,
  { tenantId, receiver }: { tenantId: number; receiver: string },
  dueAt: number,
): Promise<void> {
  if (tx.dialect.engine === "postgres") await tx.run(keepInSightText, tenantId, receiver, dueAt);
}

/** Makes a line due by the last parameter, and gives its `dueAt` if that changed it; a new one is made. */
export const lineForwardText = toForwardText(lines);
/** The same for a turn. */
export const turnForwardText = toForwardText(turns);
