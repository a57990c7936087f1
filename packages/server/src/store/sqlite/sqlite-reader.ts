import BetterSqlite3 from "better-sqlite3";
import type { Reader } from "../store.ts";
import { SqliteConnection } from "./connection.ts";

const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 4_000;

/** The database at `path`, which must exist. Each statement reads what is committed as it begins. */
export function openSqliteReader(path: string): Reader {
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  database.pragma(`cache_size = -${CACHE_KIB}`);
  const connection = new SqliteConnection(database);
  return {
    read: (work) => work(connection),
    close: async () => void database.close(),
  };
}
