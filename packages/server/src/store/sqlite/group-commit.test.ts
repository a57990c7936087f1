import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RunAgain, type Store, StoreUnavailable, type Transaction } from "../store.ts";
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

  it("commits what one turn brought together, in order, and shows it to readers", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `t${index}`);
    await Promise.all(names.map((name) => store.write(insertTenant(name))));
    expect(await store.read(listNames)).toEqual(names);
  });

  it("lets a later unit of the same group see what an earlier one wrote", async () => {
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

  it("rejects a unit that refuses before it writes, and leaves the others of its group alone", async () => {
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

  it("undoes a unit that fails midway, runs the others again, and tells each its own outcome", async () => {
    let runs = 0;
    const outcomes = await Promise.allSettled([
      store.write(async (tx) => {
        runs += 1;
        return insertTenant("kept")(tx);
      }),
      store.write(async (tx) => {
        await insertTenant("half")(tx);
        throw new Error("failed midway");
      }),
      store.write(insertTenant("kept too")),
    ]);
    expect(outcomes[1]).toMatchObject({ status: "rejected", reason: { message: "failed midway" } });
    expect(runs).toBe(2);
    expect(await store.read(listNames)).toEqual(["kept", "kept too"]);
  });

  it("runs a unit again that asks for it, alone or among others, with nothing left of its first run", async () => {
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

  it("lets the background take turns behind what requests wait for", async () => {
    const done: string[] = [];
    const write = (name: string, place?: "background") =>
      store.write(insertTenant(name), place).then(() => done.push(name));
    const background = Array.from({ length: 100 }, (_, index) => write(`b${index}`, "background"));
    await write("request");
    expect(done.length).toBeLessThan(100);
    await Promise.all(background);
    expect((await store.read(listNames)).slice(0, 2)).toEqual(["request", "b0"]);
  });

  it("undoes a unit whose statement breaks a constraint after it wrote", async () => {
    const key = "INSERT INTO credentials (api_key, tenant_id, created_at) VALUES ($1, $2, 0)";
    const outcome = store.write(async (tx) => {
      await insertTenant("half")(tx);
      await tx.run(key, "k", 999);
    });
    await expect(outcome).rejects.toThrow(/FOREIGN KEY/);
    expect(await store.read(listNames)).toEqual([]);
  });

  it("settles what was queued when it closes, and takes no more", async () => {
    const last = store.write(insertTenant("last"));
    await store.close();
    await expect(last).resolves.toBe(1);
    await expect(store.write(insertTenant("late"))).rejects.toThrow(StoreUnavailable);
    store = await openSqliteStore({ path: join(folder, "data", "msgd.db"), now: () => 0 });
    expect(await store.read(listNames)).toEqual(["last"]);
  });

  it("survives a second process that writes the same file in turns", async () => {
    const other = await openSqliteStore({ path: join(folder, "data", "msgd.db"), now: () => 0 });
    await Promise.all([store.write(insertTenant("ours")), other.write(insertTenant("theirs"))]);
    await other.close();
    expect((await store.read(listNames)).sort()).toEqual(["ours", "theirs"]);
  });

  it.skipIf(process.platform === "win32")("keeps folder, database and journal from other users", () => {
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
