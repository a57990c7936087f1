// What only a socket can send: requests that no HTTP library makes, to a server that really listens.

import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type InMemoryService, openInMemoryService } from "../in-memory-service.ts";

let service: InMemoryService;
beforeAll(async () => {
  service = await openInMemoryService();
  await service.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => service.close());

interface Reply {
  status: number;
  headers: Headers;
  problem: Record<string, unknown>;
}

/** Sends the lines as a request's head, and reads the reply to the connection's end or to its announced length. */
async function exchange(lines: string[], body = ""): Promise<Reply> {
  const { port } = service.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  socket.on("error", () => {});
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  let text = "";
  for await (const chunk of socket) {
    text += chunk;
    const [head = "", content] = text.split("\r\n\r\n");
    if (content !== undefined && content.length >= Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) break;
  }
  const [head = "", content = ""] = text.split("\r\n\r\n");
  const [statusLine = "", ...headers] = head.split("\r\n");
  const pairs = headers.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: new Headers(pairs as [string, string][]),
    problem: content === "" ? {} : JSON.parse(Buffer.from(content, "latin1").toString()),
  };
}

const request = (line: string, ...headers: string[]) => {
  const { apiKey, apiSecret } = service.credential;
  return [line, "Host: msgd", `X-API-KEY: ${apiKey}`, `X-API-SECRET: ${apiSecret}`, ...headers];
};
const get = (path: string, ...headers: string[]) => request(`GET /api/v1${path} HTTP/1.1`, ...headers);
const post = (...headers: string[]) =>
  request("POST /api/v1/merchants HTTP/1.1", "Content-Type: application/json", ...headers);

function expectProblem(reply: Reply, status: number, code: string): void {
  expect(reply.status).toBe(status);
  expect(reply.headers.get("content-type")).toBe("application/problem+json");
  const requestId = reply.headers.get("x-request-id");
  expect(requestId).toMatch(/^req_/);
  expect(reply.problem).toMatchObject({ status, code, requestId, detail: expect.any(String) });
  expect(reply.problem).toMatchObject({ instance: expect.stringMatching(/^\//), title: expect.any(String) });
  expect(reply.headers.has("allow")).toBe(status === 405);
}

describe("what is no request", () => {
  it.each<[string, number, string, () => [string[], string?]]>([
    ["no HTTP at all", 400, "malformed_http", () => [["NONSENSE"]]],
    ["a method that HTTP does not have", 400, "malformed_http", () => [["FETCH / HTTP/1.1", "Host: msgd"]]],
    ["a length that is no number", 400, "malformed_http", () => [post("Content-Length: ten")]],
    ["two lengths", 400, "malformed_http", () => [post("Content-Length: 2", "Transfer-Encoding: chunked")]],
    ["a broken chunk", 400, "malformed_http", () => [post("Transfer-Encoding: chunked"), "zz\r\n"]],
    ["no Host", 400, "malformed_http", () => [["GET /api/v1/merchants HTTP/1.1"]]],
    ["20 KB of headers", 431, "headers_too_large", () => [request("GET / HTTP/1.1", `X: ${"x".repeat(20_000)}`)]],
  ])("%s is answered %i %s, as a problem with a request id", async (_case, status, code, sent) => {
    expectProblem(await exchange(...sent()), status, code);
  });
});

describe("requests that no library makes", () => {
  it.each<[string, number, string, () => [string[], string?]]>([
    ["an id of 2 000 characters", 400, "validation_error", () => [get(`/merchants/${"a".repeat(2_000)}`)]],
    ["an id of no characters", 404, "route_not_found", () => [get("/merchants/")]],
    ["the same with no credential", 404, "route_not_found", () => [["GET /api/v1/merchants/ HTTP/1.1", "Host: msgd"]]],
    ["an id that ends in a slash", 404, "route_not_found", () => [get("/merchants/default/")]],
    ["two slashes", 404, "route_not_found", () => [get("//merchants")]],
    ["an id that is escaped twice", 400, "validation_error", () => [get("/merchants/%2564efault")]],
    ["TRACE", 405, "method_not_allowed", () => [request("TRACE /api/v1/merchants HTTP/1.1")]],
    ["QUERY", 405, "method_not_allowed", () => [request("QUERY /api/v1/merchants HTTP/1.1")]],
    ["DELETE of an escaped path", 405, "method_not_allowed", () => [request("DELETE /api/v1/%6derchants HTTP/1.1")]],
    ["an Accept of HTML only", 406, "not_acceptable", () => [get("/merchants", "Accept: text/html")]],
    ["3 MiB that are announced", 413, "payload_too_large", () => [post(`Content-Length: ${3 << 20}`)]],
    [
      "a body of plain text",
      415,
      "unsupported_media_type",
      () => [request("POST /api/v1/merchants HTTP/1.1", "Content-Type: text/plain", "Content-Length: 2"), "hi"],
    ],
    ["no body and no media type", 400, "malformed_json", () => [request("POST /api/v1/merchants HTTP/1.1")]],
    [
      "a compressed body",
      415,
      "unsupported_media_type",
      () => [post("Content-Encoding: gzip", "Content-Length: 2"), "{}"],
    ],
  ])("%s is answered %i %s", async (_case, status, code, sent) => {
    expectProblem(await exchange(...sent()), status, code);
  });

  it("answers HEAD without a body, and says what the path takes", async () => {
    const reply = await exchange(request("HEAD /api/v1/merchants HTTP/1.1", "Connection: close"));
    expect([reply.status, reply.headers.get("allow"), reply.problem]).toEqual([405, "POST, GET", {}]);
  });

  it("reads an absolute URL, and an id with escapes, as what they stand for", async () => {
    expect((await exchange(request("GET http://msgd/api/v1/merchants HTTP/1.1"))).status).toBe(200);
    const absolute = await exchange(request("DELETE http://msgd/api/v1/merchants HTTP/1.1"));
    expect([absolute.status, absolute.headers.get("allow")]).toEqual([405, "POST, GET"]);
    expect((await exchange(get("/merchants/%64efault"))).problem).toMatchObject({ merchantId: "default" });
  });

  it("refuses two credentials of different tenants", async () => {
    const other = await service.issue({ tenant: "Other" });
    const basic = Buffer.from(`${other.apiKey}:${other.apiSecret}`).toString("base64");
    const asked = get("/voice/provisioning/freeswitch/directory/dana", `Authorization: Basic ${basic}`);
    expectProblem(await exchange(asked), 403, "tenant_mismatch");
  });

  it("passes over an expectation that it does not know", async () => {
    const reply = await exchange(get("/merchants", "Expect: miracles"));
    expect([reply.status, reply.headers.get("x-request-id")]).toEqual([200, expect.stringMatching(/^req_/)]);
  });

  it("does not take a client that goes away for a fault of its own", async () => {
    const { port } = service.app.server.address() as AddressInfo;
    const logged = vi.spyOn(service.app.log, "error");
    const replied = new Promise((resolve) =>
      service.app.server.once("request", (_request, reply) => reply.once("close", resolve)),
    );
    const socket = connect(port, "127.0.0.1");
    socket.write(`${post("Content-Length: 100").join("\r\n")}\r\n\r\n{`, () =>
      setImmediate(() => socket.resetAndDestroy()),
    );
    await replied;
    expect(logged).not.toHaveBeenCalled();
  });
});
