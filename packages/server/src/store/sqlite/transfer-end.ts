// A database file as an end of a transfer. The simulated carrier's ledger, a file beside it, is attached.

import BetterSqlite3 from "better-sqlite3";
import { listTables } from "../migrate.ts";
import type { Column, Counters, TableShape, TransferEnd } from "../transfer/transfer-end.ts";
import { SqliteConnection, sqliteDialect } from "./connection.ts";

const BUSY_TIMEOUT_MS = 5_000;
const LEDGER = "simulated_carrier";

export interface SqliteEndOptions {
  readonly path: string;
  /** The file of the ledger; undefined if there is none. */
  readonly ledgerFile: string | undefined;
  /** Whether it is a new file, given up unless it is committed: it is written without a log. */
  readonly isDraft: boolean;
}

/** Opens a database file whose tables are this build's. */
export async function openSqliteEnd({ path, ledgerFile, isDraft }: SqliteEndOptions): Promise<TransferEnd> {
  const database = new BetterSqlite3(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    if (ledgerFile !== undefined) database.prepare(`ATTACH ? AS ${LEDGER}`).run(ledgerFile);
    if (isDraft) {
      // of pages that were there before, which are few
      database.pragma("journal_mode = MEMORY");
      database.pragma("synchronous = OFF");
    }
    database.pragma("foreign_keys = ON");
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    throw error;
  }
  const tx = new SqliteConnection(database);
  const end = async (statement: "COMMIT" | "ROLLBACK") => {
    if (!database.open) return;
    try {
      database.exec(statement);
    } finally {
      database.close();
    }
  };
  return {
    engine: "sqlite",
    tx,
    tables: listTables(sqliteDialect),
    ledgerTables: ledgerFile === undefined ? [] : await listLedgerTables(tx),
    describe: (table) => describe(tx, table),
    async insert(table, columns, rows) {
      const names = columns.map(({ name }) => `"${name}"`).join(", ");
      const values = columns.map((_, index) => `$${index + 1}`).join(", ");
      for (const row of rows) await tx.run(`INSERT INTO ${table} (${names}) VALUES (${values})`, ...row);
    },
    async settle() {},
    readCounters: () => readCounters(tx),
    raiseCounters: (counters) => raiseCounters(tx, counters),
    commit: () => end("COMMIT"),
    abandon: () => end("ROLLBACK"),
  };
}

async function listLedgerTables(tx: SqliteConnection): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(
    `SELECT name FROM ${LEDGER}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`,
  );
  return rows.map(({ name }) => `${LEDGER}.${name}`);
}

async function describe(tx: SqliteConnection, table: string): Promise<TableShape> {
  const [name, schema = "main"] = table.split(".").reverse();
  const rows = await tx.all<Column & { place: number }>(
    "SELECT name, type, pk AS place FROM pragma_table_info($1, $2) ORDER BY cid",
    name as string,
    schema,
  );
  const key = rows.filter(({ place }) => place > 0).sort((one, other) => one.place - other.place);
  return { columns: rows.map(({ name, type }) => ({ name, type })), key: key.map(({ name }) => name) };
}

async function readCounters(tx: SqliteConnection): Promise<Counters> {
  const rows = await tx.all<{ name: string; seq: number }>("SELECT name, seq FROM sqlite_sequence");
  return new Map(rows.map(({ name, seq }) => [name, seq]));
}

/** SQLite keeps a counter only for tables that have AUTOINCREMENT; it has seen the ids that there are. */
async function raiseCounters(tx: SqliteConnection, counters: Counters): Promise<void> {
  const rows = await tx.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'",
  );
  for (const { name } of rows) {
    const counted = counters.get(name) ?? 0;
    const found = await tx.get("SELECT 1 FROM sqlite_sequence WHERE name = $1", name);
    if (found === undefined) await tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", name, counted);
    else await tx.run("UPDATE sqlite_sequence SET seq = $2 WHERE name = $1 AND seq < $2", name, counted);
  }
}
