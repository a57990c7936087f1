import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { merchantsQuery } from "./domain/merchants/rows.ts";
import { createTenant, type IssuedCredential, issueCredential } from "./domain/tenancy/tenants.ts";
import { openStore } from "./engines.ts";
import { systemClock } from "./platform/clock.ts";
import { openService, type Service } from "./service.ts";
import { readRows } from "./store/store.ts";
import { pepper } from "./testing/in-memory-service.ts";

/** Time limit in milliseconds that only a hang exceeds. */
const SOON = 60_000;

let folder: string;
let databaseFile: string;
let service: Service;
let credential: IssuedCredential;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-service-"));
  databaseFile = join(folder, "msgd.db");
  service = await openService({
    database: { file: databaseFile },
    simulator: { file: ":memory:" },
    pepper,
    consentPolicy: "strict",
    idempotencyDays: 7,
    clock: systemClock,
  });
  credential = await service.store.write(async (tx) => {
    const { tenantId } = await createTenant(tx, { name: "Acme", timezone: "UTC", now: 0 });
    return issueCredential(tx, { tenantId, merchantId: null, pepper, now: 0 });
  });
  await service.app.listen({ host: "127.0.0.1", port: 0 });
  await service.start();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Opens a connection, and records what is received on it. */
async function open(): Promise<{ socket: Socket; received: () => string }> {
  const { port } = service.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  await once(socket, "connect");
  return { socket, received: () => text };
}

it("a stop refuses new requests, answers those in progress, and leaves all data in the database", async () => {
  const body = JSON.stringify({ merchantId: "m1", displayName: "Kept" });
  const [post, probe] = [await open(), await open()];
  const head = [
    "POST /api/v1/merchants HTTP/1.1",
    "Host: msgd",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    `X-API-KEY: ${credential.apiKey}`,
    `X-API-SECRET: ${credential.apiSecret}`,
    "Expect: 100-continue",
  ];
  probe.socket.write("GET /readyz HTTP/1.1\r\nHost: ms");
  post.socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await vi.waitFor(() => expect(post.received()).toBe("HTTP/1.1 100 Continue\r\n\r\n"), SOON);

  const closed = service.close();
  await vi.waitFor(() => expect(service.app.server.listening).toBe(false), SOON);
  probe.socket.write("gd\r\n\r\n");
  await vi.waitFor(() => expect(probe.received()).toMatch(/^HTTP\/1\.1 503 [\s\S]*The server is being stopped/), SOON);
  post.socket.write(body);
  // neither connection is kept alive, so the process can end
  await closed;
  expect(post.received()).toMatch(/\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*"displayName":"Kept"/);
  expect(existsSync(`${databaseFile}-wal`)).toBe(false);

  const store = await openStore({ database: { file: databaseFile }, clock: systemClock });
  const merchants = await store.read((tx) =>
    readRows(tx, merchantsQuery(credential.tenantId, "2026-01-01", undefined)),
  );
  await store.close();
  expect(merchants).toMatchObject([{ merchantId: "default" }, { merchantId: "m1", displayName: "Kept" }]);
});
