// A connection to a SQLite database: its prepared statements, and the mapping of SQLite's errors to the store's.

import BetterSqlite3 from "better-sqlite3";
import { type Randomness, systemRandomness } from "../../platform/randomness.ts";
import { type Dialect, textOf, valuesOf } from "../statement.ts";
import { type Ask, type Occurrence, type SqlValue, StoreUnavailable, type Transaction } from "../store.ts";

/**
 * How long a connection waits for the transaction of another process, such as `msgd keys create` beside a server.
 */
export const BUSY_TIMEOUT_MS = 5_000;

/** Opens an existing database file read-only. `cacheKib` limits the page cache. */
export function openToRead(path: string, cacheKib?: number): BetterSqlite3.Database {
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  if (cacheKib !== undefined) database.pragma(`cache_size = -${cacheKib}`);
  return database;
}

/** Errors caused by the machine (a full disk, a failed read, a file locked for too long), not by the statement. */
const MACHINE_FAULT = /^SQLITE_(?:BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PROTOCOL|READONLY)/;

/** better-sqlite3's error message for a closed connection. */
const CLOSED = "The database connection is not open";

/** Maps SQLite's error to one for the store's callers: `StoreUnavailable` if a later retry can succeed. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof TypeError && error.message === CLOSED) return new StoreUnavailable("the database was closed");
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return MACHINE_FAULT.test(code) ? new StoreUnavailable(`the database failed: ${code}`, { cause: error }) : error;
}

export const sqliteDialect: Dialect = {
  engine: "sqlite",
  text: "TEXT",
  int64: "INTEGER",
  identity: "INTEGER PRIMARY KEY",
  singleIdentity: "INTEGER PRIMARY KEY AUTOINCREMENT",
  tableOptions: "STRICT",
  keyedTableOptions: "STRICT, WITHOUT ROWID",
};

/** A prepared statement, with the data for each execution. */
interface Prepared {
  readonly statement: BetterSqlite3.Statement;
  /** Order in which values are bound; undefined if the text has `$1`, `$2`, … once each, in order. */
  readonly order: readonly number[] | undefined;
  /** Turns a row into an object. */
  readonly nameColumns: (values: SqlValue[]) => unknown;
  readonly mayWrite: boolean;
}

/** A `Transaction` on one SQLite connection. Each statement is prepared once. */
export class SqliteConnection implements Transaction {
  readonly dialect = sqliteDialect;
  readonly randomness: Randomness;
  readonly database: BetterSqlite3.Database;
  /** Occurrences of the current or last transaction. The code that runs transactions empties the list. */
  readonly occurrences: Occurrence[] = [];
  readonly #prepared = new Map<string, Prepared>();
  #writes = 0;

  constructor(database: BetterSqlite3.Database, randomness = systemRandomness) {
    this.database = database;
    this.randomness = randomness;
  }

  /** Number of statements that may have written. It shows the caller whether some work has begun to write. */
  get writes(): number {
    return this.#writes;
  }

  async get<Row>(ask: Ask<Row>, ...values: SqlValue[]): Promise<Row | undefined> {
    try {
      const { statement, order, nameColumns } = this.#prepare(ask);
      const row = statement.get(...arrange(valuesOf(ask, values), order)) as SqlValue[] | undefined;
      return row && (nameColumns(row) as Row);
    } catch (error) {
      throw explainFailure(error);
    }
  }

  async all<Row>(ask: Ask<Row>, ...values: SqlValue[]): Promise<Row[]> {
    try {
      const { statement, order, nameColumns } = this.#prepare(ask);
      const rows = statement.all(...arrange(valuesOf(ask, values), order)) as SqlValue[][];
      return rows.map(nameColumns) as Row[];
    } catch (error) {
      throw explainFailure(error);
    }
  }

  /** Iterates over the rows as arrays of values. Until the iteration ends, the connection can run nothing else. */
  iterate(ask: Ask, ...values: SqlValue[]): { columns: string[]; rows: IterableIterator<SqlValue[]> } {
    const { statement, order } = this.#prepare(ask);
    const rows = statement.iterate(...arrange(values, order)) as IterableIterator<SqlValue[]>;
    return { columns: statement.columns().map(({ name }) => name), rows };
  }

  async run(ask: Ask, ...values: SqlValue[]): Promise<number> {
    try {
      const { statement, order } = this.#prepare(ask);
      return statement.run(...arrange(valuesOf(ask, values), order)).changes;
    } catch (error) {
      throw explainFailure(error);
    }
  }

  lock(): void {}

  lockAlone(): void {}

  async tryLock(): Promise<boolean> {
    return true;
  }

  async claim(): Promise<boolean> {
    return true;
  }

  requireAlone(): void {}

  note(occurrence: Occurrence): void {
    this.occurrences.push(occurrence);
  }

  #prepare(ask: Ask): Prepared {
    const sql = textOf(ask, "sqlite");
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      prepared = prepare(this.database, sql);
      this.#prepared.set(sql, prepared);
    }
    if (prepared.mayWrite) this.#writes += 1;
    return prepared;
  }
}

/** SQLite has no such clause and needs none: with one writer at a time, rows that a transaction has read cannot change. */
const ROW_LOCK = / FOR (?:NO KEY )?UPDATE(?: OF \w+)?(?: SKIP LOCKED)?/g;

/** Matches a LIMIT whose value is a parameter. */
const BOUND_LIMIT = /\bLIMIT (?=[?$])/g;

/**
 * Hides from SQLite that a limit is a parameter. SQLite (3.53) plans by the value of such a limit, and so prepares the
 * statement again whenever a value is bound.
 */
export function hideLimits(sql: string): string {
  return sql.replaceAll(BOUND_LIMIT, "LIMIT 0 + ");
}

/** Prepares a statement, with each `$1` replaced by `?` because binding by name is slower. */
function prepare(database: BetterSqlite3.Database, sql: string): Prepared {
  const order: number[] = [];
  const positional = sql.replaceAll(ROW_LOCK, "").replaceAll(/\$(\d+)/g, (_match, number: string) => {
    order.push(Number(number) - 1);
    return "?";
  });
  const statement = database.prepare(hideLimits(positional));
  // rows are read as arrays and turned into objects here, because better-sqlite3 sets each property by a slow call
  const columns = statement.reader ? statement.raw().columns() : [];
  return {
    statement,
    order: order.every((value, position) => value === position) ? undefined : order,
    nameColumns: createNamer(columns.map(({ name }) => name)),
    mayWrite: !statement.readonly,
  };
}

function arrange(values: readonly SqlValue[], order: readonly number[] | undefined): readonly SqlValue[] {
  return order === undefined ? values : order.map((position) => values[position] as SqlValue);
}

/** Compiles a function that turns values into an object. A literal is several times as fast as setting each property. */
export function createNamer(columns: readonly string[]): (values: SqlValue[]) => unknown {
  const members = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function("values", `return { ${members.join(", ")} };`) as Prepared["nameColumns"];
}
