// Sends requests that no HTTP library creates over a socket to a listening server.

import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { RawClient, type RawReply, toBytes } from "../../testing/raw-client.ts";

let service: InMemoryService;
beforeAll(async () => {
  service = await openInMemoryService();
  await service.app.listen({ host: "127.0.0.1", port: 0 });
  await service.start();
});
afterAll(() => service.close());

/** Sends the lines as a request's head, and reads the reply. */
async function exchange(lines: string[], body = ""): Promise<RawReply> {
  const { port } = service.app.server.address() as AddressInfo;
  const client = await RawClient.open(port);
  const [reply] = await client.send(toBytes(lines, body)).read(1, lines[0]?.startsWith("HEAD"));
  client.socket.destroy();
  if (reply === undefined) throw new Error("the connection ended without a reply");
  return reply;
}

const request = (line: string, ...headers: string[]) => {
  const { apiKey, apiSecret } = service.credential;
  return [line, "Host: localhost", `X-API-KEY: ${apiKey}`, `X-API-SECRET: ${apiSecret}`, ...headers];
};
const get = (path: string, ...headers: string[]) => request(`GET /api/v1${path} HTTP/1.1`, ...headers);
const post = (...headers: string[]) =>
  request("POST /api/v1/merchants HTTP/1.1", "Content-Type: application/json", ...headers);

