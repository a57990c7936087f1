// A store of notes of one page each, which can write until its write-ahead log reaches a state. Each store has its own folder,
// so that a test that timed out does not write to the store of another.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { defaultLogBounds } from "../../packages/server/src/store/sqlite/checkpoints.ts";
import { openSqliteStore } from "../../packages/server/src/store/sqlite/sqlite-store.ts";
import type { Query, Store } from "../../packages/server/src/store/store.ts";

const ROWS = 2_000;
const WRITE_PAGES = 500;

const dist = new URL("../../packages/server/dist/", import.meta.url);

const notes: Query<{ noteId: number }> = {
  sql: `SELECT note_id AS "noteId" FROM notes WHERE note_id > $1 ORDER BY note_id LIMIT $2`,
  values: [0],
};

export interface NotesOptions {
  /** Length of the log, in pages, beyond which lists are cut off. */
  readonly mostPages: number;
  /** Length of the log, in pages, at which writing is given up. */
  readonly patiencePages: number;
  /** File of the checkpoint thread's built program. @default "checkpoint-thread.js" */
  readonly checkpointThread?: string;
}

export class NotesStore {
  readonly path: string;
  readonly #folder: string;
  readonly #store: Store;
  readonly #watch: BetterSqlite3.Database;
  readonly #patiencePages: number;
  #written = 0;

  private constructor(folder: string, path: string, store: Store, patiencePages: number) {
    this.#folder = folder;
    this.path = path;
    this.#store = store;
    this.#watch = new BetterSqlite3(path);
    this.#patiencePages = patiencePages;
  }

  static async open(options: NotesOptions): Promise<NotesStore> {
    const { mostPages, patiencePages, checkpointThread = "checkpoint-thread.js" } = options;
    const folder = mkdtempSync(join(tmpdir(), "msgd-log-"));
    const path = join(folder, "notes.db");
    const store = await openSqliteStore({
      path,
      now: () => 0,
      logBounds: { ...defaultLogBounds, mostPages, finishMs: 0, waitMs: 3_600_000 },
      checkpointThread: new URL(checkpointThread, dist),
      cursorThread: new URL("cursor-thread.js", dist),
    });
    await store.write(async (tx) => {
      await tx.run("CREATE TABLE notes (note_id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT");
      await tx.run(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
         INSERT INTO notes (content) SELECT $2 FROM numbers`,
        ROWS,
        "x".repeat(3_000),
      );
    });
    return new NotesStore(folder, path, store, patiencePages);
  }

  /** Lists all notes, as of the time when the first page is read. */
  list(): AsyncIterableIterator<unknown[]> {
    return this.#store.readPages(notes);
  }

  /** Writes a page of the log for each row. */
  async write(): Promise<void> {
    this.#written += WRITE_PAGES;
    const first = this.#written % ROWS;
    const content = String(this.#written).padEnd(3_000, "y");
    await this.#store.write((tx) =>
      tx.run("UPDATE notes SET content = $1 WHERE note_id > $2 AND note_id <= $3", content, first, first + WRITE_PAGES),
    );
  }

  /** Number of pages in the log since it last started over. */
  get logPages(): number {
    return (this.#watch.pragma("wal_checkpoint(NOOP)") as { log: number }[])[0]?.log ?? 0;
  }

  /** Writes until the log has more than `pages` pages. */
  async writeUntilLonger(pages: number): Promise<void> {
    await this.#writeUntil(() => this.logPages > pages);
  }

  /** Repeatedly calls `before` and writes, until the log starts over. Returns the number of pages that the log had. */
  async writeUntilStartOver(before?: () => Promise<void>): Promise<number> {
    let had = 0;
    await this.#writeUntil(() => {
      const has = this.logPages;
      if (has < had) return true;
      had = has;
      return false;
    }, before);
    return had;
  }

  async #writeUntil(isSo: () => boolean, before = async () => {}): Promise<void> {
    for (let pages = 0; !isSo(); pages += WRITE_PAGES) {
      if (pages >= this.#patiencePages) throw new Error(`after ${pages} pages the log has ${this.logPages}`);
      await before();
      await this.write();
    }
  }

  async remove(): Promise<void> {
    this.#watch.close();
    await this.#store.close();
    rmSync(this.#folder, { recursive: true });
  }
}
