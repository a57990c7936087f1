// The store on a failing disk: no acknowledged write is lost, and all others are refused.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommitInDoubt, type Occurrence, StoreUnavailable, type Transaction } from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import { GroupCommitWriter } from "./group-commit.ts";

let folder: string;
let path: string;
let database: BetterSqlite3.Database;
let flushes: number;
let flushFault: Error | undefined;
let writer: GroupCommitWriter;
let noted: Occurrence[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "msgd-disk-"));
  path = join(folder, "test.db");
  database = new BetterSqlite3(path);
  database.pragma("journal_mode = WAL");
  database.pragma("foreign_keys = ON");
  database.exec("CREATE TABLE names (name TEXT PRIMARY KEY, parent TEXT REFERENCES names) STRICT, WITHOUT ROWID");
  flushes = 0;
  flushFault = undefined;
  noted = [];
  writer = new GroupCommitWriter(new SqliteConnection(database), {
    flush: async () => {
      flushes += 1;
      if (flushFault !== undefined) throw flushFault;
    },
    noteCommit: (_units, _ms, occurrences) => noted.push(...occurrences),
    // concurrent writes form one group, however slow this process is
    runningTime: () => 0,
  });
});

afterEach(async () => {
  await writer.close();
  database.close();
  rmSync(folder, { recursive: true });
});

const insert = (name: string) => (tx: Transaction) => tx.run("INSERT INTO names (name) VALUES ($1)", name);

/** Reads the names as another process would. */
function storedNames(): string[] {
  const other = new BetterSqlite3(path, { readonly: true });
  const names = other.prepare<[], string>("SELECT substr(name, 1, 8) FROM names ORDER BY name").pluck().all();
  other.close();
  return names;
}

describe("a flush that fails", () => {
  it("leaves its group's writes in doubt, and refuses all later ones without running them: only a restart shows what the disk has", async () => {
    await writer.write(insert("before"));
    flushFault = new Error("EIO: i/o error, fdatasync");
    const group = await Promise.allSettled([writer.write(insert("one")), writer.write(insert("two"))]);
    for (const outcome of group) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { message: expect.stringContaining("restart msgd"), cause: flushFault },
      });
      expect(outcome).toHaveProperty("reason", expect.any(CommitInDoubt));
    }
    // the outcome is in doubt: another process sees the writes, but a power cut would lose them
    expect(storedNames()).toEqual(["before", "one", "two"]);
    flushFault = undefined;
    let hasRun = false;
    const later = writer.write(async () => {
      hasRun = true;
    });
    await expect(later).rejects.toThrow(StoreUnavailable);
    expect(hasRun).toBe(false);
  });

  it("does not report occurrences that are in doubt", async () => {
    const note = async (tx: Transaction) => {
      tx.note({ kind: "callbacks", status: "FAILED", count: 1 });
      return insert("one")(tx);
    };
    flushFault = new Error("EIO: i/o error, fdatasync");
    await expect(writer.write(note)).rejects.toThrow(CommitInDoubt);
    expect(noted).toEqual([]);
  });

  it("leaves no doubt about a refused transaction, because that wrote nothing", async () => {
    flushFault = new Error("EIO: i/o error, fdatasync");
    const refused = writer.write(() => Promise.reject(new Error("refused")));
    const [, refusal] = await Promise.allSettled([writer.write(insert("one")), refused]);
    expect(refusal).toMatchObject({ status: "rejected", reason: { message: "refused" } });
  });

  it("does not affect transactions that wrote nothing, because they need no flush", async () => {
    flushFault = new Error("EIO: i/o error, fdatasync");
    await expect(writer.write((tx) => tx.all("SELECT name FROM names"))).resolves.toEqual([]);
    await expect(writer.write(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    expect(flushes).toBe(0);
  });
});

describe("a full disk", () => {
  const large = (name: string) => insert(name.padEnd(100_000, "."));
  const allowPages = (count: number) => database.pragma(`max_page_count = ${count}`);

  it("refuses writes that do not fit with StoreUnavailable, and accepts writes again when there is space", async () => {
    await writer.write(insert("before"));
    allowPages(Number(database.pragma("page_count", { simple: true })) + 2);
    const outcomes = await Promise.allSettled([writer.write(large("large 1")), writer.write(large("large 2"))]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { cause: { code: "SQLITE_FULL" } } });
      expect(outcome).toHaveProperty("reason", expect.any(StoreUnavailable));
    }
    await writer.write(insert("small"));
    expect(storedNames()).toEqual(["before", "small"]);
    allowPages(1_000_000);
    await writer.write(large("large 3"));
    expect(storedNames()).toEqual(["before", "large 3.", "small"]);
  });
});

describe("a commit that fails", () => {
  it("rejects and discards all writes of its group, and does not affect the next group", async () => {
    const orphan = async (tx: Transaction) => {
      await tx.run("PRAGMA defer_foreign_keys = ON");
      await tx.run("INSERT INTO names (name, parent) VALUES ('orphan', 'nobody')");
    };
    const outcomes = await Promise.allSettled([writer.write(insert("with it")), writer.write(orphan)]);
    for (const outcome of outcomes) expect(outcome).toHaveProperty("reason", expect.any(StoreUnavailable));
    await writer.write(insert("after"));
    expect(storedNames()).toEqual(["after"]);
  });
});
