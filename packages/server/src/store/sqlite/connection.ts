import type BetterSqlite3 from "better-sqlite3";
import type { Dialect, SqlValue, Transaction } from "../store.ts";

export const sqliteDialect: Dialect = {
  int64: "INTEGER",
  identity: "INTEGER PRIMARY KEY",
  tableOptions: "STRICT",
  keyedTableOptions: "STRICT, WITHOUT ROWID",
  // one writer at a time: a row that a transaction has read cannot change under it
  forUpdate: "",
  skipLocked: "",
};

/** One SQLite connection as a `Transaction`. Each statement is prepared once: preparing again costs 10 µs. */
export class SqliteConnection implements Transaction {
  readonly dialect = sqliteDialect;
  readonly database: BetterSqlite3.Database;
  readonly #statements = new Map<string, BetterSqlite3.Statement>();
  #changes = 0;

  constructor(database: BetterSqlite3.Database) {
    this.database = database;
  }

  /** Counts every statement that may have written, so that a caller can tell whether work had begun to write. */
  get writes(): number {
    return this.#changes;
  }

  async get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    return this.#prepare(sql).get(numbered(values)) as Row | undefined;
  }

  async all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.#prepare(sql).all(numbered(values)) as Row[];
  }

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    return this.#prepare(sql).run(numbered(values)).changes;
  }

  #prepare(sql: string): BetterSqlite3.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    if (!statement.readonly) this.#changes += 1;
    return statement;
  }
}

/** better-sqlite3 binds `$1` by its name, `1`. */
function numbered(values: SqlValue[]): Record<number, SqlValue> {
  const named: Record<number, SqlValue> = {};
  for (let index = 0; index < values.length; index += 1) named[index + 1] = values[index] as SqlValue;
  return named;
}
