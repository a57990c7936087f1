// Searches in the built search threads, with a server in this process.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { restore } from "../../packages/server/src/dispatch/messages/restoration.ts";
import { parseSearch } from "../../packages/server/src/domain/recipients/search-language.ts";
import { createTenant, issueCredential } from "../../packages/server/src/domain/tenancy/tenants.ts";
import { systemClock } from "../../packages/server/src/platform/clock.ts";
import { IndexTaken, openFollowedIndex } from "../../packages/server/src/search/followed-index.ts";
import type { PageCursor } from "../../packages/server/src/search/page-search.ts";
import { SearchIndex } from "../../packages/server/src/search/search-index.ts";
import type { SearchPage, WatchedChanges } from "../../packages/server/src/search/searches.ts";
import { ThreadSearches } from "../../packages/server/src/search/thread-searches.ts";
import { openService, type Service } from "../../packages/server/src/service.ts";
import { findHistory } from "../../packages/server/src/store/lineage.ts";
import { StoreUnavailable } from "../../packages/server/src/store/store.ts";
import { type TestDatabase, takeLastingDatabase } from "../../packages/server/src/testing/engine.ts";

const dist = new URL("../../packages/server/dist/", import.meta.url);
const threads = { follow: new URL("follow-thread.js", dist), find: new URL("find-thread.js", dist) };
/** Timeout that allows for a thread's start and some polls on a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 20 };

let folder: string;
let database: TestDatabase;
let service: Service;
let headers: Record<string, string>;
let tenantId: number;
let searches: ThreadSearches;
let errors: unknown[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-search-"));
  database = await takeLastingDatabase();
  service = await openService({
    database: database.location,
    simulator: { file: ":memory:" },
    pepper: "p".repeat(43),
    consentPolicy: "opt_out_only",
    idempotencyDays: 1,
    clock: systemClock,
  });
  await service.start();
  const now = systemClock.now();
  const credential = await service.store.write(async (tx) => {
    ({ tenantId } = await createTenant(tx, { name: "Acme", timezone: "UTC", mode: "test", now }));
    return issueCredential(tx, { tenantId, merchantId: null, pepper: "p".repeat(43), now });
  });
  headers = { "x-api-key": credential.apiKey, "x-api-secret": credential.apiSecret };
  await post("/merchants", { merchantId: "shop", displayName: "Shop", smsLimit: 10_000 });
  errors = [];
  searches = openSearches();
});
afterEach(async () => {
  await searches.close();
  await service.close();
  await database.release();
  rmSync(folder, { recursive: true });
});

function openSearches(): ThreadSearches {
  const place = { database: database.location, searchFile: join(folder, "search.db") };
  return new ThreadSearches({ ...place, threads, onError: (error) => errors.push(error) });
}

async function post(path: string, payload: object) {
  const reply = await service.app.inject({ method: "POST", url: `/api/v1${path}`, headers, payload });
  expect(reply.statusCode).toBeLessThan(300);
  return reply.json();
}

async function send(message = "Hi"): Promise<string> {
  return (await post("/messages/sms", { merchantId: "shop", to: "+12025550100", message, type: "OTP" })).messageId;
}

const ofTenant = () => ({ tenantId, merchantId: undefined });

function scoped(text: string, scope: { tenantId: number; merchantId: string | undefined } = ofTenant()) {
  const read = parseSearch(text, { now: systemClock.now(), timezone: "UTC" });
  if (!("search" in read)) throw new Error(`${text} is not a valid search`);
  return { scope, search: read.search };
}

async function find(text: string, scope = ofTenant()): Promise<string[]> {
  const found: string[] = [];
  // follows cursors, because a busy machine may not finish within a page's time limit
  for (let cursor: PageCursor | null | undefined; cursor !== null; ) {
    const page: SearchPage = await searches.find({ ...scoped(text, scope), limit: 50, cursor });
    found.push(...page.messages.map(({ messageId }) => messageId));
    cursor = page.next;
  }
  return found;
}

/** Runs `work` while the table is locked against readers. */
async function holding(table: string, work: () => Promise<void>): Promise<void> {
  if (!("url" in database.location)) throw new Error("SQLite has no lock that blocks readers");
  const holder = new Client({ connectionString: database.location.url });
  await holder.connect();
  try {
    await holder.query(`BEGIN; LOCK TABLE ${table}`);
    await work();
  } finally {
    await holder.end();
  }
}

/** Priorities of this process's threads, on Linux. */
function listPriorities(): number[] {
  return readdirSync("/proc/self/task").flatMap((thread) => {
    try {
      return getPriority(Number(thread));
    } catch {
      // the thread has ended since
      return [];
    }
  });
}

