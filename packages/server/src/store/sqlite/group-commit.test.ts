import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type NoteCommit,
  type Occurrence,
  RunAgain,
  type Store,
  StoreUnavailable,
  type Transaction,
} from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import { GroupCommitWriter } from "./group-commit.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const insertTenant = (name: string) => (tx: Transaction) =>
  tx.run("INSERT INTO tenants (name, timezone, created_at) VALUES ($1, 'UTC', 0)", name);
const listNames = async (tx: Transaction) =>
  (await tx.all<{ name: string }>("SELECT name FROM tenants ORDER BY tenant_id")).map((row) => row.name);

describe("the group-commit writer", () => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "msgd-store-"));
    store = await openSqliteStore({ path: join(folder, "data", "msgd.db"), now: () => 0 });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it("commits the writes of one turn together, in order, and shows them to readers", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `t${index}`);
    await Promise.all(names.map((name) => store.write(insertTenant(name))));
    expect(await store.read(listNames)).toEqual(names);
  });

  it("lets a later transaction of the same group see an earlier one's writes", async () => {
    const [, seen] = await Promise.all([store.write(insertTenant("first")), store.write(listNames)]);
    expect(seen).toEqual(["first"]);
  });

  it("shows nothing to a reader before the commit", async () => {
    let seenMidway: string[] = [];
    await store.write(async (tx) => {
      await insertTenant("first")(tx);
      seenMidway = await store.read(listNames);
    });
    expect(seenMidway).toEqual([]);
    expect(await store.read(listNames)).toEqual(["first"]);
  });

  it("rejects a transaction that fails before it writes, without affecting the others of its group", async () => {
    const outcomes = await Promise.allSettled([
      store.write(insertTenant("kept")),
      store.write(async () => {
        throw new Error("refused");
      }),
      store.write(insertTenant("kept too")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await store.read(listNames)).toEqual(["kept", "kept too"]);
  });

  it("reruns a transaction that throws RunAgain, alone or in a group, and undoes its first run", async () => {
    let runs = 0;
    const again = async (tx: Transaction) => {
      runs += 1;
      await insertTenant(`run ${runs}`)(tx);
      if (runs % 3 !== 0) throw new RunAgain("not yet");
    };
    await store.write(again);
    await Promise.all([store.write(insertTenant("other")), store.write(again)]);
    expect(await store.read(listNames)).toEqual(["run 3", "other", "run 6"]);
  });

  it("commits background writes after those of requests", async () => {
    const done: string[] = [];
    const write = (name: string, priority?: "background") =>
      store.write(insertTenant(name), priority).then(() => done.push(name));
    const background = Array.from({ length: 100 }, (_, index) => write(`b${index}`, "background"));
    await write("request");
    expect(done.length).toBeLessThan(100);
    await Promise.all(background);
    expect((await store.read(listNames)).slice(0, 2)).toEqual(["request", "b0"]);
  });

  it("rolls back a transaction whose statement violates a constraint after it wrote", async () => {
    const key = "INSERT INTO credentials (api_key, tenant_id, created_at) VALUES ($1, $2, 0)";
    const outcome = store.write(async (tx) => {
      await insertTenant("half")(tx);
      await tx.run(key, "k", 999);
    });
    await expect(outcome).rejects.toThrow(/FOREIGN KEY/);
    expect(await store.read(listNames)).toEqual([]);
  });

  it("finishes the queued writes when it closes, and accepts no more", async () => {
    const last = store.write(insertTenant("last"));
    await store.close();
    await expect(last).resolves.toBe(1);
    await expect(store.write(insertTenant("late"))).rejects.toThrow(StoreUnavailable);
    store = await openSqliteStore({ path: join(folder, "data", "msgd.db"), now: () => 0 });
    expect(await store.read(listNames)).toEqual(["last"]);
  });

  it("works while a second process writes to the same file", async () => {
    const other = await openSqliteStore({ path: join(folder, "data", "msgd.db"), now: () => 0 });
    await Promise.all([store.write(insertTenant("ours")), other.write(insertTenant("theirs"))]);
    await other.close();
    expect((await store.read(listNames)).sort()).toEqual(["ours", "theirs"]);
  });

  it.skipIf(process.platform === "win32")("keeps folder, database and journal private", () => {
    const mode = (path: string) => statSync(join(folder, path)).mode & 0o777;
    expect([mode("data"), mode("data/msgd.db"), mode("data/msgd.db-wal")]).toEqual([0o700, 0o600, 0o600]);
  });

  it("refuses a database of a newer build and leaves it untouched", async () => {
    await store.write((tx) => tx.run("INSERT INTO migrations (version, name, applied_at) VALUES (99, 'later', 0)"));
    await expect(openSqliteStore({ path: join(folder, "data", "msgd.db"), now: () => 0 })).rejects.toThrow(
      /version 99.*run the newer msgd/,
    );
  });
});

