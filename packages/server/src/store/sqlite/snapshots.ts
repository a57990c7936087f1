// Connections that stay at one moment, while what is read of it is made use of turn by turn.

import BetterSqlite3 from "better-sqlite3";
import type { Snapshot } from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import type { Moments } from "./moments.ts";
import { explainFailure } from "./unavailable.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** Little, for rows are read once; each open one has as much. */
const CACHE_KIB = 256;

export class Snapshots {
  readonly #moments: Moments;
  readonly #open = new Set<() => void>();

  constructor(moments: Moments) {
    this.#moments = moments;
  }

  /** Of a database file, or of the copy of a database. Rejects as `explainFailure` has it. */
  async open(source: string | Buffer): Promise<Snapshot> {
    const letGo = await this.#moments.take();
    let database: BetterSqlite3.Database | undefined;
    const end = () => {
      database?.close();
      this.#open.delete(end);
      letGo();
    };
    try {
      database = openReader(source);
      database.pragma(`cache_size = -${CACHE_KIB}`);
      database.exec("BEGIN");
    } catch (error) {
      end();
      throw explainFailure(error);
    }
    this.#open.add(end);
    return { tx: new SqliteConnection(database), end };
  }

  /** Ends those that are open: whoever goes on to read is told `StoreUnavailable`. */
  giveUp(): void {
    for (const end of this.#open) end();
  }
}

function openReader(source: string | Buffer): BetterSqlite3.Database {
  // a copy is nobody else's, and SQLite opens none for reading alone
  if (typeof source !== "string") return new BetterSqlite3(source);
  return new BetterSqlite3(source, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
}
