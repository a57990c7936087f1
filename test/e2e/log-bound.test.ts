// Length of the write-ahead log beside lists that overlap without a pause, with the built threads.

import BetterSqlite3 from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { StoreUnavailable } from "../../packages/server/src/store/store.ts";
import { type NotesOptions, NotesStore } from "./notes-store.ts";

const MOST_PAGES = 10_000;
/**
 * The thread that moves the log races with the writer, which waits only while the log starts over. How far past its bound the
 * log grows depends on the machine. A log that never starts over grows beyond this.
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

/** Whether the reading was cut off. */
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
  it("starts over again and again while they overlap, and lists are readable after that", async () => {
    const notes = await open();
    const lists: List[] = [];
    let cut = 0;
    const overlap = async () => {
      const list = notes.list();
      if (await isCut(list.next())) cut += 1;
      else lists.push(list);
      // the next one is opened before the last one ends
      const [oldest] = lists.length > 3 ? lists.splice(0, 1) : [];
      if (oldest !== undefined && (await isCut(readOn(oldest)))) cut += 1;
    };
    // the first write may restart the log beside the first list, which may need nothing of it
    await overlap();
    await notes.write();
    for (let times = 0; times < 3; times += 1) await notes.writeUntilStartOver(overlap);
    await Promise.all(lists.map((list) => isCut(readOn(list))));
    expect(cut).toBeGreaterThan(0);
    await readOn(notes.list());
  });

  it("cuts off a list that lasts too long, which never looks complete", async () => {
    const notes = await open();
    const list = await begin(notes);
    await notes.write();
    expect(await notes.writeUntilStartOver()).toBeGreaterThan(MOST_PAGES);
    expect(await isCut(readOn(list))).toBe(true);
    await readOn(notes.list());
  });

  it("starts over once nobody holds it, however much is left to move", async () => {
    // no list has to be cut off
    const notes = await open({ mostPages: Number.MAX_SAFE_INTEGER });
    const list = await begin(notes);
    await notes.write();
    await notes.writeUntilLonger(MOST_PAGES);
    await list.return?.();
    await notes.writeUntilStartOver();
  });

  it("starts over by the writer's own checkpoints if the thread fails", async () => {
    const notes = await open({ checkpointThread: "no-thread.js" });
    await notes.writeUntilStartOver();
    await readOn(notes.list());
  });

  it("grows beside another process's snapshot, and lists go on", async () => {
    const notes = await open();
    const backup = new BetterSqlite3(notes.path, { readonly: true });
    backup.exec("BEGIN");
    backup.prepare("SELECT COUNT(*) FROM sqlite_master").get();
    await notes.writeUntilLonger(2 * MOST_PAGES);
    // a list that began before the thread saw the log's length is cut off
    await expect.poll(() => isCut(readOn(notes.list()))).toBe(false);
    backup.close();
    await notes.writeUntilStartOver();
  });
});