it("the search finds messages accepted before its start, only of this tenant", async () => {
  const ids = [await send("one"), await send("two"), await send("two")];
  await expect.poll(() => find(""), PATIENCE).toEqual(ids.reverse());
  expect(await find('"two"')).toEqual(ids.slice(0, 2));
  expect(await find("", { tenantId: tenantId + 1, merchantId: undefined })).toEqual([]);
  expect(errors).toEqual([]);
});

it("the search notifies a viewer of messages sent later, and of their outcomes", async () => {
  const told: WatchedChanges[] = [];
  const viewer = { tell: (changes: WatchedChanges) => told.push(changes), end: vi.fn() };
  const watch = searches.watch(scoped("channel:sms"), viewer);
  await watch.begun;
  const messageId = await send("x".repeat(1_000));
  await expect
    .poll(() => told.flatMap(({ messages }) => messages.map((message) => message.status)), PATIENCE)
    .toContain("DELIVERED");
  const messages = told.flatMap((changes) => changes.messages);
  expect(new Set(messages.map((message) => message.messageId))).toEqual(new Set([messageId]));
  expect(messages[0]?.content.length).toBeLessThan(1_000);
  watch.end();
  expect(viewer.end).not.toHaveBeenCalled();
});

it("the search uses the index that an earlier process left, and adds newer messages", async () => {
  const before = await send();
  await expect.poll(() => find(""), PATIENCE).toEqual([before]);
  await searches.close();
  const after = await send();
  searches = openSearches();
  await expect.poll(() => find(""), PATIENCE).toEqual([after, before]);
});

it("the search rebuilds an index that another process left if the database was restored since", async () => {
  const readHistory = () => {
    const index = SearchIndex.openToRead(join(folder, "search.db"));
    try {
      return index.mark("history");
    } finally {
      index.close();
    }
  };
  const messageId = await send();
  await expect.poll(() => find(""), PATIENCE).toEqual([messageId]);
  await expect.poll(readHistory, PATIENCE).toEqual(expect.any(String));
  await searches.close();
  const before = readHistory();
  await service.store.write((tx) => restore(tx, systemClock.now()));
  searches = openSearches();
  await expect.poll(() => find(""), PATIENCE).toEqual([messageId]);
  // the message is found in the old index, before the index's history is checked
  await expect.poll(readHistory, PATIENCE).not.toBe(before);
  expect(readHistory()).toBe(await service.store.read(findHistory));
  expect(errors).toEqual([]);
});

it("the search is refused while another process maintains the index, and works afterwards", async () => {
  const messageId = await send();
  const other = openFollowedIndex(join(folder, "search.db"), database.location);
  await expect(find("")).rejects.toThrow(StoreUnavailable);
  const watch = searches.watch(scoped(""), { tell() {}, end() {} });
  await expect(watch.begun).rejects.toThrow("another process");
  other.close();
  await expect.poll(() => find(""), PATIENCE).toEqual([messageId]);
  expect(() => openFollowedIndex(join(folder, "search.db"), database.location)).toThrow(IndexTaken);
});

// only Linux has thread priorities, and only PostgreSQL can block the first batch of the thread that follows the database
it.runIf(process.platform === "linux" && inject("postgres") !== undefined)(
  "no search waits for a thread of the lowest priority",
  async () => {
    const listLowered = () => {
      const own = getPriority();
      return listPriorities().filter((priority) => priority > own);
    };
    const messageId = await send();
    await holding("migrations", async () => {
      expect(await find("")).toEqual([messageId]);
      expect(listLowered()).toEqual([]);
    });
    await expect.poll(listPriorities, PATIENCE).toContain(19);
  },
);

it("the search refuses searches of one tenant beyond its limit, but not those of other tenants", async () => {
  await send();
  await find("");
  const own = Promise.allSettled(Array.from({ length: 20 }, () => find("")));
  expect(await find("", { tenantId: tenantId + 1, merchantId: undefined })).toEqual([]);
  const settled = await own;
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
});

it("the search refuses searches after it is closed", async () => {
  await searches.close();
  await expect(find("")).rejects.toThrow(StoreUnavailable);
});

it("the search ends its views if the thread fails, and reports why", async () => {
  await searches.close();
  const missing = new URL("no-such-thread.js", dist);
  const place = { database: database.location, searchFile: join(folder, "search.db") };
  searches = new ThreadSearches({
    ...place,
    threads: { follow: missing, find: missing },
    onError: (error) => errors.push(error),
  });
  const end = vi.fn();
  const watch = searches.watch(scoped(""), { tell() {}, end });
  await expect(watch.begun).rejects.toThrow(StoreUnavailable);
  expect(end).toHaveBeenCalledOnce();
  expect(errors).toHaveLength(1);
});
