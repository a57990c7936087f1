// Long lists from the built server, read by its list thread.

import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultReplyBounds } from "../../packages/server/src/http/lists/list-replies.ts";
import { defaultLogBounds } from "../../packages/server/src/store/sqlite/checkpoints.ts";
import { createCursors } from "../../packages/server/src/store/sqlite/cursors.ts";
import { Moments } from "../../packages/server/src/store/sqlite/readers.ts";
import { type Query, StoreUnavailable } from "../../packages/server/src/store/store.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "./msgd-process.ts";

const CONSENTS = 40_000;

const folder = new MsgdFolder();
const path = join(folder.path, "msgd.db");
const thread = new URL("../../packages/server/dist/cursor-thread.js", import.meta.url);
let credential: Credential;
let server: MsgdProcess;

beforeAll(async () => {
  credential = folder.createTenant();
  server = await folder.serve();
  await ask("POST", "/api/v1/merchants", { merchantId: "shop", displayName: "Shop", smsLimit: 1_000 }).then(text);
  const database = new BetterSqlite3(path);
  database
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO consents (tenant_id, merchant_id, channel, contact, status, source, updated_at)
       SELECT ?, 'shop', 'EMAIL', substr('0000' || n, -5) || '@example.com', 'OPT_IN', ?, 0 FROM numbers`,
    )
    .run(CONSENTS, Number(credential.tenantId), "a form ".repeat(35));
  database.close();
});
afterAll(() => folder.remove());

function ask(method: string, url: string, body?: object): Promise<IncomingMessage> {
  const headers = { "x-api-key": credential.apiKey, "x-api-secret": credential.apiSecret };
  const json = { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    request(
      `${server.baseUrl}${url}`,
      { method, headers: body ? { ...headers, ...json } : headers, agent: false },
      resolve,
    )
      .on("error", reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

interface Contact {
  readonly contact: string;
}

const contacts: Query<Contact> = { sql: "SELECT contact FROM consents WHERE tenant_id = $1 LIMIT $2", values: [1] };

describe("a long list of the built server", () => {
  it("is complete and in order", async () => {
    const reply = await ask("GET", "/api/v1/consents");
    const consents = JSON.parse(await text(reply)) as Contact[];
    expect(consents.map(({ contact }) => contact)).toEqual(
      Array.from({ length: CONSENTS }, (_, index) => `${String(index + 1).padStart(5, "0")}@example.com`),
    );
  });

  it("delays neither other requests nor the shutdown while twelve clients do not read it", async () => {
    let begun = 0;
    const stalled = Array.from({ length: 12 }, async () => {
      const { statusCode } = await ask("GET", "/api/v1/consents");
      if (statusCode === 200) begun += 1;
    });
    const ended = Promise.allSettled(stalled);
    // the other lists are queued
    await expect.poll(() => begun).toBeGreaterThanOrEqual(defaultReplyBounds.longListsPerTenant);
    for (let sent = 0; sent < 50; sent += 1) {
      const body = { merchantId: "shop", to: "+12025550100", message: "Hello", type: "TRANSACTIONAL" };
      const reply = await ask("POST", "/api/v1/messages/sms", body);
      expect([reply.statusCode, JSON.parse(await text(reply)).status]).toEqual([200, "QUEUED"]);
    }
    expect(await server.end("SIGTERM")).toBe(0);
    await ended;
  });
});

describe("the thread that reads long lists", () => {
  it("reads several lists, each in its own snapshot, and continues if one is abandoned", async () => {
    const cursors = createCursors(path, thread, new Moments(defaultLogBounds));
    const [one, two] = [cursors.readPages(contacts), cursors.readPages({ ...contacts, limit: 150 })];
    const first = (await one.next()).value as Contact[];
    const database = new BetterSqlite3(path);
    database.prepare("DELETE FROM consents WHERE contact > '00500'").run();
    const short = [...(await two.next()).value, ...(await two.next()).value];
    expect([first.length, short.length, (await two.next()).done]).toEqual([100, 150, true]);
    const given = cursors.readPages(contacts);
    await given.next();
    await given.return?.();
    const rest: Contact[] = [];
    for await (const page of one) rest.push(...page);
    expect(first.length + rest.length).toBe(CONSENTS);
    expect(database.pragma("wal_checkpoint(TRUNCATE)")).toMatchObject([{ busy: 0 }]);
    database.close();
    await cursors.close();
  });

  it("reports failures, and ends open lists when it is closed", async () => {
    const cursors = createCursors(path, thread, new Moments(defaultLogBounds));
    const wrong = cursors.readPages({ sql: "SELECT absent FROM consents LIMIT $1", values: [] });
    await expect(wrong.next()).rejects.toThrow("no such column: absent");
    const open = cursors.readPages(contacts);
    await open.next();
    await cursors.close();
    await expect(readOn(open)).rejects.toThrow(StoreUnavailable);
    const missing = createCursors(join(folder.path, "missing.db"), thread, new Moments(defaultLogBounds));
    await expect(missing.readPages(contacts).next()).rejects.toThrow(StoreUnavailable);
    await missing.close();
    const noThread = createCursors(path, new URL("no-thread.js", thread), new Moments(defaultLogBounds));
    await expect(noThread.readPages(contacts).next()).rejects.toThrow(StoreUnavailable);
  });
});

async function readOn(pages: AsyncIterableIterator<unknown>): Promise<void> {
  for (let page = await pages.next(); page.done !== true; page = await pages.next());
}
