// Lists longer than a page over a socket with small buffers, from a database that is read beside its writes.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Query, type Store, StoreUnavailable } from "../../store/store.ts";
import { type TestDatabase, takeLastingDatabase } from "../../testing/engine.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { askSocket, turns } from "../../testing/list-replies.ts";
import { defaultReplyBounds, type ReplyBounds } from "./list-replies.ts";

const CONSENTS = 6_000;
const PAGES = CONSENTS / 100;
/** Fewer pages than this are read for a client that does not read its reply: the buffers of both ends hold less. */
const TAKEN_UNREAD = PAGES / 4;

let folder: string;
let database: TestDatabase;
let service: InMemoryService;
let isOpen = false;

async function open(bounds: Partial<ReplyBounds> = {}): Promise<void> {
  const replyBounds = { ...defaultReplyBounds, ...bounds };
  database = await takeLastingDatabase();
  service = await openInMemoryService({ database: database.location, replyBounds });
  isOpen = true;
  await service.call("POST", "/api/v1/merchants", {
    body: { merchantId: "shop", displayName: "Shop", smsLimit: 1_000 },
  });
  await addConsents(service.store, CONSENTS);
  await service.app.listen({ path: join(folder, "socket") });
}

function addConsents(store: Store, count: number): Promise<unknown> {
  return store.write((tx) =>
    tx.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
       INSERT INTO consents (tenant_id, merchant_id, channel, contact, status, source, updated_at)
       SELECT $2, 'shop', 'EMAIL', substr(CAST(100000 + n AS TEXT), 2) || '@example.com', 'OPT_IN', $3, 0 FROM numbers`,
      count,
      service.credential.tenantId,
      "a form ".repeat(28),
    ),
  );
}

beforeEach(() => {
  vi.restoreAllMocks();
  folder = mkdtempSync(join(tmpdir(), "msgd-lists-"));
});
afterEach(async () => {
  if (isOpen) await service.close();
  await database.release();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (path = "/api/v1/consents", agent?: false) =>
  askSocket(join(folder, "socket"), service.credential, { path, agent });

const send = () =>
  service.call("POST", "/api/v1/messages/sms", {
    body: { merchantId: "shop", to: "+12025550100", message: "Hello", type: "TRANSACTIONAL" },
  });

/** Counts the pages that are read. `disturb` runs after the first page. */
function watchPages(disturb: () => Promise<unknown> = async () => {}) {
  const { readPages } = service.store;
  const watched = { opened: 0, pages: 0, ended: 0, most: 0 };
  async function* watch<Row>(query: Query<Row>): AsyncGenerator<Row[], void, undefined> {
    watched.opened += 1;
    watched.most = Math.max(watched.most, watched.opened - watched.ended);
    try {
      for await (const page of readPages(query)) {
        watched.pages += 1;
        yield page;
        if (watched.pages === 1) await disturb();
      }
    } finally {
      watched.ended += 1;
    }
  }
  vi.spyOn(service.store, "readPages").mockImplementation(watch as Store["readPages"]);
  return watched;
}

describe("a list longer than a page", () => {
  it("matches the contract, is complete, and comes from one snapshot, over a socket and in process", async () => {
    await open();
    watchPages(() => service.store.write((tx) => tx.run("UPDATE consents SET status = 'OPT_OUT'")));
    const reply = await ask();
    expect([reply.statusCode, reply.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    const consents = JSON.parse(await text(reply));
    expect(consents.map(({ contact }: { contact: string }) => contact)).toEqual(
      Array.from({ length: CONSENTS }, (_, index) => `${String(index + 1).padStart(5, "0")}@example.com`),
    );
    expect(new Set(consents.map(({ status }: { status: string }) => status))).toEqual(new Set(["OPT_IN"]));
    const { apiKey, apiSecret } = service.credential;
    const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
    const plain = await service.exchange({ method: "GET", url: "/api/v1/consents", headers });
    const injected = await service.call("GET", "/api/v1/consents");
    expect(plain).toMatchObject({ status: 200, body: injected.body });
    expect(injected.json()).toHaveLength(CONSENTS);
    expect(new Set(injected.json().map(({ status }: { status: string }) => status))).toEqual(new Set(["OPT_OUT"]));
  });

  it("is refused before its first byte for the same reasons as any list", async () => {
    await open();
    const watched = watchPages();
    expect((await service.call("GET", "/api/v1/consents?merchantId=none")).json()).toMatchObject({
      code: "merchant_not_found",
    });
    const own = await service.issue({ merchantId: "shop" });
    const foreign = await service.call("GET", "/api/v1/consents?merchantId=other", { as: own });
    expect(foreign.json()).toMatchObject({ code: "merchant_scope_denied" });
    expect(watched.opened).toBe(0);
  });

  it("is read only as fast as the client takes it, and sends continue meanwhile", async () => {
    await open();
    const watched = watchPages();
    const reply = await ask();
    for (let sent = 0; sent < 50; sent += 1) expect((await send()).statusCode).toBe(200);
    await turns(500);
    expect(watched.pages).toBeLessThan(TAKEN_UNREAD);
    expect(JSON.parse(await text(reply))).toHaveLength(CONSENTS);
    // the last page is empty
    expect(watched.pages).toBe(PAGES + 1);
  });

  it("is cut off if the client does not read, and releases its snapshot", async () => {
    await open({ stalledMs: 50 });
    const watched = watchPages();
    const reply = await ask();
    await expect.poll(() => watched.ended).toBe(1);
    expect(watched.pages).toBeLessThan(TAKEN_UNREAD);
    await expect(text(reply)).rejects.toThrow("aborted");
  });

  it("is cut off if it takes too long, even if the client reads steadily", async () => {
    await open({ longestMs: 50 });
    let goOn = () => {};
    const watched = watchPages(
      () =>
        new Promise<void>((resolve) => {
          goOn = resolve;
        }),
    );
    // on a busy machine this can happen before the first byte
    await expect(ask().then(text)).rejects.toThrow(/aborted|socket hang up/);
    expect(watched.pages).toBeLessThanOrEqual(1);
    goOn();
  });

  it("releases its snapshot when its client disconnects", async () => {
    await open();
    const watched = watchPages();
    (await ask()).destroy();
    await expect.poll(() => watched.ended).toBe(1);
    expect(watched.pages).toBeLessThan(TAKEN_UNREAD);
  });

  it("counts against the tenant's limit, and a waiting request is answered when another one ends", async () => {
    await open({ longListsPerTenant: 2 });
    const watched = watchPages();
    const asked = Array.from({ length: 12 }, () => ask("/api/v1/consents", false));
    for (let sent = 0; sent < 20; sent += 1) expect((await send()).statusCode).toBe(200);
    await expect.poll(() => watched.opened).toBe(2);
    await turns(500);
    expect(watched.opened).toBe(2);
    // a list of one page needs no permit
    expect((await service.call("GET", "/api/v1/merchants")).statusCode).toBe(200);
    const bodies = await Promise.all(asked.map(async (reply) => text(await reply)));
    expect(new Set(bodies.map((body) => JSON.parse(body).length))).toEqual(new Set([CONSENTS]));
    expect(watched).toMatchObject({ opened: 12, most: 2 });
    await expect.poll(() => watched.ended).toBe(12);
  });

  it("is refused with 503 after too long a wait", async () => {
    await open({ longLists: 1, waitMs: 1 });
    const stalled = await ask();
    const refused = await ask("/api/v1/consents", false);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "5"]);
    expect(JSON.parse(await text(refused))).toMatchObject({ code: "unavailable" });
    stalled.destroy();
  });

  it("never looks complete if it fails midway", async () => {
    await open();
    const broken = async () => {
      throw new StoreUnavailable("the disk failed");
    };
    watchPages(broken);
    let received = "";
    const reply = await ask();
    await expect(
      (async () => {
        for await (const part of reply.setEncoding("utf8")) received += part;
      })(),
    ).rejects.toThrow("aborted");
    expect(received).toMatch(/^\[\{.*\}$/s);
    vi.restoreAllMocks();
    watchPages(broken);
    const { apiKey, apiSecret } = service.credential;
    const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
    await expect(service.exchange({ method: "GET", url: "/api/v1/consents", headers })).rejects.toThrow();
  });

  it("is answered with a problem as usual if it fails before its first page", async () => {
    await open({ longLists: 1 });
    vi.spyOn(service.store, "readPages").mockReturnValue({
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () => Promise.reject(new StoreUnavailable("no such file")),
    });
    for (let time = 0; time < 2; time += 1) {
      const reply = await service.call("GET", "/api/v1/consents");
      expect(reply.json()).toMatchObject({ status: 503, code: "unavailable" });
    }
    vi.restoreAllMocks();
    expect((await service.call("GET", "/api/v1/consents")).statusCode).toBe(200);
  });

  it("does not prevent the server from stopping", async () => {
    await open({ stopGraceMs: 1, longListsPerTenant: 1 });
    const watched = watchPages();
    const stalled = await ask();
    const waiting = ask("/api/v1/consents", false);
    await expect.poll(() => watched.opened).toBe(1);
    await turns(50);
    isOpen = false;
    const stopped = service.close();
    expect((await waiting).statusCode).toBe(503);
    await stopped;
    await expect(text(stalled)).rejects.toThrow("aborted");
    await expect.poll(() => watched.ended).toBe(1);
  });
});
