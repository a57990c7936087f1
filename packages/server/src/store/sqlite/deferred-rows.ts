import { insertIdempotencyStatement } from "../idempotency.ts";
import { insertMessageStatement } from "../messages.ts";
import type { SqlValue } from "../store.ts";
import type { SqliteConnection } from "./connection.ts";

/** Each adds one row, and nothing that is asked beside them tells whether it is there. */
const statements: ReadonlySet<string> = new Set([insertMessageStatement, insertIdempotencyStatement]);

/** Rows that one statement adds; a power of two. Of more, each costs no less. */
const MOST_OF_A_STATEMENT = 32;
/** Rows of all statements that are put off. */
const MOST_ROWS = MOST_OF_A_STATEMENT * statements.size;

/** Rows that are added by few statements: one of 25 costs two thirds of 25, and finds its place in the table's tree once. */
export class DeferredRows {
  readonly #connection: SqliteConnection;
  readonly #rows = new Map<string, SqlValue[][]>();
  #count = 0;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Whether there are as many as are to be put off. */
  get areMany(): boolean {
    return this.#count >= MOST_ROWS;
  }

  /** Puts the row off; false for a statement that adds none. */
  put(sql: string, values: SqlValue[]): boolean {
    if (!statements.has(sql)) return false;
    const rows = this.#rows.get(sql);
    if (rows === undefined) this.#rows.set(sql, [values]);
    else rows.push(values);
    this.#count += 1;
    return true;
  }

  /** Whether one is put off that the statement adds, and whose first values are the first `length` of these. */
  has(sql: string, values: readonly SqlValue[], length: number): boolean {
    const start = values.slice(0, length);
    return this.#rows.get(sql)?.some((row) => start.every((value, index) => row[index] === value)) ?? false;
  }

  /** Adds them. Throws unless each is added. */
  writeOut(): void {
    for (const [sql, rows] of this.#rows) {
      // of as few sizes as can be: each is a statement that is kept prepared
      for (let size = MOST_OF_A_STATEMENT; rows.length > 0; size /= 2) {
        while (rows.length >= size) this.#add(sql, rows.splice(0, size));
      }
    }
    this.#count = 0;
  }

  forget(): void {
    this.#rows.clear();
    this.#count = 0;
  }

  #add(sql: string, rows: readonly SqlValue[][]): void {
    // no flat(), which takes as long as adding the row
    const values: SqlValue[] = [];
    for (const row of rows) values.push(...row);
    const added = this.#connection.change(forRows(sql, rows), values);
    if (added < rows.length) throw new Error(`${rows.length - added} of ${rows.length} rows were not added`);
  }
}

/** By statement, and the number of rows. */
const texts = new Map<string, string[]>();

/** The statement for so many rows; what it says behind them is by the first one's values. */
function forRows(sql: string, rows: readonly SqlValue[][]): string {
  const sizes = texts.get(sql) ?? [];
  texts.set(sql, sizes);
  sizes[rows.length] ??= sql.replace(/(?<=\bVALUES )\([^)]*\)/, (row) =>
    rows
      .map(({ length }, index) => row.replaceAll(/\$(\d+)/g, (_text, place) => `$${Number(place) + index * length}`))
      .join(", "),
  );
  return sizes[rows.length] as string;
}
