// The store of a data folder: one SQLite file with one writer, whose log is flushed and checkpointed off the event loop.

import { closeSync, fdatasync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { migrate, migrations } from "../migrate.ts";
import type { Dialect, Migration } from "../statement.ts";
import { type NoteCommit, PAGE_ROWS, type Query, readRows, type Store, StoreUnavailable, type Work } from "../store.ts";
import { type Checkpointed, CheckpointThread, defaultLogBounds, type LogBounds } from "./checkpoints.ts";
import { BUSY_TIMEOUT_MS, openToRead, SqliteConnection, sqliteDialect } from "./connection.ts";
import { createCursors } from "./cursors.ts";
import { type Flush, GroupCommitWriter } from "./group-commit.ts";
import { Moments, READER_CACHE_KIB, Snapshots } from "./readers.ts";

/**
 * SQLite's write-ahead log, flushed from the thread pool: SQLite's own flush at each commit (synchronous = FULL) would
 * block the event loop. See docs/decisions/0002-group-commit.md.
 */
interface Log {
  /** Resolves when every commit made before the call is on disk. */
  readonly flush: Flush;
  close(): void;
}

const flushFile = promisify(fdatasync);

/** Returns the log of the database at `path`. Its file is opened at the first flush, when it certainly exists. */
function openLog(path: string): Log {
  // a second handle on the log is safe, because SQLite's locks are on other files
  let handle: number | undefined;
  return {
    flush() {
      handle ??= openLogFile(path);
      return flushFile(handle);
    },
    close() {
      if (handle !== undefined) closeSync(handle);
    },
  };
}

function openLogFile(path: string): number {
  const handle = openSync(`${path}-wal`, "r+");
  // the log's directory entry must survive a power cut, too; SQLite flushes it only when it first flushes the log itself
  if (process.platform !== "win32") flushFolder(dirname(path));
  return handle;
}

function flushFolder(path: string): void {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}

/** SQLite's default limit of the log, in pages. Without a checkpoint thread, a commit that exceeds it runs a checkpoint. */
const AUTOCHECKPOINT_PAGES = 1_000;

export interface SqliteStoreOptions {
  /** Path of the file, or `:memory:`. A missing file is created with mode 0600, a missing folder with mode 0700. */
  readonly path: string;
  /** Epoch milliseconds, for the record of migrations. */
  readonly now: () => number;
  /** The built `checkpoint-thread`. Without it, the writer runs the checkpoints. */
  readonly checkpointThread?: URL;
  /** Limits of the log's length, used with a checkpoint thread. @default `defaultLogBounds` */
  readonly logBounds?: LogBounds;
  /** The built `cursor-thread`. Without it long lists are read in this thread. */
  readonly cursorThread?: URL;
  readonly noteCommit?: NoteCommit;
  /** Called after each checkpoint of the checkpoint thread, with undefined if it failed. */
  readonly noteCheckpoint?: (found: Checkpointed | undefined) => void;
}

/** Opens the database, migrates its tables, and returns it as a `Store`. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const {
    path,
    now,
    checkpointThread,
    cursorThread,
    logBounds = defaultLogBounds,
    noteCommit,
    noteCheckpoint,
  } = options;
  const writing = new SqliteConnection(path === ":memory:" ? openInMemory() : openWriter(path));
  const log = path === ":memory:" ? undefined : openLog(path);
  // a memory database has only one connection, on which reads alternate with writes
  const moments = new Moments(logBounds);
  const cursors = path === ":memory:" ? undefined : createCursors(path, cursorThread, moments);
  const snapshots = new Snapshots(moments);
  const checkpoints =
    checkpointThread === undefined || cursors === undefined
      ? undefined
      : new CheckpointThread({
          path,
          thread: checkpointThread,
          readers: {
            get areOpen() {
              return moments.areOpen;
            },
            async makeWay() {
              await moments.shut();
              snapshots.giveUp();
              await cursors.giveUp();
            },
            goOn: () => moments.reopen(),
          },
          onFailure: () => writing.database.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`),
          noteCheckpoint,
          mostPages: logBounds.mostPages,
        });
  // an automatic checkpoint would block the event loop inside a commit: it moves all pages that stayed in the log while a
  // long list was read
  if (checkpoints !== undefined) writing.database.pragma("wal_autocheckpoint = 0");
  const writer = new GroupCommitWriter(writing, {
    flush: async () => {
      await log?.flush();
      checkpoints?.note();
    },
    pause: () => checkpoints?.pause,
    ...(noteCommit === undefined ? {} : { noteCommit }),
  });
  try {
    const steps = await writer.write((tx) => migrate(tx, now()));
    if (path === ":memory:" && steps.length > 0) migratedImage = writing.database.serialize();
  } catch (error) {
    await checkpoints?.close();
    log?.close();
    writing.database.close();
    throw error instanceof StoreUnavailable && error.cause ? error.cause : error;
  }
  const reading = path === ":memory:" ? undefined : new SqliteConnection(openToRead(path, READER_CACHE_KIB));
  return {
    read: <T>(work: Work<T>) => (reading ? work(reading) : writer.write(work)),
    readPages: <Row>(query: Query<Row>) => cursors?.readPages(query) ?? readAtOnce(writer, query),
    // a memory database has no second connection for a snapshot, so the database is copied
    openSnapshot: async () =>
      snapshots.open(path === ":memory:" ? await writer.write(async () => writing.database.serialize()) : path),
    write: (work, priority) => writer.write(work, priority),
    async close() {
      snapshots.giveUp();
      await writer.close();
      await checkpoints?.close();
      await cursors?.close();
      reading?.database.close();
      log?.close();
      writing.database.close();
    },
  };
}

/** Reads all rows at once: a memory database has no second connection that could keep a snapshot open. */
async function* readAtOnce<Row>(writer: GroupCommitWriter, query: Query<Row>): AsyncGenerator<Row[], void, undefined> {
  const rows = await writer.write((tx) => readRows(tx, query));
  for (let start = 0; start < rows.length; start += PAGE_ROWS) yield rows.slice(start, start + PAGE_ROWS);
}

/** Migrates the tables of the database at `path`, then closes it. Returns the migrations that were run. */
export function migrateDatabase(path: string, now: number, steps = migrations): Promise<Migration[]> {
  return writeDatabase(path, (tx) => migrate(tx, now, steps));
}

/** Runs `work` in a transaction of the database at `path`, then closes it. */
export async function writeDatabase<T>(path: string, work: Work<T>): Promise<T> {
  const connection = new SqliteConnection(openWriter(path));
  const log = openLog(path);
  const writer = new GroupCommitWriter(connection, { flush: log.flush });
  try {
    return await writer.write(work);
  } catch (error) {
    throw error instanceof StoreUnavailable && error.cause ? error.cause : error;
  } finally {
    await writer.close();
    log.close();
    connection.database.close();
  }
}

/** An empty migrated database. Every memory database after the first is a copy of it. */
let migratedImage: Buffer | undefined;

function openInMemory(): BetterSqlite3.Database {
  return configure(new BetterSqlite3(migratedImage ?? ":memory:"));
}

function openWriter(path: string): BetterSqlite3.Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite gives its journal files the mode of the database file
  closeSync(openSync(path, "a", 0o600));
  return configure(new BetterSqlite3(path, { timeout: BUSY_TIMEOUT_MS }));
}