function expectProblem(reply: RawReply, status: number, code: string): void {
  expect(reply.status).toBe(status);
  expect(reply.headers.get("content-type")).toBe("application/problem+json");
  const requestId = reply.headers.get("x-request-id");
  expect(requestId).toMatch(/^req_/);
  expect(reply.problem).toMatchObject({ status, code, requestId, detail: expect.any(String) });
  expect(reply.problem).toMatchObject({ instance: expect.stringMatching(/^[/*]/), title: expect.any(String) });
  expect(reply.problem.type).toBe(PROBLEM_PAGES + code);
  expect(reply.headers.has("allow")).toBe(status === 405);
}

describe("an invalid request", () => {
  it.each<[string, number, string, () => [string[], string?]]>([
    ["text that is not HTTP", 400, "malformed_http", () => [["NONSENSE"]]],
    ["a method that HTTP does not have", 400, "malformed_http", () => [["FETCH / HTTP/1.1", "Host: msgd"]]],
    ["a length that is not a number", 400, "malformed_http", () => [post("Content-Length: ten")]],
    ["two lengths", 400, "malformed_http", () => [post("Content-Length: 2", "Transfer-Encoding: chunked")]],
    ["a broken chunk", 400, "malformed_http", () => [post("Transfer-Encoding: chunked"), "zz\r\n"]],
    ["two equal lengths", 400, "malformed_http", () => [post("Content-Length: 2", "Content-Length: 2"), "{}"]],
    [
      "two encodings",
      400,
      "malformed_http",
      () => [post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"), "0\r\n\r\n"],
    ],
    ["no Host", 400, "malformed_http", () => [["GET /api/v1/merchants HTTP/1.1"]]],
    ["a tunnel", 405, "method_not_allowed", () => [["CONNECT msgd:443 HTTP/1.1", "Host: msgd:443"]]],
    ["an HTTP/2 preface", 400, "malformed_http", () => [["PRI * HTTP/2.0"], "SM\r\n\r\n"]],
    ["20 KB of headers", 431, "headers_too_large", () => [request("GET / HTTP/1.1", `X: ${"x".repeat(20_000)}`)]],
  ])("(%s) is answered %i %s, as a problem with a request id", async (_case, status, code, sent) => {
    expectProblem(await exchange(...sent()), status, code);
  });
});

describe("the server", () => {
  it.each<[string, number, string, () => [string[], string?]]>([
    ["an id of 2 000 characters", 400, "validation_error", () => [get(`/merchants/${"a".repeat(2_000)}`)]],
    ["an empty id", 404, "route_not_found", () => [get("/merchants/")]],
    [
      "an empty id without a credential",
      404,
      "route_not_found",
      () => [["GET /api/v1/merchants/ HTTP/1.1", "Host: msgd"]],
    ],
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
  ])("answers an unusual request (%s) with %i %s", async (_case, status, code, sent) => {
    expectProblem(await exchange(...sent()), status, code);
  });

  it.each([
    ["/api/v1/merchants", 200],
    ["/api/v1/merchants/default", 200],
    ["/api/v1/merchants/nobody", 404],
    ["/api/v1/merchants?unheardOf=1", 400],
    ["/healthz", 200],
    ["/readyz", 200],
    ["/metrics", 200],
    ["/nowhere", 404],
  ])("answers HEAD of %s like GET, without the body", async (path, status) => {
    const [asked, got] = [
      await exchange(request(`HEAD ${path} HTTP/1.1`)),
      await exchange(request(`GET ${path} HTTP/1.1`)),
    ];
    const varying = ["x-request-id", "date"];
    const headersOf = ({ headers }: RawReply) => [...headers].filter(([name]) => !varying.includes(name));
    expect([asked.status, got.status, asked.body]).toEqual([status, status, ""]);
    if (path !== "/metrics") expect(headersOf(asked)).toEqual(headersOf(got));
  });

  it("answers HEAD of a write-only path with the methods that it allows", async () => {
    const reply = await exchange(request("HEAD /api/v1/messages/sms HTTP/1.1"));
    expect([reply.status, reply.headers.get("allow"), reply.body]).toEqual([405, "POST", ""]);
  });

  it("answers OPTIONS * with the methods of the whole server", async () => {
    const reply = await exchange(request("OPTIONS * HTTP/1.1"));
    expectProblem(reply, 405, "method_not_allowed");
    expect(reply.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it.each(["OPTIONS", "TRACE", "PUT"])("refuses %s, and names the methods that the path allows", async (method) => {
    const reply = await exchange(request(`${method} /api/v1/merchants HTTP/1.1`));
    expectProblem(reply, 405, "method_not_allowed");
    expect(reply.headers.get("allow")).toBe("POST, GET, HEAD");
  });

  it("continues in HTTP/1.1 if a client offers HTTP/2", async () => {
    const offer = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"];
    expect((await exchange(get("/merchants", ...offer))).status).toBe(200);
  });

  it.each([
    ["http://msgd/api/v1/nowhere", 404],
    ["HTTP://msgd:4800/api/v1/nowhere?a=http://other/api/v1/merchants", 404],
    ["http://msgd?a=/api/v1/merchants", 404],
    ["/api/v1/merchants?unheardOf=1#fragment", 400],
    ["/api/v1/merchants#fragment", 200],
    ["http://msgd/api/v1/merchants#fragment", 200],
    ["http://user@msgd/api/v1/merchants", 400],
    ["http:///api/v1/merchants", 400],
    ["ftp://msgd/api/v1/merchants", 400],
  ])("reads the target %s by RFC 9112, and shows only its path", async (target, status) => {
    const reply = await exchange(request(`GET ${target} HTTP/1.1`));
    expect(reply.status).toBe(status);
    if (status !== 200) expect(reply.problem.instance).toMatch(/^\/(?:api\/v1\/(?:nowhere|merchants))?$/);
  });

  it.each([
    ["%zz", "The path has a % that is not followed by two hexadecimal digits."],
    ["%", "The path has a % that is not followed by two hexadecimal digits."],
    ["%ff", "The percent-encoded bytes in the path are not UTF-8."],
    ["%C3%28", "The percent-encoded bytes in the path are not UTF-8."],
  ])("reports what is wrong with the escape in /merchants/%s", async (id, detail) => {
    const reply = await exchange(get(`/merchants/${id}`));
    expectProblem(reply, 404, "route_not_found");
    expect(reply.problem.detail).toBe(detail);
  });

  it("reads an absolute URL, and an id with escapes", async () => {
    expect((await exchange(request("GET http://msgd/api/v1/merchants HTTP/1.1"))).status).toBe(200);
    const absolute = await exchange(request("DELETE http://msgd/api/v1/merchants HTTP/1.1"));
    expect([absolute.status, absolute.headers.get("allow")]).toEqual([405, "POST, GET, HEAD"]);
    expect((await exchange(get("/merchants/%64efault"))).problem).toMatchObject({ merchantId: "default" });
  });

  it("refuses two credentials of different tenants", async () => {
    const other = await service.issue({ tenant: "Other" });
    const basic = Buffer.from(`${other.apiKey}:${other.apiSecret}`).toString("base64");
    const asked = get("/voice/provisioning/freeswitch/directory/dana", `Authorization: Basic ${basic}`);
    expectProblem(await exchange(asked), 403, "tenant_mismatch");
  });

  it("ignores an unknown expectation", async () => {
    const reply = await exchange(get("/merchants", "Expect: miracles"));
    expect([reply.status, reply.headers.get("x-request-id")]).toEqual([200, expect.stringMatching(/^req_/)]);
  });

  it("does not log the disconnect of a client as an error of the server", async () => {
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

describe("headers", () => {
  const many = (count: number) => Array.from({ length: count }, () => "a: b");

  it("are all read, however many there are", async () => {
    const { apiKey, apiSecret } = service.credential;
    const key = `late-${apiKey.length}`;
    const body = JSON.stringify({ merchantId: "late", displayName: "Late" });
    const late = [
      ...["POST /api/v1/merchants HTTP/1.1", "Host: msgd", ...many(3_000), `X-API-KEY: ${apiKey}`],
      ...[`X-API-SECRET: ${apiSecret}`, "Content-Type: application/json", `Content-Length: ${body.length}`],
      `Idempotency-Key: ${key}`,
    ];
    const [first, second] = [await exchange(late, body), await exchange(late, body)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  it("share a limit of 16 KiB with the path", async () => {
    const bare = ["/", "Host", "msgd", "X"].join("").length;
    const sized = (bytes: number) => ["GET / HTTP/1.1", "Host: msgd", `X: ${"x".repeat(bytes - bare)}`];
    expectProblem(await exchange(sized(16_383)), 404, "route_not_found");
    expectProblem(await exchange(sized(16_384)), 431, "headers_too_large");
    expectProblem(await exchange(["GET / HTTP/1.1", "Host: msgd", ...many(9_000)]), 431, "headers_too_large");
  });

  it.each<[string, () => string[]]>([
    ["Host", () => get("/merchants", "Host: msgd")],
    ["Host", () => get("/merchants", "Host: other")],
    ["X-API-KEY", () => get("/merchants", "X-API-KEY: mkt_live_other")],
    ["X-API-SECRET", () => get("/merchants", "X-API-SECRET: other")],
    ["Authorization", () => get("/merchants", "Authorization: Basic YTpi", "Authorization: Basic Yzpk")],
    ["content-type", () => post("content-type: text/plain", "Content-Length: 0")],
    ["Idempotency-Key", () => post("Idempotency-Key: a", "Idempotency-Key: b", "Content-Length: 0")],
    ["Idempotency-Key", () => post("Idempotency-Key: a", "Idempotency-Key: a", "Content-Length: 0")],
  ])("are refused if %s is repeated", async (name, lines) => {
    const reply = await exchange(lines());
    expectProblem(reply, 400, "malformed_http");
    expect(reply.problem.detail).toBe(`The header ${name} is repeated. Send it only once.`);
  });

  it("may be repeated if they are lists or are ignored", async () => {
    const reply = await exchange(get("/merchants", "Accept: text/html", "Accept: */*", "X-Trace: 1", "X-Trace: 2"));
    expect(reply.status).toBe(200);
  });

  it.each(["", "a b", "user@msgd", "msgd/x", "msgd:port", "msgd:4800:1", "[::1", "http://msgd"])(
    "are refused with the Host %j",
    async (host) => {
      const { apiKey, apiSecret } = service.credential;
      const lines = [`Host: ${host}`, `X-API-KEY: ${apiKey}`, `X-API-SECRET: ${apiSecret}`];
      expectProblem(await exchange(["GET /api/v1/merchants HTTP/1.1", ...lines]), 400, "malformed_http");
    },
  );

  it.each(["msgd", "MSGD.example.:80", "127.0.0.1:4800", "[::1]:4800", "my_host:", "xn--bcher-kva.example"])(
    "are accepted with the Host %s",
    async (host) => {
      expect((await exchange(["GET /healthz HTTP/1.1", `Host: ${host}`])).status).toBe(200);
    },
  );

  it("may omit Host in HTTP/1.0", async () => {
    expect((await exchange(["GET /healthz HTTP/1.0"])).status).toBe(200);
  });

  it.each(["Idempotency-Key: a", "x-api-key: mkt_live_other", "Content-Type: text/plain"])(
    "that the server uses are refused as trailers, such as %s",
    async (trailer) => {
      const body = JSON.stringify({ merchantId: "trailed", displayName: "T" });
      const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailer}\r\n\r\n`;
      expectProblem(await exchange(post("Transfer-Encoding: chunked"), chunked), 400, "malformed_http");
      expectProblem(await exchange(get("/merchants/trailed")), 404, "merchant_not_found");
    },
  );

  it("that the server uses are also refused as trailers of a long body", async () => {
    const body = `${JSON.stringify({ merchantId: "trailed", displayName: "T" })}${" ".repeat(20_000)}`;
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\nIdempotency-Key: a\r\n\r\n`;
    expectProblem(await exchange(post("Transfer-Encoding: chunked"), chunked), 400, "malformed_http");
    expectProblem(await exchange(get("/merchants/trailed")), 404, "merchant_not_found");
  });

  it("that the server ignores may be trailers", async () => {
    const body = JSON.stringify({ merchantId: "summed", displayName: "S" });
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\nX-Checksum: 1\r\n\r\n`;
    expect((await exchange(post("Transfer-Encoding: chunked"), chunked)).status).toBe(200);
  });
});
