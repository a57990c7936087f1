// Requests a registration status too large for one turn, over a socket with small buffers, from a database on disk.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ask, SqlValue } from "../../store/statement.ts";
import { type Snapshot, StoreUnavailable } from "../../store/store.ts";
import { alterTransaction } from "../../testing/altered-transaction.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { askSocket, turns } from "../../testing/list-replies.ts";
import { shortCampaign } from "../../testing/registration.ts";

const CAMPAIGNS = 50;
/** Most campaigns that are read for a client that does not read. The buffers of both ends hold less than a quarter. */
const TAKEN_UNREAD = CAMPAIGNS / 4;
const path = "/api/v1/merchants/shop/messaging";

let folder: string;
let service: InMemoryService;
let isOpen = false;

/**
 * Opens a service with a merchant that is ready to send. Its registration has the maximum number of campaigns, with texts
 * of the maximum length, or one short campaign.
 */
async function open(size: "large" | "small" = "large", databaseFile = join(folder, "test.db")): Promise<void> {
  service = await openInMemoryService({ database: { file: databaseFile } });
  isOpen = true;
  await post("/api/v1/merchants", { merchantId: "shop", displayName: "Shop", smsLimit: 1_000 });
  await post(`${path}/brand`, { legalBusinessName: "Shop", status: "APPROVED", verificationStatus: "VERIFIED" });
  const { id } = await post(`${path}/campaign`, { ...campaign, status: "ACTIVE", campaignReference: "0" });
  await post(`${path}/numbers`, { phoneNumber: "+12025550142", status: "ACTIVE", assignmentStatus: "UNASSIGNED" });
  await service.store.write((tx) => tx.run("UPDATE numbers SET assignment_status = 'ASSIGNED', campaign_id = $1", id));
  if (size === "large") {
    // texts of the maximum length, in a script with three bytes per letter
    const wide = { description: "店".repeat(8_192), sampleMessages: Array(20).fill("x".repeat(2_048)) };
    for (let count = 1; count < CAMPAIGNS; count += 1) {
      await post(`${path}/campaign`, { ...campaign, ...wide, campaignReference: String(count) });
    }
  }
  await service.app.listen({ path: join(folder, "socket") });
}

