// Length of the write-ahead log while long lists overlap without a pause, with the built threads.

import BetterSqlite3 from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { StoreUnavailable } from "../../packages/server/src/store/store.ts";
import { type NotesOptions, NotesStore } from "./notes-store.ts";

const MOST_PAGES = 10_000;
/**
 * A log that never starts over grows beyond this many pages. How far a log grows past its bound depends on the machine: the
 * checkpoint thread races with the writer, which waits only while the log starts over.
 */
const PATIENCE_PAGES = 20 * MOST_PAGES;

let opened: NotesStore[] = [];
afterEach(async () => {
  for (const notes of opened) await notes.remove();
  opened = [];
});

async function open(options: Partial<NotesOptions> = {}): Promise<NotesStore> {
  const notes = await NotesStore.open({ mostPages: MOST_PAGES, patiencePages: PATIENCE_PAGES, ...options });
  opened.push(notes);
  return notes;
}

type List = ReturnType<NotesStore["list"]>;

async function begin(notes: NotesStore): Promise<List> {
  const list = notes.list();
  await list.next();
  return list;
}

async function readOn(list: List): Promise<void> {
  for await (const _ of list);
}

/** Whether the store cut the list off. */
async function isCut(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(StoreUnavailable);
    return true;
  }
}

describe("the log beside long lists", () => {
  it("starts over repeatedly while lists overlap, and lists are readable afterwards", async () => {
    const notes = await open();
    const lists: List[] = [];
    let cut = 0;
    const overlap = async () => {
      const list = notes.list();
      if (await isCut(list.next())) cut += 1;
      else lists.push(list);
      // the next list is opened before the oldest one ends
      const [oldest] = lists.length > 3 ? lists.splice(0, 1) : [];
      if (oldest !== undefined && (await isCut(readOn(oldest)))) cut += 1;
    };
    // the first write may restart the log while the first list reads, because that list may not need the log
    await overlap();
    await notes.write();
    for (let times = 0; times < 3; times += 1) await notes.writeUntilStartOver(overlap);
    await Promise.all(lists.map((list) => isCut(readOn(list))));
    expect(cut).toBeGreaterThan(0);
    await readOn(notes.list());
  });

  it("starts over after a list that lasts too long was cut off, and that list does not look complete", async () => {
    const notes = await open();
    const list = await begin(notes);
    await notes.write();
    expect(await notes.writeUntilStartOver()).toBeGreaterThan(MOST_PAGES);
    expect(await isCut(readOn(list))).toBe(true);
    await readOn(notes.list());
  });

  it("starts over once no list needs it, however many pages remain to be moved", async () => {
    // a bound so high that no list is cut off
    const notes = await open({ mostPages: Number.MAX_SAFE_INTEGER });
    const list = await begin(notes);
    await notes.write();
    await notes.writeUntilLonger(MOST_PAGES);
    await list.return?.();
    await notes.writeUntilStartOver();
  });

  it("starts over after the writer's own checkpoints if the thread fails", async () => {
    const notes = await open({ checkpointThread: "no-thread.js" });
    await notes.writeUntilStartOver();
    await readOn(notes.list());
  });

  it("grows while another process holds a snapshot, and lists stay readable", async () => {
    const notes = await open();
    const backup = new BetterSqlite3(notes.path, { readonly: true });
    backup.exec("BEGIN");
    backup.prepare("SELECT COUNT(*) FROM sqlite_master").get();
    await notes.writeUntilLonger(2 * MOST_PAGES);
    // retried, because a list that began before the thread read the log's length is cut off
    await expect.poll(() => isCut(readOn(notes.list()))).toBe(false);
    backup.close();
    await notes.writeUntilStartOver();
  });
});
