import { request } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunningHttp, serveHttp } from "./http-server.ts";

const TOKEN = "t".repeat(40);
const BEARER = { authorization: `Bearer ${TOKEN}` };
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

let running: RunningHttp;
beforeEach(async () => {
  const factory = () => new Server({ name: "test", version: "1" }, { capabilities: {} });
  running = await serveHttp(factory, { port: 0, token: TOKEN });
});
afterEach(() => running.close());

/** Node's fetch would not send another Host. */
function post(
  headers: Record<string, string>,
  path = "/mcp",
  body = JSON.stringify(PING),
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const accept = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const sent = request(
      new URL(path, running.url),
      { method: "POST", headers: { ...accept, ...headers } },
      (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text }));
      },
    );
    sent.on("error", reject).end(body);
  });
}

it("a client with the token is served, with either protocol", async () => {
  for (const versionNegotiation of [undefined, { mode: { pin: "2026-07-28" } }] as const) {
    const client = new Client({ name: "test", version: "1" }, versionNegotiation && { versionNegotiation });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(running.url), { requestInit: { headers: BEARER } }) as never,
    );
    expect(client.getServerVersion()?.name).toBe("test");
    await client.close();
  }
});

describe("refused", () => {
  it.each([
    ["without a token", {}, 401],
    ["with another token", { authorization: "Bearer no" }, 401],
    ["with the token as a password", { authorization: `Basic ${TOKEN}` }, 401],
    ["from a web page", { ...BEARER, origin: "https://evil.example" }, 403],
    ["from a page without an origin", { ...BEARER, origin: "null" }, 403],
    ["for another host", { ...BEARER, host: "evil.example" }, 403],
  ])("a request %s", async (_, headers, status) => {
    expect((await post(headers)).status).toBe(status);
  });

  it("a request for another path", async () => {
    expect(await post(BEARER, "/")).toMatchObject({ status: 404, text: "Only /mcp exists here.\n" });
  });

  it("a body beyond the library's 4 MiB", async () => {
    expect((await post(BEARER, "/mcp", JSON.stringify({ ...PING, params: { x: "y".repeat(5_000_000) } }))).status).toBe(
      413,
    );
  });
});

it("a page of this machine is served", async () => {
  expect((await post({ ...BEARER, origin: "http://localhost:3000" })).status).toBe(200);
});

it("a port that is taken is an error", async () => {
  const factory = () => new Server({ name: "test", version: "1" }, { capabilities: {} });
  const taken = serveHttp(factory, { port: Number(new URL(running.url).port), token: TOKEN });
  await expect(taken).rejects.toMatchObject({
    code: "EADDRINUSE",
    message: expect.stringContaining("is in use"),
  });
});
