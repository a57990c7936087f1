// A database file as the source of a transfer. The simulated carrier's ledger, a file beside it, is attached.

import BetterSqlite3 from "better-sqlite3";
import { listTables } from "../migrate.ts";
import type { Counters, TransferSource } from "../transfer/transfer-ends.ts";
import { SqliteConnection, sqliteDialect } from "./connection.ts";

const BUSY_TIMEOUT_MS = 5_000;
const LEDGER = "simulated_carrier";

/** Opens a database file whose tables are this build's, and the ledger's, undefined if there is none. */
export async function openTransferSource(path: string, ledgerFile: string | undefined): Promise<TransferSource> {
  const database = new BetterSqlite3(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    if (ledgerFile !== undefined) database.prepare(`ATTACH ? AS ${LEDGER}`).run(ledgerFile);
    // a command beside it may read; what it wrote from now on would be lost
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    throw error;
  }
  const tx = new SqliteConnection(database);
  return {
    tx,
    // one was made anew under its name
    tables: [...new Set(listTables(sqliteDialect))],
    ledgerTables: ledgerFile === undefined ? [] : await listLedgerTables(tx),
    listColumns: (table) => listColumns(tx, table),
    readCounters: () => readCounters(tx),
    abandon: async () => void database.close(),
  };
}

async function listLedgerTables(tx: SqliteConnection): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(
    `SELECT name FROM ${LEDGER}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`,
  );
  return rows.map(({ name }) => `${LEDGER}.${name}`);
}

async function listColumns(tx: SqliteConnection, table: string): Promise<string[]> {
  const [name, schema = "main"] = table.split(".").reverse();
  const sql = "SELECT name FROM pragma_table_info($1, $2) ORDER BY cid";
  return (await tx.all<{ name: string }>(sql, name as string, schema)).map((column) => column.name);
}

async function readCounters(tx: SqliteConnection): Promise<Counters> {
  const rows = await tx.all<{ name: string; seq: number }>("SELECT name, seq FROM sqlite_sequence");
  return new Map(rows.map(({ name, seq }) => [name, seq]));
}
