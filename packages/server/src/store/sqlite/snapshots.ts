// Connections that stay at one moment, while what is read of it is made use of turn by turn.

import BetterSqlite3 from "better-sqlite3";
import type { Snapshot } from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import { explainFailure } from "./unavailable.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** Little, for rows are read once; each open one has as much. */
const CACHE_KIB = 256;

export class Snapshots {
  readonly #open = new Set<BetterSqlite3.Database>();

  /** Of a database file, or of the copy of a database. Throws as `explainFailure` has it. */
  open(source: string | Buffer): Snapshot {
    const database = openReader(source);
    this.#open.add(database);
    const end = () => {
      database.close();
      this.#open.delete(database);
    };
    try {
      database.pragma(`cache_size = -${CACHE_KIB}`);
      database.exec("BEGIN");
    } catch (error) {
      end();
      throw explainFailure(error);
    }
    return { tx: new SqliteConnection(database), end };
  }

  /** Ends those that are open. */
  close(): void {
    for (const database of this.#open) database.close();
    this.#open.clear();
  }
}

function openReader(source: string | Buffer): BetterSqlite3.Database {
  try {
    // a copy is nobody else's, and SQLite opens none for reading alone
    if (typeof source !== "string") return new BetterSqlite3(source);
    return new BetterSqlite3(source, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw explainFailure(error);
  }
}
