// What a stopped server left in its two databases: its own, and the simulated provider's ledger.

import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";

/** Runs a query on a file of the data folder. */
export function queryData<Row>(folder: string, file: "msgd.db" | "simulator.db", sql: string): Row[] {
  const database = new BetterSqlite3(join(folder, file), { readonly: true, timeout: 5_000 });
  try {
    return database.prepare<[], Row>(sql).all();
  } finally {
    database.close();
  }
}
