// Connections that stay at one moment, while it is read over several turns of the event loop.

import BetterSqlite3 from "better-sqlite3";
import type { Snapshot } from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import type { Moments } from "./moments.ts";
import { explainFailure } from "./unavailable.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** Small, as rows are read once, and each open one has its own. */
const CACHE_KIB = 256;

export class Snapshots {
  readonly #moments: Moments;
  readonly #open = new Set<() => void>();

  constructor(moments: Moments) {
    this.#moments = moments;
  }

  /** Opens a database file, or the copy of a database. Rejects with errors as mapped by `explainFailure`. */
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

  /** Ends the open ones: further reads fail with `StoreUnavailable`. */
  giveUp(): void {
    for (const end of this.#open) end();
  }
}

function openReader(source: string | Buffer): BetterSqlite3.Database {
  // a copy is not shared, and SQLite cannot open one read-only
  if (typeof source !== "string") return new BetterSqlite3(source);
  return new BetterSqlite3(source, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
}
