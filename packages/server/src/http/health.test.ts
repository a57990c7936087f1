import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createVirtualClock } from "../development/clocks.ts";
import { restore } from "../dispatch/messages/restoration.ts";
import { systemClock } from "../platform/clock.ts";
import { openService } from "../service.ts";
import { checkWrite } from "../store/migrate.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { type Store, StoreUnavailable } from "../store/store.ts";
import { openTestStore } from "../testing/test-store.ts";
import { createReadiness, type Readiness } from "./health.ts";

const toClose: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

async function open(options: Partial<Parameters<typeof openService>[0]> = {}) {
  const service = await openService({
    database: { file: ":memory:" },
    simulator: { file: ":memory:" },
    pepper: "a pepper of no secret, for memory only",
    consentPolicy: "strict",
    idempotencyDays: 7,
    clock: systemClock,
    ...options,
  });
  toClose.push(() => service.close());
  return service;
}

async function openMemoryStore(): Promise<Store> {
  const store = await openTestStore({ now: () => 0 });
  toClose.push(() => store.close());
  return store;
}

describe("/healthz and /readyz", () => {
  it.each([
    ["GET", "/healthz", '{"status":"ok"}'],
    ["GET", "/readyz", '{"status":"ready"}'],
    ["HEAD", "/healthz", ""],
    ["HEAD", "/readyz", ""],
  ] as const)("%s %s needs no credential", async (method, url, body) => {
    const service = await open();
    await service.start();
    const reply = await service.app.inject({ method, url });
    expect([reply.statusCode, reply.body, reply.headers["cache-control"]]).toEqual([200, body, "no-store"]);
    expect(reply.headers["x-request-id"]).toMatch(/^req_/);
  });

  it("answer 503 until the workers have started", async () => {
    const { app, start } = await open();
    const askedBefore = await app.inject("/readyz");
    expect([askedBefore.statusCode, askedBefore.json().detail]).toEqual([503, "The server is starting."]);
    await start();
    expect((await app.inject("/readyz")).statusCode).toBe(200);
  });

  it("answer 503 with the reason if the database accepts no writes", async () => {
    const { app, store, start } = await open();
    await start();
    await store.close();
    const reply = await app.inject("/readyz");
    expect(reply.headers["content-type"]).toBe("application/problem+json");
    expect([reply.statusCode, reply.json()]).toEqual([
      503,
      expect.objectContaining({ code: "not_ready", detail: "The database accepts no writes." }),
    ]);
    expect((await app.inject("/healthz")).statusCode).toBe(200);
  });
});

it("/readyz reports damage found by background work, even if the database accepts writes", async () => {
  const path = join(makeFolder(), "msgd.db");
  const clock = createVirtualClock(1_790_000_000_000);
  const first = await open({ database: { file: path }, clock });
  await first.start();
  await toClose.pop()?.();
  damageTable(path, "jobs");
  const { app, start } = await open({ database: { file: path }, clock });
  await start();
  expect((await app.inject("/readyz")).json()).toEqual({ status: "ready" });
  // pruning is due
  await clock.advanceBy(60_000);
  await expect
    .poll(async () => (await app.inject("/readyz")).json())
    .toMatchObject({ status: 503, detail: "The database is damaged." });
});

