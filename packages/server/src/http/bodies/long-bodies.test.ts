// Requests with long bodies: a tenant that sends many at once must not delay tenants that send one.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { IssuedCredential } from "../../domain/tenancy/tenants.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { RawClient } from "../../testing/raw-client.ts";
import type { BodyRoom } from "./body.ts";
import { BODY_LIMIT_BYTES } from "./body-check.ts";

let service: InMemoryService;
let port: number;
let other: IssuedCredential;
let clients: RawClient[];

async function open(bodyRoom: BodyRoom): Promise<void> {
  service = await openInMemoryService({ bodyRoom });
  await service.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = service.app.server.address() as AddressInfo);
  other = await service.issue({ tenant: "Globex" });
}

beforeEach(() => {
  clients = [];
});
afterEach(async () => {
  for (const { socket } of clients) socket.destroy();
  await service.close();
});

/** A Content-Length that leaves no room for another long body. */
const long = JSON.stringify({ merchantId: "shop", displayName: "x".repeat(BODY_LIMIT_BYTES - 100) });
const short = JSON.stringify({ merchantId: "shop", displayName: "Shop" });

/** Opens a service with room for `inAll` of the largest bodies, `ofTenant` of them per tenant. */
function roomFor(inAll: number, ofTenant: number, waitMs = 60_000): BodyRoom {
  return { bytes: inAll * BODY_LIMIT_BYTES, bytesPerTenant: ofTenant * BODY_LIMIT_BYTES, waitMs };
}

/** Sends a request with only the first `sent` bytes of its body. */
async function ask(body: string, { apiKey, apiSecret }: IssuedCredential, sent = body.length): Promise<RawClient> {
  const client = await RawClient.open(port);
  clients.push(client);
  const head = [
    "POST /api/v1/merchants HTTP/1.1",
    "Host: localhost",
    `X-Api-Key: ${apiKey}`,
    `X-Api-Secret: ${apiSecret}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  return client.send(`${head.join("\r\n")}\r\n\r\n`, body.slice(0, sent));
}

const statusOf = async (client: RawClient) => (await client.read(1))[0]?.status;

describe("long bodies", () => {
  it("wait if their tenant uses all its room, without delaying other tenants' bodies or short ones", async () => {
    await open(roomFor(2, 1));
    const { credential } = service;
    const slow = await ask(long, credential, 100);
    const asked = once(service.app.server, "request");
    const waiting = await ask(long, credential);
    await asked;
    expect(await statusOf(await ask(long, other))).toBe(400);
    expect(await statusOf(await ask(short, credential))).toBe(200);
    const answered = statusOf(waiting).then(() => "answered");
    expect(await Promise.race([answered, sleep(100, "waiting")])).toBe("waiting");
    slow.send(long.slice(100));
    expect(await statusOf(slow)).toBe(400);
    expect(await answered).toBe("answered");
  });

  it("of a few kilobytes are read concurrently", async () => {
    await open(roomFor(1, 1));
    const { credential } = service;
    const middling = JSON.stringify({ merchantId: "shop", displayName: "x".repeat(100_000) });
    for (let count = 0; count < 10; count++) await ask(middling, credential, 100);
    expect(await statusOf(await ask(middling, credential))).toBe(400);
  });

  it("free their room if their client disconnects", async () => {
    await open(roomFor(1, 1));
    const slow = await ask(long, service.credential, 100);
    const next = await ask(long, service.credential);
    slow.socket.destroy();
    expect(await statusOf(next)).toBe(400);
  });

  it("are refused without effect if no room becomes free in time", async () => {
    await open(roomFor(1, 1, 50));
    await ask(long, service.credential, 100);
    const [refused] = await (await ask(long, other)).read(1);
    expect(refused).toMatchObject({ status: 503, problem: { code: "unavailable" } });
    expect(refused?.problem.detail).toBe(
      "The server is reading too many large bodies: bodies over 16 KiB share 2048 KiB per tenant and 2048 KiB in total. No room became free within 0.05 s. Nothing was done; try again.",
    );
  });

  it("also need room if their length is unknown", async () => {
    await open(roomFor(1, 1, 50));
    await ask(long, service.credential, 100);
    const { apiKey, apiSecret } = other;
    const chunked = await RawClient.open(port);
    clients.push(chunked);
    chunked.send(
      `POST /api/v1/merchants HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${apiKey}\r\nX-Api-Secret: ${apiSecret}\r\n`,
      "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    expect(await statusOf(chunked)).toBe(503);
  });
});
