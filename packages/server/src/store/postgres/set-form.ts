// One statement for what many units of work ask or write at once, in place of one statement for each of them. A form
// has an array for each parameter of the single statement. Rows of a form that answers say which unit they are for:
// `place`, from 1. A form that writes fails unless it did for every unit what the single statement does: then the
// transaction fails, and each unit is run by itself. Rows are locked in the order of their keys.

type ArrayType = "bigint" | "text";

/**
 * holds: locks rows before anything else is asked, a row for one unit only. locks: the same, for rows that units change
 * by amounts, whichever of them comes first. reads: answers, and changes nothing. looks: the same, of rows
 * that are neither locked with `holds` nor written before. writes: answers nothing, and is sent with the commit.
 */
type FormKind = "holds" | "locks" | "reads" | "looks" | "writes";

export interface SetForm {
  readonly sql: string;
  /** The type of each parameter's values. */
  readonly types: readonly ArrayType[];
  readonly kind: FormKind;
  /** Those that write are sent in this order, so that no two transactions wait for each other. */
  readonly rank: number;
}

/** `unnest` of one array for each column, as a table. */
function tableOf(name: string, columns: Readonly<Record<string, ArrayType>>, isOrdered = false): string {
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  const names = [...Object.keys(columns), ...(isOrdered ? ["place"] : [])];
  return `unnest(${arrays.join(", ")})${isOrdered ? " WITH ORDINALITY" : ""} AS ${name} (${names.join(", ")})`;
}

/** A form before its place among the others is known. */
export type Form = Omit<SetForm, "rank">;

/** A form whose arrays are the `columns` of a table, which `sql` is told the text of. */
export function describeForm(
  columns: Readonly<Record<string, ArrayType>>,
  kind: FormKind,
  sql: (table: string) => string,
): Form {
  const answers = kind === "reads" || kind === "looks";
  return { sql: sql(tableOf("w", columns, answers)), types: Object.values(columns), kind };
}

/**
 * SQL that has rows looked up one by one, by the first array: of a table whose rows come and go. `ANALYZE` may find a handful of
 * them beside many that are gone, and PostgreSQL would read all of these for each join.
 */
export const isAmong = (column: string) => `${column} = ANY($1::text[])`;

/** Fails the transaction, by a division by zero, unless the condition holds. */
export const require = (condition: string) => `SELECT 1 / CASE WHEN ${condition} THEN 1 ELSE 0 END`;

/** The columns of a quota's key. */
export const quotaColumns = { tenant_id: "bigint", merchant_id: "text", channel: "text" } as const;
