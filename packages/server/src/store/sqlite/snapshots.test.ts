import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canFoldLog } from "../../testing/sqlite-log.ts";
import { type Store, StoreUnavailable } from "../store.ts";
import { Moments, Snapshots } from "./readers.ts";
import { openSqliteStore } from "./sqlite-store.ts";

let folder: string;
let path: string;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "msgd-snapshots-"));
  path = join(folder, "test.db");
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(at: string): Promise<void> {
  store = await openSqliteStore({ path: at, now: () => 0 });
  await store.write(async (tx) => {
    await tx.run("CREATE TABLE notes (note_id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT");
    await tx.run("INSERT INTO notes (content) VALUES ('first'), ('first')");
  });
}

const change = () => store.write((tx) => tx.run("UPDATE notes SET content = 'second'"));
const byId = "SELECT content FROM notes WHERE note_id = $1";

describe("a snapshot", () => {
  it.each(["file", "memory"])(
    "shows the same state to all its statements, whatever is written meanwhile (%s)",
    async (kind) => {
      await open(kind === "memory" ? ":memory:" : path);
      const { tx, end } = await store.openSnapshot();
      expect(await tx.get(byId, 1)).toEqual({ content: "first" });
      await change();
      await nextTurn();
      expect(await tx.get(byId, 2)).toEqual({ content: "first" });
      expect(await store.read((now) => now.get(byId, 2))).toEqual({ content: "second" });
      end();
      const later = await store.openSnapshot();
      expect(await later.tx.get(byId, 2)).toEqual({ content: "second" });
      later.end();
    },
  );

  it("is released when it is ended, even if it is ended twice", async () => {
    await open(path);
    const { tx, end } = await store.openSnapshot();
    await tx.get(byId, 1);
    await change();
    expect(canFoldLog(path)).toBe(false);
    end();
    end();
    expect(canFoldLog(path)).toBe(true);
  });

  it("ends when its store is closed", async () => {
    await open(path);
    const other = await openSqliteStore({ path, now: () => 0 });
    const { tx, end } = await other.openSnapshot();
    await other.close();
    await expect(tx.get(byId, 1)).rejects.toThrow(StoreUnavailable);
    end();
  });

  it("is ended if the log must be restarted, and is released once", async () => {
    await open(path);
    const moments = new Moments({ finishMs: 0, waitMs: 60_000 });
    const snapshots = new Snapshots(moments);
    const { tx, end } = await snapshots.open(path);
    expect(moments.areOpen).toBe(true);
    await moments.shut();
    snapshots.giveUp();
    expect(moments.areOpen).toBe(false);
    await expect(tx.get(byId, 1)).rejects.toThrow(StoreUnavailable);
    const next = snapshots.open(path);
    moments.reopen();
    const other = await next;
    end();
    expect(moments.areOpen).toBe(true);
    other.end();
    expect(moments.areOpen).toBe(false);
  });

  it("throws StoreUnavailable if the file cannot be read", async () => {
    await open(path);
    rmSync(path);
    await expect(store.openSnapshot()).rejects.toThrow(StoreUnavailable);
  });
});