describe("readiness", () => {
  /** Returns the readiness of a started server. */
  function readinessOf(store: Store): Readiness {
    const readiness = createReadiness({ store, clock: systemClock, checkId: 1 });
    readiness.endStart();
    return readiness;
  }

  it("ends when the server is told to stop", async () => {
    const readiness = readinessOf(await openMemoryStore());
    expect(await readiness.findObstacle()).toBeUndefined();
    readiness.beginStop();
    expect(await readiness.findObstacle()).toBe("The server is being stopped.");
  });

  it("queries the database once for many requests", async () => {
    const store = await openMemoryStore();
    let writes = 0;
    const counted: Store = {
      ...store,
      write(work) {
        writes += 1;
        return store.write(work);
      },
    };
    const readiness = readinessOf(counted);
    await Promise.all(Array.from({ length: 100 }, () => readiness.findObstacle()));
    expect(writes).toBe(1);
  });

  it("reports a wrong clock only if the database has no fault, and a small difference only in a note", async () => {
    const store = await openMemoryStore();
    const says: { obstacle?: string; note?: string } = { obstacle: "the clock is wrong" };
    const clockWatch = { findObstacle: () => says.obstacle, findNote: () => says.note };
    const readiness = createReadiness({ store, clock: systemClock, checkId: 1, clockWatch });
    readiness.endStart();
    expect(await readiness.findObstacle()).toBe("the clock is wrong");
    readiness.noteDamage();
    expect(await readiness.findObstacle()).toBe("The database is damaged.");
    says.note = "the clock is apart";
    expect(await readiness.findNote()).toBe("the clock is apart");
    delete says.note;
    expect(await readiness.findNote()).toBeUndefined();
  });

  it("reports secrets that are sealed with an older key", async () => {
    let count = 2;
    const store = await openMemoryStore();
    const readinessNow = () =>
      createReadiness({ store, clock: systemClock, checkId: 1, countOlderSeals: async () => count });
    expect(await readinessNow().findNote()).toContain("run msgd secrets reseal");
    count = 0;
    expect(await readinessNow().findNote()).toBeUndefined();
  });

  it("stays ready on tables that a newer build has migrated, with a note", async () => {
    const store = await openMemoryStore();
    const note = "The database's tables belong to a newer version of msgd: upgrade this instance.";
    expect(await readinessOf(store).findNote()).toBeUndefined();
    await store.write((tx) => tx.run("INSERT INTO migrations (version, name, applied_at) VALUES (999, 'later', 0)"));
    const readiness = readinessOf(store);
    expect(await readiness.findObstacle()).toBeUndefined();
    expect(await readiness.findNote()).toBe(note);
  });

  it("is not ready on older tables", async () => {
    const store = await openMemoryStore();
    await store.write((tx) => tx.run("DELETE FROM migrations"));
    const words = "The database's tables belong to an older version of msgd: run msgd migrate.";
    expect(await readinessOf(store).findObstacle()).toBe(words);
  });

  it("reports a restored database for as long as something in it is in doubt", async () => {
    const store = await openMemoryStore();
    const readiness = readinessOf(store);
    await store.write((tx) => restore(tx, Date.parse("2026-01-15T12:00:00Z")));
    expect(await readiness.findNote()).toBeUndefined();
    await store.write((tx) => tx.run("INSERT INTO doubts (message_id) VALUES ('msg_1')"));
    expect(await readinessOf(store).findNote()).toBe(
      "The database was restored to an earlier state at 2026-01-15T12:00:00.000Z: carriers are asked about each message that waited then before it is sent.",
    );
  });

  it("does not reveal internal errors", async () => {
    const store = await openMemoryStore();
    const full: Store = { ...store, write: () => Promise.reject(new StoreUnavailable("disk full at /secret/place")) };
    expect(await readinessOf(full).findObstacle()).toBe("The database accepts no writes.");
  });

  it("writes more than a send does, so that a nearly full disk is reported", async () => {
    const folder = makeFolder();
    const store = await openSqliteStore({ path: join(folder, "msgd.db"), now: () => 0 });
    toClose.push(() => store.close());
    const sizes: number[] = [];
    for (const now of [1_790_000_000_000, 1_790_000_000_001, 1_790_000_000_002]) {
      await store.write((tx) => checkWrite(tx, { checkId: 1, now }));
      sizes.push(statSync(join(folder, "msgd.db-wal")).size);
    }
    const [first = 0, second = 0, third = 0] = sizes;
    expect(Math.min(second - first, third - second)).toBeGreaterThan(128 * 1_024);
  });

  it("removes the rows of instances that have ended, even if their clocks were ahead", async () => {
    const store = await openMemoryStore();
    const [now, day] = [1_790_000_000_000, 24 * 60 * 60_000];
    const moments = [now - day - 1, now - day, now + day, now + day + 1];
    for (const [checkId, at] of moments.entries()) {
      await store.write((tx) =>
        tx.run("INSERT INTO write_checks (check_id, checked_at, filling) VALUES ($1, $2, '')", checkId + 10, at),
      );
    }
    await store.write((tx) => checkWrite(tx, { checkId: 1, now }));
    const kept = await store.read((tx) => tx.all("SELECT check_id AS id FROM write_checks ORDER BY check_id"));
    expect(kept).toEqual([{ id: 1 }, { id: 11 }, { id: 12 }]);
  });

  it("does not wait for a test write that hangs, and starts no second one until it ends", async () => {
    const store = await openMemoryStore();
    const write = vi.fn(() => new Promise<never>(() => {}));
    const readiness = readinessOf({ ...store, write });
    const hangs = "The database did not complete a test write within 2000 ms.";
    expect([await readiness.findObstacle(), await readiness.findObstacle()]).toEqual([hangs, hangs]);
    expect(write).toHaveBeenCalledTimes(1);
  });
});

describe("the contract", () => {
  it("is served as it was built, to any client", async () => {
    const folder = makeFolder();
    const yaml = readFileSync(new URL("../../../../openapi.yaml", import.meta.url));
    writeFileSync(join(folder, "openapi.yaml"), yaml);
    writeFileSync(join(folder, "openapi.json"), '{"openapi":"3.1.0"}');
    const urlOf = (name: string) => pathToFileURL(join(folder, name));
    const { app } = await open({
      contractFiles: { yaml: urlOf("openapi.yaml"), json: urlOf("openapi.json"), docs: urlOf("docs/") },
    });
    const replies = [await app.inject("/openapi.yaml"), await app.inject("/openapi.json")];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(replies.map(({ headers }) => headers["content-type"])).toEqual([
      "application/yaml; charset=utf-8",
      "application/json; charset=utf-8",
    ]);
    expect(replies[0]?.rawPayload.equals(yaml)).toBe(true);
    expect(replies[1]?.json()).toEqual({ openapi: "3.1.0" });
  });

  it("is read at the next request if its file was missing", async () => {
    const folder = makeFolder();
    const file = join(folder, "openapi.yaml");
    const { app } = await open({
      contractFiles: { yaml: pathToFileURL(file), json: pathToFileURL(file), docs: pathToFileURL(folder) },
    });
    expect((await app.inject("/openapi.yaml")).statusCode).toBe(500);
    writeFileSync(file, "openapi: 3.1.0\n");
    expect((await app.inject("/openapi.yaml")).body).toBe("openapi: 3.1.0\n");
  });
});

/** Overwrites the first page of a table. */
function damageTable(path: string, table: string): void {
  const database = new BetterSqlite3(path);
  const page = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table) as number;
  const size = database.pragma("page_size", { simple: true }) as number;
  database.close();
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(size, "damaged "), 0, size, (page - 1) * size);
  closeSync(file);
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "msgd-health-"));
  toClose.push(() => rmSync(folder, { recursive: true }));
  return folder;
}