async function post(url: string, body: object) {
  const reply = await service.call("POST", url, { body });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

const campaign = { ...shortCampaign, messageFlow: 'of "campaigns":[] and others' };

beforeEach(() => {
  vi.restoreAllMocks();
  folder = mkdtempSync(join(tmpdir(), "msgd-itemwise-"));
});
afterEach(async () => {
  if (isOpen) await service.close();
  isOpen = false;
  rmSync(folder, { recursive: true, force: true });
});

const ask = (method = "GET") =>
  askSocket(join(folder, "socket"), service.credential, { path: `${path}/status`, method });

/** Counts the campaigns that are read one by one. `disturb` runs after the first. */
function watchSnapshots(disturb: () => Promise<unknown> = async () => {}) {
  const { openSnapshot } = service.store;
  const watched = { opened: 0, campaigns: 0, ended: 0 };
  vi.spyOn(service.store, "openSnapshot").mockImplementation(async (): Promise<Snapshot> => {
    const { tx, end } = await openSnapshot();
    watched.opened += 1;
    const watch = alterTransaction(tx, {
      all: async <Row>(ask: Ask<Row>, ...values: SqlValue[]) => {
        const rows = await tx.all(ask, ...values);
        // the first query reads only few columns
        expect(rows.filter((row) => Object.hasOwn(row as object, "description"))).toEqual([]);
        return rows;
      },
      get: async <Row>(ask: Ask<Row>, ...values: SqlValue[]) => {
        const row = await tx.get(ask, ...values);
        if (!Object.hasOwn(row as object, "description")) return row;
        watched.campaigns += 1;
        if (watched.campaigns === 1) await disturb();
        return row;
      },
    });
    return {
      tx: watch,
      end() {
        end();
        watched.ended += 1;
      },
    };
  });
  return watched;
}

/** Changes the registration so that no chain of brand, campaign and number is complete. */
const changeAll = () =>
  service.store.write(async (tx) => {
    await tx.run("UPDATE campaigns SET status = 'SUSPENDED', description = 'changed'");
    await tx.run("UPDATE brands SET status = 'SUSPENDED'");
    await tx.run("UPDATE numbers SET assignment_status = 'UNASSIGNED', campaign_id = NULL");
  });

describe("a large registration status", () => {
  it.each(["test.db", ":memory:"])(
    "matches the contract, is complete, and comes from one snapshot (%s)",
    async (file) => {
      await open("large", file === ":memory:" ? file : join(folder, file));
      const watched = watchSnapshots(changeAll);
      const reply = await ask();
      expect([reply.statusCode, reply.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
      const { campaigns, ...status } = JSON.parse(await text(reply));
      expect(status).toMatchObject({
        merchantId: "shop",
        readyToSend: true,
        blockingReason: null,
        brands: [{ status: "APPROVED" }],
        numbers: [{ assignmentStatus: "ASSIGNED", campaignId: campaigns.at(-1).id }],
      });
      expect(campaigns.map((one: { campaignReference: string }) => one.campaignReference)).toEqual(
        Array.from({ length: CAMPAIGNS }, (_, index) => String(CAMPAIGNS - 1 - index)),
      );
      expect(campaigns.at(-1)).toMatchObject({ ...campaign, status: "ACTIVE" });
      expect(campaigns.filter(({ description }: { description: string }) => description === "changed")).toEqual([]);
      expect(watched).toEqual({ opened: 1, campaigns: CAMPAIGNS, ended: 1 });
    },
  );

  it("is the same in process, and has the same form as a small one", async () => {
    await open();
    const injected = await service.call("GET", `${path}/status`);
    const { apiKey, apiSecret } = service.credential;
    const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
    const plain = await service.exchange({ method: "GET", url: `${path}/status`, headers });
    expect(plain).toMatchObject({ status: 200, body: injected.body });
    await service.store.write((tx) => tx.run("UPDATE campaigns SET description = 'd', sample_messages = '[\"s\"]'"));
    const watched = watchSnapshots();
    const small = (await service.call("GET", `${path}/status`)).json();
    const short = { description: "d", sampleMessages: ["s"] };
    const large = injected.json();
    expect(small).toEqual({ ...large, campaigns: large.campaigns.map((one: object) => ({ ...one, ...short })) });
    expect(Object.keys(small)).toEqual(Object.keys(large));
    expect(watched.opened).toBe(0);
  });

  it("is read from the database only as fast as the client reads, while sends continue", async () => {
    await open();
    const watched = watchSnapshots();
    const reply = await ask();
    const body = { merchantId: "shop", to: "+12025550100", message: "Hello", type: "TRANSACTIONAL" };
    for (let sent = 0; sent < 50; sent += 1) await post("/api/v1/messages/sms", body);
    await turns(500);
    expect(watched.campaigns).toBeLessThan(TAKEN_UNREAD);
    expect(JSON.parse(await text(reply)).campaigns).toHaveLength(CAMPAIGNS);
    expect(watched).toEqual({ opened: 1, campaigns: CAMPAIGNS, ended: 1 });
  });

  it("reads no campaign for HEAD", async () => {
    await open();
    const watched = watchSnapshots();
    const reply = await ask("HEAD");
    expect([reply.statusCode, reply.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(await text(reply)).toBe("");
    await expect.poll(() => watched).toEqual({ opened: 1, campaigns: 0, ended: 1 });
  });

  it("releases its snapshot when its client disconnects", async () => {
    await open();
    const watched = watchSnapshots();
    (await ask()).destroy();
    await expect.poll(() => watched.ended).toBe(1);
    expect(watched.campaigns).toBeLessThan(TAKEN_UNREAD);
  });

  it("never looks complete if it fails midway, and is a normal problem if it fails before its first byte", async () => {
    await open();
    const watched = watchSnapshots(async () => {
      throw new StoreUnavailable("the disk failed");
    });
    await expect(ask().then(text)).rejects.toThrow("aborted");
    await expect.poll(() => watched.ended).toBe(1);
    vi.spyOn(service.store, "openSnapshot").mockRejectedValue(new StoreUnavailable("no such file"));
    expect((await service.call("GET", `${path}/status`)).json()).toMatchObject({ status: 503, code: "unavailable" });
  });
});

describe("a small registration status", () => {
  it("is sent at once, with Content-Length", async () => {
    await open("small");
    const watched = watchSnapshots();
    const reply = await ask();
    const body = await text(reply);
    expect(reply.headers["content-length"]).toBe(String(body.length));
    expect(JSON.parse(body)).toMatchObject({ readyToSend: true, campaigns: [campaign] });
    expect(watched.opened).toBe(0);
  });

  it("is refused for the same reasons as a large one", async () => {
    await open("small");
    const unknown = await service.call("GET", "/api/v1/merchants/none/messaging/status");
    expect(unknown.json()).toMatchObject({ code: "merchant_not_found" });
    const own = await service.issue({ merchantId: "shop" });
    const foreign = await service.call("GET", "/api/v1/merchants/none/messaging/status", { as: own });
    expect(foreign.json()).toMatchObject({ code: "merchant_scope_denied" });
  });
});
