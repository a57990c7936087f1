// Long lists of a database file, read in this thread. test/e2e reads them in the built thread.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canFoldLog } from "../../testing/sqlite-log.ts";
import { type Query, type Store, StoreUnavailable } from "../store.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const folder = mkdtempSync(join(tmpdir(), "msgd-cursors-"));
const path = join(folder, "test.db");
let store: Store;

beforeEach(async () => {
  store = await openSqliteStore({ path, now: () => 0 });
  await store.write(async (tx) => {
    await tx.run("CREATE TABLE notes (note_id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT");
    await addNotes(tx, { count: 1_000, content: "first" });
  });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function addNotes(tx: Parameters<Parameters<Store["write"]>[0]>[0], { count, content }: Record<string, unknown>) {
  return tx.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
     INSERT INTO notes (content) SELECT $2 FROM numbers`,
    Number(count),
    String(content),
  );
}

interface Note {
  readonly noteId: number;
  readonly content: string;
}

const notes: Query<Note> = {
  sql: `SELECT note_id AS "noteId", content FROM notes WHERE note_id > $1 ORDER BY note_id LIMIT $2`,
  values: [0],
};

async function readAll<Row>(pages: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

describe("a long list", () => {
  it("is returned in pages, complete and in order, up to its limit", async () => {
    const pages: Note[][] = [];
    for await (const page of store.readPages(notes)) pages.push(page);
    expect(pages.map(({ length }) => length)).toEqual([...Array.from({ length: 10 }, () => 100), 0]);
    expect(pages.flat().map(({ noteId }) => noteId)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
    expect(await readAll(store.readPages({ ...notes, limit: 250 }))).toEqual(pages.flat().slice(0, 250));
    expect(await readAll(store.readPages({ ...notes, values: [5_000] }))).toEqual([]);
  });

  it("has smaller pages if rows are long", async () => {
    await store.write((tx) => tx.run("UPDATE notes SET content = $1", "x".repeat(8_192)));
    const pages = store.readPages(notes);
    expect((await pages.next()).value).toHaveLength(8);
    await pages.return?.();
  });

  it("reads one snapshot, whatever is written meanwhile", async () => {
    const pages = store.readPages(notes);
    const first = (await pages.next()).value as Note[];
    await store.write(async (tx) => {
      await tx.run("UPDATE notes SET content = 'second' WHERE note_id % 2 = 0");
      await tx.run("DELETE FROM notes WHERE note_id > 900");
      await addNotes(tx, { count: 50, content: "third" });
    });
    const rows = [...first, ...(await readAll(pages))];
    expect(rows).toEqual(Array.from({ length: 1_000 }, (_, index) => ({ noteId: index + 1, content: "first" })));
    expect(await readAll(store.readPages(notes))).toHaveLength(950);
  });

  it("releases its snapshot when it ends or is cut off", async () => {
    const open = store.readPages(notes);
    await open.next();
    await store.write((tx) => tx.run("UPDATE notes SET content = 'second'"));
    expect(canFoldLog(path)).toBe(false);
    await open.return?.();
    expect(canFoldLog(path)).toBe(true);
    await readAll(store.readPages(notes));
    await store.write((tx) => tx.run("UPDATE notes SET content = 'third'"));
    expect(canFoldLog(path)).toBe(true);
  });

  it("throws StoreUnavailable if the file cannot be read, and passes on other errors", async () => {
    const wrong = store.readPages({ sql: "SELECT absent FROM notes LIMIT $1", values: [] });
    await expect(wrong.next()).rejects.toThrow("no such column: absent");
    const gone = await openSqliteStore({ path: join(folder, "gone.db"), now: () => 0 });
    rmSync(join(folder, "gone.db"));
    await expect(gone.readPages(notes).next()).rejects.toThrow(StoreUnavailable);
    await gone.close();
  });
});

it("is read at once from a memory database, but still returned in pages", async () => {
  const memory = await openSqliteStore({ path: ":memory:", now: () => 0 });
  await memory.write(async (tx) => {
    await tx.run("CREATE TABLE notes (note_id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT");
    await addNotes(tx, { count: 250, content: "first" });
  });
  const pages = memory.readPages(notes);
  const first = (await pages.next()).value as Note[];
  await memory.write((tx) => tx.run("UPDATE notes SET content = 'second'"));
  const rows = [...first, ...(await readAll(pages))];
  expect(first).toHaveLength(100);
  expect(rows.map(({ content }) => content)).toEqual(Array.from({ length: 250 }, () => "first"));
  await memory.close();
});
