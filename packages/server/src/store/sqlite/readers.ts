// A long list as of one moment: a connection of its own, whose read transaction lasts as long as its statement.

import BetterSqlite3 from "better-sqlite3";
import { clearTimeout, setTimeout } from "../../platform/timers.ts";
import {
  PAGE_ROWS,
  type Query,
  type Reader,
  readLimit,
  type Snapshot,
  type SqlValue,
  StoreUnavailable,
} from "../store.ts";
import type { LogBounds } from "./checkpoints.ts";
import { explainFailure, SqliteConnection } from "./connection.ts";

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
    this.#database = openCursor(path);
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

function openCursor(path: string): BetterSqlite3.Database {
  try {
    return new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw explainFailure(error);
  }
}

// Connections that stay at one moment, while it is read over several turns of the event loop.

const SNAPSHOT_TIMEOUT_MS = 5_000;
/** Small, as rows are read once, and each open one has its own. */
const SNAPSHOT_CACHE_KIB = 256;

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
      database = openSnapshot(source);
      database.pragma(`cache_size = -${SNAPSHOT_CACHE_KIB}`);
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

function openSnapshot(source: string | Buffer): BetterSqlite3.Database {
  // a copy is not shared, and SQLite cannot open one read-only
  if (typeof source !== "string") return new BetterSqlite3(source);
  return new BetterSqlite3(source, { readonly: true, fileMustExist: true, timeout: SNAPSHOT_TIMEOUT_MS });
}

// Counts the open snapshots of long replies. None is opened while the log must start over.

/** Releases the snapshot; a second call does nothing. */
export type LetGo = () => void;

export class Moments {
  readonly #bounds: Omit<LogBounds, "mostPages">;
  #open = 0;
  #isShut = false;
  #onNone: () => void = () => {};
  readonly #waiting = new Set<() => void>();

  constructor(bounds: Omit<LogBounds, "mostPages">) {
    this.#bounds = bounds;
  }

  get areOpen(): boolean {
    return this.#open > 0;
  }

  /** Waits while none may be opened. Rejects with `StoreUnavailable` if that takes too long. */
  async take(): Promise<LetGo> {
    if (this.#isShut) await this.#wait();
    this.#open += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#open -= 1;
      if (this.#open === 0) this.#onNone();
    };
  }

  /** Admits no more. Resolves when none is left, or when the open ones have had time to finish. */
  async shut(): Promise<void> {
    this.#isShut = true;
    if (this.#open === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#bounds.finishMs).unref();
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onNone = () => {};
  }

  /** Admits those that waited. */
  reopen(): void {
    this.#isShut = false;
    for (const admit of this.#waiting) admit();
  }

  #wait(): Promise<void> {
    const { waitMs } = this.#bounds;
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        this.#waiting.delete(admit);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(admit);
        reject(new StoreUnavailable(`the log did not start over within ${waitMs / 1_000} s`));
      }, waitMs).unref();
      this.#waiting.add(admit);
    });
  }
}

const READER_TIMEOUT_MS = 5_000;
const READER_CACHE_KIB = 4_000;

/** The database at `path`, which must exist. Each statement reads what is committed as it begins. */
export function openSqliteReader(path: string): Reader {
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: READER_TIMEOUT_MS });
  database.pragma(`cache_size = -${READER_CACHE_KIB}`);
  const connection = new SqliteConnection(database);
  return {
    read: (work) => work(connection),
    close: async () => void database.close(),
  };
}
