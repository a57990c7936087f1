// Tests that pending replies are sent when a later request on the same connection fails.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { useFakeTimers, useRealTimers } from "../../testing/fake-timers.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { RawClient, type RawReply, toBytes } from "../../testing/raw-client.ts";
import { LONGEST_PIPELINE } from "./connections.ts";

let service: InMemoryService;
let port: number;
let opened: RawClient[] = [];
const toUndo: (() => void)[] = [];
beforeAll(async () => {
  service = await openInMemoryService();
  await service.app.listen({ host: "127.0.0.1", port: 0 });
  port = (service.app.server.address() as AddressInfo).port;
});
beforeEach(async () => {
  opened = [];
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "M", smsLimit: 1_000 } });
});
afterEach(() => {
  useRealTimers();
  vi.restoreAllMocks();
  for (const { socket } of opened) socket.destroy();
  for (const undo of toUndo.splice(0)) undo();
});
afterAll(() => service.close());

async function open(): Promise<RawClient> {
  const client = await RawClient.open(port);
  opened.push(client);
  return client;
}

let keys = 0;
const head = (line: string, ...headers: string[]) => {
  const { apiKey, apiSecret } = service.credential;
  return [line, "Host: msgd", `X-API-KEY: ${apiKey}`, `X-API-SECRET: ${apiSecret}`, ...headers];
};
const get = (path = "/api/v1/merchants/m1", ...headers: string[]) => toBytes(head(`GET ${path} HTTP/1.1`, ...headers));
const post = (...headers: string[]) =>
  head("POST /api/v1/messages/sms HTTP/1.1", "Content-Type: application/json", ...headers);
function send(...headers: string[]): string {
  const body = JSON.stringify({ merchantId: "m1", to: "+12025550100", message: "Hi", type: "OTP" });
  keys += 1;
  return toBytes(post(`Content-Length: ${body.length}`, `Idempotency-Key: key-${keys}`, ...headers), body);
}

/** The number of bytes that Node parses at once. */
const PARSED_AT_ONCE = 64 * 1024;

/** A request with a body so large that Node pauses the connection until the body is read. */
function longUpsert(): string {
  const body = JSON.stringify({ merchantId: "m1", displayName: "M" }).padEnd(40_000);
  const upsert = head("POST /api/v1/merchants HTTP/1.1", "Content-Type: application/json");
  return toBytes([...upsert, `Content-Length: ${body.length}`], body);
}