function configure(database: BetterSqlite3.Database): BetterSqlite3.Database {
  database.pragma("journal_mode = WAL");
  // the writer flushes the log off this thread before it answers, so SQLite need only flush around checkpoints
  database.pragma("synchronous = NORMAL");
  database.pragma("foreign_keys = ON");
  database.pragma("cache_size = -12000");
  database.pragma("temp_store = MEMORY");
  return database;
}

/**
 * Opens a file or `:memory:`, and attaches it as `schema`, so that its tables have the same names as on PostgreSQL. A missing
 * file is created with mode 0600. The log is not flushed: commits survive a killed process, but not always a power cut.
 */
export async function openAttachedStore(
  path: string,
  schema: string,
  tables: (dialect: Dialect) => readonly string[],
): Promise<Pick<Store, "write" | "close">> {
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const database = new BetterSqlite3(":memory:", { timeout: BUSY_TIMEOUT_MS });
  const writer = new GroupCommitWriter(new SqliteConnection(database), { flush: async () => {} });
  const close = async () => {
    await writer.close();
    database.close();
  };
  try {
    database.prepare(`ATTACH ? AS ${schema}`).run(path);
    database.pragma(`${schema}.journal_mode = WAL`);
    database.pragma(`${schema}.synchronous = NORMAL`);
    await writer.write(async (tx) => {
      if ((await tx.get(`SELECT 1 FROM ${schema}.sqlite_schema LIMIT 1`)) !== undefined) return;
      for (const table of tables(sqliteDialect)) await tx.run(table);
    });
  } catch (error) {
    await close();
    throw error instanceof StoreUnavailable && error.cause ? error.cause : error;
  }
  return { write: (work) => writer.write(work), close };
}
