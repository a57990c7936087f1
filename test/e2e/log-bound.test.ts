// How long the write-ahead log becomes beside lists that overlap without a pause, with the built threads.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLogBounds } from "../../packages/server/src/store/sqlite/log-bounds.ts";
import { openSqliteStore } from "../../packages/server/src/store/sqlite/sqlite-store.ts";
import { type Query, type Store, StoreUnavailable } from "../../packages/server/src/store/store.ts";

const PAGE_BYTES = 4_096;
const ROWS = 2_000;
const WRITE_PAGES = 500;
const bounds = { ...defaultLogBounds, mostPages: 10_000, finishMs: 0, waitMs: 3_600_000 };
/** What is written while the threads do what they are asked to, however slow the machine. */
const MARGIN_PAGES = 20_000;

const dist = new URL("../../packages/server/dist/", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "msgd-log-"));
const path = join(folder, "test.db");
let store: Store;
let written = 0;

beforeEach(async () => {
  store = await openSqliteStore({
    path,
    now: () => 0,
    logBounds: bounds,
    checkpointThread: new URL("checkpoint-thread.js", dist),
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
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const logBytes = () => statSync(`${path}-wal`).size;

/** A page of the log for each row. */
function write(): Promise<unknown> {
  written += WRITE_PAGES;
  const first = written % ROWS;
  const content = String(written).padEnd(3_000, "y");
  return store.write((tx) =>
    tx.run("UPDATE notes SET content = $1 WHERE note_id > $2 AND note_id <= $3", content, first, first + WRITE_PAGES),
  );
}

async function writeUntilStartOver(): Promise<void> {
  const watch = new BetterSqlite3(path);
  const pages = () => (watch.pragma("wal_checkpoint(NOOP)") as { log: number }[])[0]?.log ?? 0;
  for (let before = 0; before <= pages(); ) {
    before = pages();
    await write();
  }
  watch.close();
}

const notes: Query<{ noteId: number }> = {
  sql: `SELECT note_id AS "noteId" FROM notes WHERE note_id > $1 ORDER BY note_id LIMIT $2`,
  values: [0],
};
const openList = async () => {
  const list = store.readPages(notes);
  await list.next();
  return list;
};

/** Reads to the end; false where it was cut off before. */
async function isReadable(list: AsyncIterableIterator<unknown[]>): Promise<boolean> {
  try {
    for await (const _ of list);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(StoreUnavailable);
    return false;
  }
}

describe("the log beside long lists", () => {
  it("stays within its bound while they overlap, and lists are read on after that", async () => {
    const lists: Awaited<ReturnType<typeof openList>>[] = [];
    let cut = 0;
    for (let pages = 0; pages < 12 * bounds.mostPages; pages += WRITE_PAGES) {
      try {
        lists.push(await openList());
      } catch {
        cut += 1;
      }
      await write();
      // the next one is open before the last one ends
      const [oldest] = lists.length > 3 ? lists.splice(0, 1) : [];
      if (oldest !== undefined && !(await isReadable(oldest))) cut += 1;
    }
    expect(logBytes()).toBeLessThan((bounds.mostPages + MARGIN_PAGES) * PAGE_BYTES);
    await Promise.all(lists.map((list) => isReadable(list)));
    expect(cut).toBeGreaterThan(0);
    expect(await isReadable(store.readPages(notes))).toBe(true);
  });

  it("cuts off a list that lasts, which never looks whole", async () => {
    const list = await openList();
    // the first may begin the log anew beside it, for the list may need nothing of it
    await write();
    await writeUntilStartOver();
    expect(logBytes()).toBeGreaterThan(bounds.mostPages * PAGE_BYTES);
    expect(await isReadable(list)).toBe(false);
    expect(await isReadable(store.readPages(notes))).toBe(true);
  });

  it("starts over once nobody holds it, however much is left to move", async () => {
    const list = await openList();
    for (let pages = 0; pages < bounds.mostPages - WRITE_PAGES; pages += WRITE_PAGES) await write();
    await list.return?.();
    const before = logBytes();
    for (let pages = 0; pages < 4 * bounds.mostPages; pages += WRITE_PAGES) await write();
    expect(logBytes()).toBeLessThan(before + MARGIN_PAGES * PAGE_BYTES);
  });

  it("starts over by the writer's own checkpoints where the thread fails", async () => {
    await store.close();
    store = await openSqliteStore({ path, now: () => 0, checkpointThread: new URL("no-thread.js", dist) });
    await write();
    await write();
    await writeUntilStartOver();
    expect(await isReadable(store.readPages(notes))).toBe(true);
  });

  it("grows beside a snapshot of another process, and lists go on", async () => {
    const backup = new BetterSqlite3(path, { readonly: true });
    backup.exec("BEGIN");
    backup.prepare("SELECT COUNT(*) FROM sqlite_master").get();
    while (logBytes() < 2 * bounds.mostPages * PAGE_BYTES) await write();
    // one that began before the thread saw how long the log is has to make way
    await expect.poll(() => isReadable(store.readPages(notes)), { timeout: 60_000 }).toBe(true);
    backup.close();
    const before = logBytes();
    for (let pages = 0; pages < 6 * bounds.mostPages; pages += WRITE_PAGES) await write();
    expect(logBytes()).toBeLessThan(before + (bounds.mostPages + MARGIN_PAGES) * PAGE_BYTES);
  });
});