describe("a group", () => {
  let elapsedMs = 0;
  let groups: string[][] = [];
  let running: string[] = [];
  let pause: Promise<void> | undefined;
  let writer: GroupCommitWriter;
  let noted: Occurrence[] = [];

  beforeEach(async () => {
    noted = [];
    elapsedMs = 0;
    pause = undefined;
    groups = [];
    running = [];
    const connection = new SqliteConnection(new BetterSqlite3(":memory:"));
    const flush = async () => {
      groups.push(running);
      running = [];
    };
    const noteCommit: NoteCommit = (_units, _ms, occurrences) => noted.push(...occurrences);
    const options = { flush, noteCommit, pause: () => pause, runningTime: () => elapsedMs };
    writer = new GroupCommitWriter(connection, options);
    await writer.write((tx) => tx.run("CREATE TABLE notes (name TEXT)"));
    groups = [];
  });
  afterEach(() => writer.close());

  /** Work that takes `ms` by the writer's clock. */
  const takes = (name: string, ms: number) => async (tx: Transaction) => {
    running.push(name);
    elapsedMs += ms;
    await tx.run("INSERT INTO notes (name) VALUES ($1)", name);
    return name;
  };

  const storedNames = async () =>
    (await writer.write((tx) => tx.all<{ name: string }>("SELECT name FROM notes"))).map(({ name }) => name);

  it("ends when its time is over, and the next group continues in order", async () => {
    const names = ["a", "b", "c", "d", "e"];
    expect(await Promise.all(names.map((name) => writer.write(takes(name, 3))))).toEqual(names);
    expect(groups).toEqual([
      ["a", "b", "c"],
      ["d", "e"],
    ]);
  });

  it("begins after a requested pause, with all writes that arrived meanwhile", async () => {
    let goOn = () => {};
    pause = new Promise((resolve) => {
      goOn = resolve;
    });
    const first = writer.write(takes("a", 1));
    await nextTurn();
    await nextTurn();
    expect(running).toEqual([]);
    const second = writer.write(takes("b", 1));
    goOn();
    await Promise.all([first, second]);
    expect(groups).toEqual([["a", "b"]]);
  });

  describe("of requests", () => {
    let turns: (() => void)[] = [];
    let sizes: number[] = [];
    let other: GroupCommitWriter;

    beforeEach(() => {
      turns = [];
      sizes = [];
      other = new GroupCommitWriter(new SqliteConnection(new BetterSqlite3(":memory:")), {
        flush: async () => {},
        noteCommit: (writes) => sizes.push(writes),
        runningTime: () => elapsedMs,
        nextTurn: (run) => turns.push(run),
      });
    });

    /** Two transactions, the second of which arrives a turn later. */
    async function writeTwo(turnMs: number): Promise<void> {
      const first = other.write(async () => {});
      takeTurn(turnMs);
      const second = other.write(async () => {});
      takeTurn();
      takeTurn();
      await first;
      takeTurn();
      takeTurn();
      await second;
    }

    function takeTurn(ms = 0): void {
      elapsedMs += ms;
      for (const run of turns.splice(0)) run();
    }

    it("waits a turn for callers that were answered together and write again one after the other", async () => {
      await writeTwo(1);
      expect(sizes).toEqual([2]);
    });

    it("does not wait if turns are long", async () => {
      await writeTwo(3);
      expect(sizes).toEqual([1, 1]);
    });

    it("does not wait if background writes are queued", async () => {
      const background = other.write(async () => {}, "background");
      await writeTwo(1);
      await background;
      expect(sizes).toEqual([2, 1]);
    });
  });

  it("never interrupts a transaction, however long it takes", async () => {
    await Promise.all(["a", "b"].map((name) => writer.write(takes(name, 50))));
    expect(groups).toEqual([["a"], ["b"]]);
  });

  it("has time for background writes however many requests wait, and keeps the order of requests", async () => {
    const late: Promise<unknown>[] = [];
    const first = async (tx: Transaction) => {
      late.push(writer.write(takes("r4", 1)), writer.write(takes("b3", 1), "background"));
      return takes("r1", 9)(tx);
    };
    await Promise.all([
      writer.write(takes("b1", 2), "background"),
      writer.write(takes("b2", 2), "background"),
      writer.write(first),
      writer.write(takes("r2", 9)),
      writer.write(takes("r3", 1)),
    ]);
    await Promise.all(late);
    expect(groups).toEqual([
      ["r1", "b1", "b2"],
      ["r2", "b3"],
      ["r3", "r4"],
    ]);
  });

  it("gives background writes less time than requests", async () => {
    const names = ["b1", "b2", "b3", "b4"];
    await Promise.all(names.map((name) => writer.write(takes(name, 2), "background")));
    expect(groups).toEqual([
      ["b1", "b2"],
      ["b3", "b4"],
    ]);
  });

  it("rolls back a transaction that fails midway, reruns the others, and returns each its result", async () => {
    const failing = async (tx: Transaction) => {
      await takes("half", 0)(tx);
      throw new Error("failed midway");
    };
    const outcomes = await Promise.allSettled([
      writer.write(takes("kept", 0)),
      writer.write(failing),
      writer.write(takes("kept too", 0)),
    ]);
    expect(outcomes).toMatchObject([
      { value: "kept" },
      { status: "rejected", reason: { message: "failed midway" } },
      { value: "kept too" },
    ]);
    expect(groups).toEqual([["kept", "half", "kept", "half", "kept too"]]);
    expect(await storedNames()).toEqual(["kept", "kept too"]);
  });

  it("has a time limit in a second run, too, and loses none of its transactions", async () => {
    let runs = 0;
    const again = async (tx: Transaction) => {
      runs += 1;
      await takes(`again ${runs}`, 3)(tx);
      if (runs === 1) throw new RunAgain("not yet");
    };
    await Promise.all([
      writer.write(takes("a", 3)),
      writer.write(again),
      writer.write(takes("b", 3)),
      writer.write(takes("c", 3)),
    ]);
    // the first run of the group was rolled back
    expect(groups).toEqual([["a", "again 1", "a", "again 2", "b"], ["c"]]);
    expect(await storedNames()).toEqual(["a", "again 2", "b", "c"]);
  });

  it("reports its transactions' occurrences once, and none of those refused or rolled back", async () => {
    const ended = (count: number): Occurrence => ({ kind: "callbacks", status: "FAILED", count });
    let runs = 0;
    await Promise.allSettled([
      writer.write(async (tx) => tx.note(ended(1))),
      writer.write(async (tx) => {
        tx.note(ended(2));
        throw new Error("refused");
      }),
    ]);
    expect(noted).toEqual([ended(1)]);
    await Promise.allSettled([
      writer.write(async (tx) => tx.note(ended(3))),
      writer.write(async (tx) => {
        tx.note(ended(4));
        await takes("half", 0)(tx);
        throw new Error("failed midway");
      }),
      writer.write(async (tx) => {
        runs += 1;
        tx.note(ended(4 + runs));
        await takes("again", 0)(tx);
        if (runs < 3) throw new RunAgain("not yet");
      }),
    ]);
    expect(noted).toEqual([ended(1), ended(3), ended(4 + runs)]);
    expect(runs).toBe(3);
  });
});