const statuses = (replies: RawReply[]) => replies.map(({ status, problem }) => [status, problem.code ?? null]);
async function countMessages(): Promise<number> {
  const row = await service.store.read((tx) => tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM messages"));
  return row?.n ?? 0;
}

/** Holds back the store's answers to commits until `letGo` is called. */
function holdCommits(): { reached: Promise<void>; letGo(): void } {
  const { write } = service.store;
  let letGo = () => {};
  const isFree = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  vi.spyOn(service.store, "write").mockImplementation(async (work) => {
    const result = await write.call(service.store, work);
    reach();
    await isFree;
    return result as never;
  });
  return { reached, letGo };
}

/** Resolves when the server has detected an invalid request on the next connection. */
function faultFound(): Promise<string> {
  return new Promise((resolve) => {
    service.app.server.once("clientError", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
  });
}

/** Times out the connection's pending request. Node does so every two seconds for requests older than 30 seconds. */
function timeOut(socket: object): void {
  const timeout = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  service.app.server.emit("clientError", timeout, socket);
}

/** Counts the requests that Node parses. */
function countRequests(): () => number {
  let requests = 0;
  const count = () => {
    requests += 1;
  };
  service.app.server.on("request", count);
  toUndo.push(() => service.app.server.off("request", count));
  return () => requests;
}

describe("a send in progress", () => {
  it.each<[string, () => string, number, string]>([
    ["bytes that are not a request", () => "NONSENSE\r\n\r\n", 400, "malformed_http"],
    ["an HTTP/2 preface", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "malformed_http"],
    ["headers past 16 KiB", () => `GET / HTTP/1.1\r\nX: ${"x".repeat(17_000)}\r\n\r\n`, 431, "headers_too_large"],
    ["a broken chunk", () => toBytes(post("Transfer-Encoding: chunked"), "zz\r\n"), 400, "malformed_http"],
    [
      "endless chunk extensions",
      () => toBytes(post("Transfer-Encoding: chunked"), `1;${"x".repeat(17_000)}`),
      413,
      "payload_too_large",
    ],
  ])("is answered even if it is followed by %s", async (_case, bytes, status, code) => {
    const before = await countMessages();
    const held = holdCommits();
    const found = faultFound();
    const client = await open();
    client.send(send(), bytes());
    await held.reached;
    await found;
    held.letGo();
    const replies = await client.readToEnd();
    expect(statuses(replies)).toEqual([
      [200, null],
      [status, code],
    ]);
    expect(replies[1]?.headers.get("connection")).toBe("close");
    expect(replies[1]?.problem).toMatchObject({ type: PROBLEM_PAGES + code, instance: "/" });
    expect(await countMessages()).toBe(before + 1);
  });

  it("is answered even if it is followed by a CONNECT, which is refused", async () => {
    const held = holdCommits();
    const connected = new Promise((resolve) => service.app.server.once("connect", resolve));
    const client = await open();
    client.send(send(), "CONNECT msgd:443 HTTP/1.1\r\nHost: msgd:443\r\n\r\n");
    await held.reached;
    await connected;
    held.letGo();
    const replies = await client.readToEnd();
    expect(statuses(replies)).toEqual([
      [200, null],
      [405, "method_not_allowed"],
    ]);
    expect(replies[1]?.headers.get("allow")).toBe("");
  });

  it("is answered even if it is followed by a request that does not arrive in time", async () => {
    const held = holdCommits();
    const client = await open();
    const accepted = new Promise<object>((resolve) =>
      service.app.server.once("request", (request) => resolve(request.socket)),
    );
    client.send(send(), "GET /api/v1/mer");
    const socket = await accepted;
    await held.reached;
    timeOut(socket);
    held.letGo();
    expect(statuses(await client.readToEnd())).toEqual([
      [200, null],
      [408, "request_timeout"],
    ]);
  });

  it.each([
    ["its client closes its sending side", "", [[200, null]]],
    [
      "its client closes its sending side within another request",
      "GET /api/v1",
      [
        [200, null],
        [400, "malformed_http"],
      ],
    ],
  ])("is answered even if %s", async (_case, more, expected) => {
    const held = holdCommits();
    const client = await open();
    client.send(send(), more);
    client.socket.end();
    await held.reached;
    held.letGo();
    expect(statuses(await client.readToEnd())).toEqual(expected);
  });

  it("gets the connection's last reply if it has Connection: close, whatever follows it", async () => {
    const held = holdCommits();
    const found = faultFound();
    const client = await open();
    client.send(send("Connection: close"), send());
    await held.reached;
    expect(await found).toBe("HPE_CLOSED_CONNECTION");
    held.letGo();
    expect(statuses(await client.readToEnd())).toEqual([[200, null]]);
  });
});

describe("an invalid body", () => {
  it("is answered only once if the request was refused before its body arrived", async () => {
    const found = faultFound();
    const client = await open();
    client.send(toBytes(["POST /api/v1/merchants HTTP/1.1", "Host: msgd", "Transfer-Encoding: chunked"]));
    expect(statuses(await client.read(1))).toEqual([[401, "credentials_missing"]]);
    client.send("zz\r\n");
    await found;
    expect(statuses(await client.readToEnd())).toEqual([[401, "credentials_missing"]]);
  });

  it("is answered after all earlier requests", async () => {
    const held = holdCommits();
    const found = faultFound();
    const client = await open();
    client.send(send(), get(), toBytes(post("Transfer-Encoding: chunked"), "zz\r\n"));
    await held.reached;
    await found;
    held.letGo();
    expect(statuses(await client.readToEnd())).toEqual([
      [200, null],
      [200, null],
      [400, "malformed_http"],
    ]);
  });
});

describe("requests sent ahead of their replies", () => {
  it("are handled one after the other, and each sees the effects of earlier ones", async () => {
    const client = await open();
    const names = Array.from({ length: 20 }, (_, index) => `pipelined-${index}`);
    const requests = names.map((merchantId) => {
      const body = JSON.stringify({ merchantId, displayName: "P" });
      const upsert = head("POST /api/v1/merchants HTTP/1.1", "Content-Type: application/json");
      return toBytes([...upsert, `Content-Length: ${body.length}`], body) + get(`/api/v1/merchants/${merchantId}`);
    });
    client.send(...requests);
    const replies = await client.read(40);
    expect(replies.map(({ status, problem }) => [status, problem.merchantId])).toEqual(
      names.flatMap((name) => [
        [200, name],
        [200, name],
      ]),
    );
    // the connection stays open
    expect(await client.send(get()).read(41)).toHaveLength(41);
  });

  it("are answered up to a limit, the last one with Connection: close, and no others are begun", async () => {
    const before = await countMessages();
    const held = holdCommits();
    const client = await open();
    client.send(...Array.from({ length: 3 * LONGEST_PIPELINE }, () => send()));
    await held.reached;
    expect(await countMessages()).toBe(before + 1);
    held.letGo();
    const replies = await client.readToEnd();
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(replies).toHaveLength(LONGEST_PIPELINE + 1);
    expect(replies.at(-1)?.headers.get("connection")).toBe("close");
    expect(await countMessages()).toBe(before + LONGEST_PIPELINE + 1);
  });

  const health = "GET /healthz HTTP/1.1\r\nHost: msgd\r\n\r\n";
  const beginnings: [string, () => string][] = [
    ["a send", () => send()],
    ["a send and a request whose body is not read yet", () => send() + longUpsert()],
  ];

  it.each(beginnings)("are not even parsed beyond the limit, however many follow %s", async (_case, beginning) => {
    const held = holdCommits();
    const parsed = countRequests();
    const client = await open();
    client.send(beginning(), health.repeat(50_000));
    await held.reached;
    held.letGo();
    const replies = await client.readToEnd();
    expect(replies).toHaveLength(LONGEST_PIPELINE + 1);
    expect(replies.at(-1)?.headers.get("connection")).toBe("close");
    expect(parsed()).toBeLessThanOrEqual(LONGEST_PIPELINE + 1 + PARSED_AT_ONCE / health.length);
  });

  it("are not even parsed after a request that did not arrive in time", async () => {
    const held = holdCommits();
    const parsed = countRequests();
    const client = await open();
    const [[{ socket }]] = await Promise.all([once(service.app.server, "request"), client.send(send())]);
    client.send("GET /healthz HTTP/1.1\r\n");
    await held.reached;
    timeOut(socket);
    client.send("Host: msgd\r\n\r\n", health.repeat(50_000));
    held.letGo();
    expect(statuses(await client.readToEnd())).toEqual([
      [200, null],
      [408, "request_timeout"],
    ]);
    expect(parsed()).toBe(1);
  });

  it.each(beginnings)(
    "are still read for a while after the last reply, so that no reset discards it, if they follow %s",
    async (_case, beginning) => {
      // reading continues until the client has finished
      useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const held = holdCommits();
      const client = await open();
      client.send(beginning(), health.repeat(2 * LONGEST_PIPELINE));
      await held.reached;
      held.letGo();
      await once(client.socket, "end");
      const closed = once(client.socket, "close");
      // more than the system would buffer if the server did not read
      client.send(health.repeat(300_000));
      expect(await client.readToEnd()).toHaveLength(LONGEST_PIPELINE + 1);
      expect(await closed).toEqual([false]);
    },
  );

  it("are not begun after their client has disconnected", async () => {
    const before = await countMessages();
    const held = holdCommits();
    const client = await open();
    const closed = new Promise((resolve) =>
      service.app.server.once("request", ({ socket }) => socket.once("close", resolve)),
    );
    client.send(send(), send(), send());
    await held.reached;
    client.socket.resetAndDestroy();
    await closed;
    held.letGo();
    // other clients are served, and the waiting sends have not begun
    vi.restoreAllMocks();
    expect((await service.call("GET", "/api/v1/merchants/m1")).statusCode).toBe(200);
    expect(await countMessages()).toBe(before + 1);
  });
});
