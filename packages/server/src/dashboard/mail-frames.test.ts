import { afterEach, beforeEach, expect, it } from "vitest";
import { placeholderPages } from "../testing/dashboard-service.ts";
import { type InMemoryService, openInMemoryService } from "../testing/in-memory-service.ts";

const HOSTILE = `<!doctype html><script>alert(1)</script><img src="https://elsewhere.example/a.png"><p>Thank you</p>`;

let service: InMemoryService;
let messageId: string;
beforeEach(async () => {
  service = await openInMemoryService({ isDevelopment: true, dashboardFiles: placeholderPages() });
  const limits = { smsLimit: 100, emailLimit: 100 };
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "First", ...limits } });
  const body = { merchantId: "m1", to: "ada@example.com", subject: "Receipt", body: HOSTILE, type: "TRANSACTIONAL" };
  messageId = (await service.call("POST", "/api/v1/messages/email", { body })).json().messageId;
});
afterEach(() => service.close());

const get = (url: string, headers: object = {}) =>
  service.app.inject({ method: "GET", url, headers: { host: "127.0.0.1:4800", ...headers } });
const frame = async (query = "", headers: object = {}) =>
  (await get(`/dashboard/api/messages/${messageId}/frame${query}`, headers)).json();

it("a mail frame shows the mail as it was sent, in a sandbox without scripts or connections", async () => {
  const reply = await get((await frame()).path);
  expect(reply.payload).toBe(HOSTILE);
  expect(reply.headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  const rules = String(reply.headers["content-security-policy"]).split("; ");
  expect(rules).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "sandbox",
      "img-src data:",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ]),
  );
  expect(rules.join()).not.toContain("script-src");
  const open = await get((await frame("?pictures=all")).path);
  expect(open.headers["content-security-policy"]).toContain("img-src data: https: http:;");
});

it.each([
  ['<iframe src="https://a.example"></iframe>', '<x-iframe src="https://a.example"></x-iframe>'],
  ["<LINK rel=preconnect href=https://a.example>", "<x-LINK rel=preconnect href=https://a.example>"],
  ["<object\ndata=a></object\n>", "<x-object\ndata=a></x-object\n>"],
  [
    "<meta/http-equiv=refresh><base href=a><embed src=a><frameset><frame>",
    "<x-meta/http-equiv=refresh><x-base href=a><x-embed src=a><x-frameset><x-frame>",
  ],
  ["<linked> <i-frame> < link > <metal>", "<linked> <i-frame> < link > <metal>"],
])("a mail frame has no element that opens a connection in advance: %j", async (body, shown) => {
  const mail = {
    merchantId: "m1",
    to: "ada@example.com",
    subject: "Receipt",
    body: `<p>${body}`,
    type: "TRANSACTIONAL",
  };
  messageId = (await service.call("POST", "/api/v1/messages/email", { body: mail })).json().messageId;
  const reply = await get((await frame()).path);
  expect(reply.payload).toBe(`<p>${shown}`);
  expect(reply.headers["x-dns-prefetch-control"]).toBe("off");
});

it("the URL of a mail frame is valid for a minute, and only for that mail", async () => {
  const { path, expiresAt } = await frame();
  expect(Date.parse(expiresAt) - service.clock.now()).toBe(60_000);
  const token = path.split("/").at(-1) ?? "";
  for (const wrong of [`${token}x`, token.slice(0, -2), "a.b.c", ""]) {
    expect((await get(`/dashboard/mail/${wrong}`)).payload).not.toContain("Thank you");
  }
  await service.clock.advanceBy(61_000);
  const late = await get(path);
  expect(late.statusCode).toBe(404);
  expect(late.payload).toContain("expired");
});

it("a mail frame shows only emails of the tenant", async () => {
  const other = await service.issue({ tenant: "Other" });
  const headers = { "x-dashboard-tenant": String(other.tenantId) };
  expect(await frame("", headers)).toMatchObject({ code: "message_not_found" });
  const body = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };
  messageId = (await service.call("POST", "/api/v1/messages/sms", { body })).json().messageId;
  expect(await frame()).toMatchObject({ code: "message_not_found" });
});
