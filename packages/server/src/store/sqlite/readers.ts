// Readers of a database file that have their own connections: long lists, snapshots for several statements, and search threads.

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
import { explainFailure, openToRead, SqliteConnection } from "./connection.ts";

/** A page of long rows ends at about 64 KiB, so that a list takes little memory however long its texts are. */
const PAGE_CHARACTERS = 65_536;
/** Page cache of a list or a snapshot. It is small, because rows are read once and each connection has its own cache. */
const CACHE_KIB = 256;
/** Page cache of a connection that is open for as long as the process runs. */
export const READER_CACHE_KIB = 4_000;

export interface Page {
  readonly columns: readonly string[];
  readonly rows: SqlValue[][];
  readonly isLast: boolean;
}

/**
 * A long list that reads one snapshot: its connection's read transaction lasts as long as its statement. Throws errors
 * as mapped by `explainFailure`.
 */
export class Cursor {
  readonly #database: BetterSqlite3.Database;
  readonly #columns: readonly string[];
  readonly #rows: IterableIterator<SqlValue[]>;

  constructor(path: string, query: Query<unknown>) {
    let database: BetterSqlite3.Database | undefined;
    try {
      database = openToRead(path, CACHE_KIB);
      this.#database = database;
      const connection = new SqliteConnection(database);
      ({ columns: this.#columns, rows: this.#rows } = connection.iterate(query.sql, ...query.values, readLimit(query)));
    } catch (error) {
      database?.close();
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
        for (const field of value) if (typeof field === "string") characters += field.length;
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

/** Connections that each keep a snapshot open over several turns of the event loop. */
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
      // SQLite cannot open a copy in memory read-only, and nobody else uses it
      database = typeof source === "string" ? openToRead(source, CACHE_KIB) : new BetterSqlite3(source);
      database.exec("BEGIN");
    } catch (error) {
      end();
      throw explainFailure(error);
    }
    this.#open.add(end);
    return { tx: new SqliteConnection(database), end };
  }

  /** Ends the open snapshots. Further reads from them fail with `StoreUnavailable`. */
  giveUp(): void {
    for (const end of this.#open) end();
  }
}

/** Releases the snapshot; a second call does nothing. */
export type LetGo = () => void;

/** Counts the open snapshots of lists and long replies. While the log must be restarted, no snapshot is opened. */
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

  /** Waits until a snapshot may be opened. Rejects with `StoreUnavailable` if that takes too long. */
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

  /** Stops admitting snapshots. Resolves when none is open, or when the open ones have had their time to finish. */
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

  /** Admits snapshots again, first those that waited. */
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
        reject(new StoreUnavailable(`the database's log could not be restarted within ${waitMs / 1_000} s`));
      }, waitMs).unref();
      this.#waiting.add(admit);
    });
  }
}

/** Opens the database at `path`, which must exist. Each statement reads the rows committed before it begins. */
export function openSqliteReader(path: string): Reader {
  const database = openToRead(path, READER_CACHE_KIB);
  const connection = new SqliteConnection(database);
  return {
    read: (work) => work(connection),
    close: async () => void database.close(),
  };
}
