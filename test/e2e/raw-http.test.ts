// Requests of careless or hostile clients: bytes that no HTTP library would send.

import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Credential, MsgdFolder, type SharedServer } from "./msgd-process.ts";

const folder = new MsgdFolder();
let credential: Credential;
let server: SharedServer;

beforeAll(async () => {
  server = await folder.shareDemo();
  credential = folder.createTenant();
});
afterAll(() => folder.remove());

/** Sends the head and body unchanged. Returns the status and problem document of the first reply. */
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

describe("paths with dots", () => {
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

describe("secrets", () => {
  it("are never logged, even at the most verbose log level", async () => {
    const chatty = new MsgdFolder();
    try {
      const { apiKey, apiSecret } = chatty.createTenant();
      const talkative = await chatty.serve("--log-level", "trace");
      const call = (path: string, headers: Record<string, string>, body?: string) =>
        fetch(`${talkative.baseUrl}/api/v1/${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret, ...headers },
          ...(body === undefined ? {} : { body }),
        });
      const wrongSecret = apiSecret.replace(/^mks_..../, "mks_Wr0n");
      const sms = (to: string, message: string) =>
        JSON.stringify({ merchantId: "m1", to, message, type: "TRANSACTIONAL" });
      const key = { "idempotency-key": "canary-of-the-key" };
      const replies = [
        await call("merchants", { "x-api-secret": wrongSecret }),
        await call("merchants", { "x-api-key": "", authorization: "Bearer canary-of-a-token" }),
        await call("merchants?secret=canary-of-the-query", { cookie: "canary-of-a-cookie" }),
        await call("merchants", {}, `{"merchantId":"m1","displayName":"m1","smsLimit":9}`),
        await call("messages/sms", {}, `{"password":"canary-of-a-body`),
        await call("messages/sms", key, sms("+12025550100", "canary-of-a-message")),
        await call("messages/sms", key, sms("+12025550100", "another canary-of-a-message")),
        await call("messages/sms", { "idempotency-key": "canary-of-the-key".repeat(20) }, sms("+12025550100", "x")),
        await call("messages/sms", {}, sms("+12025550120", "canary-of-a-message")),
        await call("messages/sms", {}, sms("+12025550103", "canary-of-a-message")),
      ];
      expect(replies.map(({ status }) => status)).toEqual([401, 401, 400, 200, 400, 200, 422, 400, 200, 200]);
      const told = (await Promise.all(replies.map((reply) => reply.text()))).join("\n");
      for (const secret of [apiSecret, wrongSecret, "of-a-token", "of-a-cookie", "of-a-body", "of-the-query"]) {
        expect(told).not.toContain(secret);
      }
      // provider failures and missing answers are logged, so there is a log to search
      await vi.waitFor(() => expect(talkative.written).toMatch(/failed to accept a message[\s\S]*in doubt/), 60_000);
      expect(await talkative.end("SIGTERM")).toBe(0);
      expect(talkative.written).not.toContain("canary");
      expect(talkative.written).not.toContain(apiSecret.slice(4, 20));
      expect(talkative.written).not.toContain(wrongSecret);
      expect(talkative.written).not.toContain(apiKey);
    } finally {
      await chatty.remove();
    }
  });
});
