// What only a client that is careless or hostile sends: bytes that no HTTP library would put on the wire.

import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Credential, MsgdFolder, type MsgdProcess } from "./msgd-process.ts";

const folder = new MsgdFolder();
let credential: Credential;
let server: MsgdProcess;

beforeAll(async () => {
  credential = folder.createTenant();
  server = await folder.serve();
});
afterAll(() => folder.remove());

/** Sends the head and body as they are, and gives the status and the problem of the first reply. */
async function exchange(
  requestLine: string,
  headers: string[],
  body: string | Buffer = "",
): Promise<{ status: number; code: string }> {
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  const credentials = [`X-API-KEY: ${credential.apiKey}`, `X-API-SECRET: ${credential.apiSecret}`];
  socket.write([requestLine, "Host: msgd", ...credentials, ...headers, "", ""].join("\r\n"));
  socket.write(body);
  let reply = "";
  for await (const chunk of socket) {
    reply += chunk;
    const [head = "", content] = reply.split("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (content === undefined || content.length < length) continue;
    socket.destroy();
    const { code } = JSON.parse(content);
    return { status: Number(head.slice(9, 12)), code };
  }
  throw new Error(`the connection ended after ${JSON.stringify(reply)}`);
}

describe("paths that climb", () => {
  it.each([
    ["/api/v1/merchants/..", 400, "validation_error"],
    ["/api/v1/merchants/%2e%2e", 400, "validation_error"],
    ["/api/v1/merchants/..%2f..%2fetc", 400, "validation_error"],
    ["/api/v1/merchants/../alerts", 404, "route_not_found"],
    ["/../../etc/passwd", 404, "route_not_found"],
    ["/api/v1/merchants/%00", 400, "validation_error"],
  ])("%s is answered %i %s", async (path, status, code) => {
    expect(await exchange(`GET ${path} HTTP/1.1`, [])).toEqual({ status, code });
  });
});

describe("bodies", () => {
  const post = "POST /api/v1/messages/sms HTTP/1.1";
  const json = "Content-Type: application/json";

  it("refuses 3 MiB that are announced, and 3 MiB that are not", async () => {
    const large = "x".repeat(3 << 20);
    expect(await exchange(post, [json, `Content-Length: ${large.length}`], large)).toEqual({
      status: 413,
      code: "payload_too_large",
    });
    const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    expect(await exchange(post, [json, "Transfer-Encoding: chunked"], chunked)).toEqual({
      status: 413,
      code: "payload_too_large",
    });
  });

  it("refuses a body without a media type", async () => {
    expect(await exchange(post, ["Content-Length: 2"], "{}")).toEqual({ status: 415, code: "unsupported_media_type" });
  });

  it("refuses what is no HTTP without falling over", async () => {
    expect((await exchange("NONSENSE", [])).status).toBe(400);
    expect((await exchange("GET /api/v1/merchants HTTP/1.1", ["X-Bad\u0000: 1"])).status).toBe(400);
    const alive = await fetch(`${server.baseUrl}/api/v1/merchants`);
    expect(alive.status).toBe(401);
  });
});

describe("secrets", () => {
  it("writes none of them anywhere", async () => {
    await exchange("GET /api/v1/merchants?secret=canary HTTP/1.1", []);
    expect(server.written).not.toContain(credential.apiSecret);
    expect(server.written).not.toContain("canary");
  });
});
