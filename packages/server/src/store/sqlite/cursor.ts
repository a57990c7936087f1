// A long list as of one moment: a connection of its own, whose read transaction lasts as long as its statement.

import BetterSqlite3 from "better-sqlite3";
import { PAGE_ROWS, type Query, readLimit, type SqlValue } from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import { explainFailure } from "./unavailable.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** A page of wide rows ends at about 64 KiB, so that little of a list is in memory however long its texts are. */
const PAGE_CHARACTERS = 65_536;
/** Small, as a list is read sequentially, and each open one has its own. */
const CACHE_KIB = 256;

export interface Page {
  readonly columns: readonly string[];
  readonly rows: SqlValue[][];
  readonly isLast: boolean;
}

/** Only reads the database at `path`. Everything throws errors as mapped by `explainFailure`. */
export class Cursor {
  readonly #database: BetterSqlite3.Database;
  readonly #columns: readonly string[];
  readonly #rows: IterableIterator<SqlValue[]>;

  constructor(path: string, query: Query<unknown>) {
    this.#database = openReader(path);
    try {
      this.#database.pragma(`cache_size = -${CACHE_KIB}`);
      const connection = new SqliteConnection(this.#database);
      ({ columns: this.#columns, rows: this.#rows } = connection.iterate(query.sql, ...query.values, readLimit(query)));
    } catch (error) {
      this.#database.close();
      throw explainFailure(error);
    }
  }

  next(): Page {
    try {
      const rows: SqlValue[][] = [];
      let characters = 0;
      while (rows.length < PAGE_ROWS && characters < PAGE_CHARACTERS) {
        const { done, value } = this.#rows.next();
        if (done === true) return { columns: this.#columns, rows, isLast: true };
        rows.push(value);
        for (const part of value) if (typeof part === "string") characters += part.length;
      }
      return { columns: this.#columns, rows, isLast: false };
    } catch (error) {
      throw explainFailure(error);
    }
  }

  /** Releases the snapshot and the connection. */
  close(): void {
    this.#rows.return?.();
    this.#database.close();
  }
}

function openReader(path: string): BetterSqlite3.Database {
  try {
    return new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw explainFailure(error);
  }
}
