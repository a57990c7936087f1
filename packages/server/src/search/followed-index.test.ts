import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { restore } from "../dispatch/messages/restoration.ts";
import { findHistory } from "../store/lineage.ts";
import type { Store } from "../store/store.ts";
import { type TestDatabase, takeLastingDatabase } from "../testing/engine.ts";
import { openStoreAt } from "../testing/test-store.ts";
import { followHistory, openFollowedIndex, takeIndexFile } from "./followed-index.ts";
import type { SearchIndex } from "./search-index.ts";

let folder: string;
let database: TestDatabase;
let store: Store;
let now: number;
const clock = { now: () => now };
beforeEach(async () => {
  now = Date.UTC(2026, 0, 15);
  folder = mkdtempSync(join(tmpdir(), "msgd-index-"));
  database = await takeLastingDatabase();
  store = await openStoreAt(database.location, clock);
});
afterEach(async () => {
  await store.close();
  await database.release();
  rmSync(folder, { recursive: true });
});

const open = () => openFollowedIndex(join(folder, "search.db"), database.location);
const fill = (index: SearchIndex) =>
  index.write([{ position: 1, messageId: "msg_1", createdAt: now, terms: "t1", words: "hello" }]);

it("an index is kept, however often it is opened, if the database was not restored", async () => {
  let index = open();
  await followHistory(store, clock)(index);
  fill(index);
  index.close();
  now += 60_000;
  index = open();
  expect(await followHistory(store, clock)(index)).toBe(false);
  expect(index.positionOf("msg_1")).toBe(1);
  index.close();
});

it("an index is emptied if its database was restored while it was closed", async () => {
  let index = open();
  await followHistory(store, clock)(index);
  fill(index);
  index.close();
  await store.write((tx) => restore(tx, now));
  index = open();
  expect(await followHistory(store, clock)(index)).toBe(true);
  expect(index.positions).toBeUndefined();
  fill(index);
  index.close();
  index = open();
  expect(await followHistory(store, clock)(index)).toBe(false);
  expect(index.positionOf("msg_1")).toBe(1);
  index.close();
});

it("an index in use is emptied once, within a minute after its database was restored", async () => {
  const index = open();
  const emptyIfOther = followHistory(store, clock);
  await emptyIfOther(index);
  fill(index);
  await store.write((tx) => restore(tx, now));
  expect(await emptyIfOther(index)).toBe(false);
  now += 60_000;
  expect(await emptyIfOther(index)).toBe(true);
  expect(index.positions).toBeUndefined();
  now += 60_000;
  expect(await emptyIfOther(index)).toBe(false);
  index.close();
});

it("each server on a machine gets its own index, and a new server gets the index that a stopped one has released", () => {
  const path = join(folder, "indexes", "search.db");
  const [first, second] = [takeIndexFile(path), takeIndexFile(path)];
  expect([first.path, second.path]).toEqual([path, join(folder, "indexes", "search-2.db")]);
  first.release();
  const third = takeIndexFile(path);
  expect(third.path).toBe(path);
  for (const { release } of [second, third]) release();
});

it("a database gets a different history if it is created at another time, and at each restore", async () => {
  const histories = [await store.read(findHistory)];
  // databases of tests are copies of one database, so give this one another creation time
  await store.write((tx) => tx.run("UPDATE migrations SET applied_at = $1", now + 1));
  histories.push(await store.read(findHistory));
  for (let time = 0; time < 2; time += 1) {
    await store.write((tx) => restore(tx, now));
    histories.push(await store.read(findHistory));
  }
  expect(new Set(histories).size).toBe(4);
});
