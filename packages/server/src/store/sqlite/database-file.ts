// Work of commands on a database file, even while a server uses it: inspection, backup and transfer.

import { closeSync, fsyncSync, linkSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { lockFile } from "../../platform/file-lock.ts";
import type { Inspection } from "../databases.ts";
import { checkInvariants, type InvariantReport } from "../invariants.ts";
import { findAge, listTables, migrations, type TablesAge } from "../migrate.ts";
import { findRestoration } from "../restorations.ts";
import { countSeals } from "../sealed-secrets.ts";
import { listValues, type Transaction } from "../store.ts";
import type { CounterValues, TransferSource } from "../transfer/transfer.ts";
import { BUSY_TIMEOUT_MS, openToRead, SqliteConnection, sqliteDialect } from "./connection.ts";

const MOST_FAULTS = 20;

/** Checks, in one snapshot, the file itself and, if this build knows its tables, the invariants of the data. */
export async function inspectDatabase(path: string, now: number, steps = migrations): Promise<Inspection> {
  const database = openToRead(path);
  try {
    database.exec("BEGIN");
    const connection = new SqliteConnection(database);
    const age = await findFileAge(connection, steps);
    const reports: InvariantReport[] = [
      { name: "the file is whole", faults: checkFile(database) },
      {
        name: "every reference leads somewhere",
        faults: database.pragma(`foreign_key_check`) as InvariantReport["faults"],
      },
    ];
    if (age !== "current") return { age, reports, restoration: undefined, seals: [] };
    reports.push(...(await checkInvariants(connection)));
    const [restoration, seals] = [await findRestoration(connection), await countSeals(connection, now)];
    return { age, reports, restoration, seals };
  } finally {
    database.close();
  }
}

/** Returns the age of the file's tables; undefined if it is not msgd's. Throws if it is damaged, or no release made it. */
async function findFileAge(tx: Transaction, steps = migrations): Promise<TablesAge | undefined> {
  const table = await tx.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'");
  return table === undefined ? undefined : findAge(tx, steps);
}

function checkFile(database: BetterSqlite3.Database): InvariantReport["faults"] {
  const rows = database.pragma(`integrity_check(${MOST_FAULTS})`) as { integrity_check: string }[];
  return rows.filter(({ integrity_check: text }) => text !== "ok").map(({ integrity_check: fault }) => ({ fault }));
}

/** Number of pages copied in one turn of the event loop: 1 MiB. */
const PAGES_PER_BITE = 256;

/**
 * Copies the database at `path` to `file`: one self-contained file, 0600, flushed to disk when this resolves. If `file`
 * exists, rejects with EEXIST and leaves it unchanged. Rejects with `UnreleasedTables` if no release made the tables.
 * Removes leftovers of killed backups from the folder of `file`, but not drafts of backups that other processes still run.
 */
export async function backUpDatabase(path: string, file: string): Promise<void> {
  removeLeftovers(dirname(file));
  const draft = openDraft(file);
  try {
    closeSync(openSync(draft.file, "wx", 0o600));
    await copy(path, draft.file);
    settle(draft.file);
    flush(draft.file);
    // a link, unlike a rename, never replaces an existing file
    linkSync(draft.file, file);
  } finally {
    draft.remove();
  }
  flush(dirname(file));
}

/** A draft's folder is named after the backup, followed by this and six random letters and digits. */
const DRAFT = ".partial-";
const DRAFT_FOLDER = /\.partial-[A-Za-z0-9]{6}$/;
const LOCK = "lock";
const COPY = "copy.db";
/** Matches every file that a draft's folder may have: the lock, the copy and the files that SQLite adds to each. */
const DRAFT_FILE = /^(?:lock|copy\.db)(?:-journal|-wal|-shm)?$/;

/** Opens a draft in a folder beside `file`, so that `file` appears only when complete. The folder is locked while in use. */
function openDraft(file: string): { readonly file: string; remove(): void } {
  const folder = mkdtempSync(`${file}${DRAFT}`);
  const lock = lockFile(join(folder, LOCK));
  return {
    file: join(folder, COPY),
    remove() {
      lock?.release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Removes abandoned drafts of all names from `parent`: backups are named by day, so no later one has the same name. */
function removeLeftovers(parent: string): void {
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || !DRAFT_FOLDER.test(entry.name)) continue;
    const folder = join(parent, entry.name);
    try {
      if (!isDraft(readdirSync(folder))) continue;
      const lock = lockFile(join(folder, LOCK));
      lock?.release();
      if (lock !== undefined) rmSync(folder, { recursive: true, force: true });
    } catch {
      // the folder may belong to another user; it does no harm
    }
  }
}

/** Returns whether the folder is a draft. One without a copy may be new, since the copy begins after the lock. */
function isDraft(names: readonly string[]): boolean {
  return names.includes(LOCK) && names.includes(COPY) && names.every((name) => DRAFT_FILE.test(name));
}

async function copy(path: string, draft: string): Promise<void> {
  const source = openToRead(path);
  try {
    // keeps a snapshot open, because otherwise each commit of the server would restart the copy
    source.exec("BEGIN");
    await findFileAge(new SqliteConnection(source));
    await source.backup(draft, { progress: () => PAGES_PER_BITE });
  } finally {
    source.close();
  }
}

/** Moves the copy's write-ahead log into its file, so that the copy is self-contained. */
function settle(draft: string): void {
  const database = new BetterSqlite3(draft, { fileMustExist: true });
  try {
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
}

/** Flushes a file, or the names in a folder, to disk. */
export function flush(path: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The schema name under which the simulated carrier's ledger, a file beside the database, is attached. */
const LEDGER = "simulated_carrier";

/** Opens a database file with this build's tables as the source of a transfer, with the ledger's file if one is given. */
export async function openTransferSource(path: string, ledgerFile: string | undefined): Promise<TransferSource> {
  const database = new BetterSqlite3(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    if (ledgerFile !== undefined) database.prepare(`ATTACH ? AS ${LEDGER}`).run(ledgerFile);
    // other commands may read but not write, because the transfer would not see their writes
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    throw error;
  }
  const tx = new SqliteConnection(database);
  return {
    tx,
    tables: listTables(sqliteDialect),
    ledgerTables: ledgerFile === undefined ? [] : await listLedgerTables(tx),
    listColumns: (table) => listColumns(tx, table),
    readCounters: () => readCounters(tx),
    abandon: async () => void database.close(),
  };
}

async function listLedgerTables(tx: SqliteConnection): Promise<string[]> {
  const sql = `SELECT name FROM ${LEDGER}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`;
  return (await listValues<string>(tx, sql)).map((name) => `${LEDGER}.${name}`);
}

function listColumns(tx: SqliteConnection, table: string): Promise<string[]> {
  const [name = table, schema = "main"] = table.split(".").reverse();
  return listValues<string>(tx, "SELECT name FROM pragma_table_info($1, $2) ORDER BY cid", name, schema);
}

async function readCounters(tx: SqliteConnection): Promise<CounterValues> {
  const rows = await tx.all<{ name: string; seq: number }>("SELECT name, seq FROM sqlite_sequence");
  return new Map(rows.map(({ name, seq }) => [name, seq]));
}

/** Returns the size and free space of the disk of the database at `path`, and the size of the database, in bytes. */
export async function readDiskRoom(path: string): Promise<{ total: number; free: number; database: number }> {
  const [{ blocks, bavail, bsize }, { size }] = await Promise.all([statfs(dirname(path)), stat(path)]);
  return { total: blocks * bsize, free: bavail * bsize, database: size };
}
