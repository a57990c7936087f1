import type { InjectOptions } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeholderPages } from "../testing/dashboard-service.ts";
import { type InMemoryService, openInMemoryService } from "../testing/in-memory-service.ts";

let service: InMemoryService;
beforeEach(async () => {
  service = await openInMemoryService({ isDevelopment: true, dashboardFiles: placeholderPages() });
  await service.call("POST", "/api/v1/merchants", {
    body: { merchantId: "m1", displayName: "First", smsLimit: 100, emailLimit: 100 },
  });
});
afterEach(() => service.close());

function ask(method: "GET" | "POST", url: string, { headers, body }: { headers?: object; body?: object } = {}) {
  const options: InjectOptions = { method, url, headers: { host: "127.0.0.1:4800", ...headers } };
  if (body !== undefined) options.payload = body;
  return service.app.inject(options);
}

const send = (body: object = {}) =>
  service.call("POST", "/api/v1/messages/sms", {
    body: { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP", ...body },
  });

it("the dashboard lists test recipients with the outcome of a message to each", async () => {
  const reply = await ask("GET", "/dashboard/api/test-recipients");
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toContainEqual({
    to: "+12025550111",
    channel: "SMS",
    status: "UNDELIVERED",
    reason: "BLOCKED",
    reply: null,
    isSlow: false,
  });
});

it("the dashboard counts the outcomes of messages per hour", async () => {
  await service.start();
  for (const to of ["+12025550100", "+12025550111"]) await send({ to });
  await service.clock.advanceBy(60 * 60_000);
  await send();
  // messages are counted when their outcome is final
  await service.clock.advanceBy(3_000);
  const count = async (query = "") => (await ask("GET", `/dashboard/api/activity${query}`)).json();
  // repeat the request: building the index may take longer than the time limit of a search
  await expect.poll(async () => (await count()).isComplete).toBe(true);
  const { hours, countedUntil } = await count();
  expect(hours).toMatchObject([
    { delivered: 1, failed: 1, underWay: 0, unknown: 0 },
    { delivered: 1, underWay: 0 },
  ]);
  expect(Date.parse(hours[1].at) - Date.parse(hours[0].at)).toBe(3_600_000);
  expect(countedUntil).toEqual(expect.any(String));
  expect((await count("?hours=1")).hours).toHaveLength(1);
  expect((await count("?merchantId=m2")).hours).toEqual([]);
  expect((await count("?channel=EMAIL")).hours).toEqual([]);
  expect(await count("?hours=793")).toMatchObject({ code: "validation_error" });
});

describe("a session in development", () => {
  it("acts as the demo tenant, without a credential", async () => {
    const reply = await ask("GET", "/dashboard/api/session");
    expect(reply.json()).toMatchObject({
      email: null,
      role: "admin",
      merchantId: null,
      tenant: { tenantId: String(service.credential.tenantId), timezone: "UTC", mode: "test" },
      isDevelopment: true,
    });
  });

  it("acts as another tenant if a header names it", async () => {
    const other = await service.issue({ tenant: "Other" });
    const headers = { "x-dashboard-tenant": String(other.tenantId) };
    const reply = (await ask("GET", "/dashboard/api/session", { headers })).json();
    expect(reply.tenant).toMatchObject({ tenantId: String(other.tenantId), name: "Other" });
    expect(reply.tenants).toHaveLength(2);
  });

  it.each(["0", "99", "-1", "1e400", "one", ""])("is refused for the tenant %j", async (tenantId) => {
    const reply = await ask("GET", "/dashboard/api/session", { headers: { "x-dashboard-tenant": tenantId } });
    expect([reply.statusCode, reply.json().code]).toEqual([401, "credentials_invalid"]);
  });

  it("calls the contract's operations, with the contract's checks", async () => {
    const body = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };
    const sent = await ask("POST", "/dashboard/api/v1/messages/sms", { body });
    expect(sent.json()).toMatchObject({ merchantId: "m1", channel: "SMS", status: "QUEUED" });
    const refused = await ask("POST", "/dashboard/api/v1/messages/sms", { body: { ...body, to: "me" } });
    expect(refused.json()).toMatchObject({ status: 400, code: "invalid_phone_number" });
    expect((await ask("GET", "/api/v1/merchants")).statusCode).toBe(401);
  });
});

it("a search says how it interpreted a number, or asks for its country", async () => {
  const search = (q: string) => ask("GET", `/dashboard/api/messages?q=${encodeURIComponent(q)}`);
  const readAs = [{ written: "+1 (202) 555-0100", number: "+12025550100" }];
  expect((await search("channel:sms +1 (202) 555-0100")).json()).toMatchObject({ readAs });
  expect((await search("+12025550100")).json()).toMatchObject({ readAs: [] });
  expect((await search("202-555-0100")).json()).toMatchObject({
    errors: [{ detail: expect.stringContaining("Characters 1 to 12: did you mean +12025550100?") }],
  });
});

describe("a message", () => {
  it("is shown with all of its fields", async () => {
    const { messageId } = (await send()).json();
    const reply = await ask("GET", `/dashboard/api/messages/${messageId}`);
    expect(reply.json()).toEqual({
      ...{ messageId, channel: "SMS", type: "OTP", purpose: "SEND", status: "QUEUED", reason: null },
      ...{ merchantId: "m1", to: "+12025550100", subject: null, content: "Hello", units: 1, creditUnits: 0 },
      ...{ project: null, carrierWords: null, carrierSaidAt: null, carrierDown: null, hold: null },
      ...{ attempts: 0, provider: null, providerMessageId: null, providerCostMicros: null, markupMicros: null },
      ...{ createdAt: expect.any(String), takenAt: null, updatedAt: expect.any(String) },
      ...{ charge: "RESERVED", period: "2026-01-01", consent: null, decisions: [] },
    });
  });

  it("is shown with its history, and with the consent decision that preceded it", async () => {
    await service.start();
    const decide = (status: string) =>
      service.call("POST", "/api/v1/consents", {
        body: { merchantId: "m1", channel: "SMS", contact: "+12025550100", status, source: "form" },
      });
    await decide("OPT_IN");
    await service.clock.advanceBy(1_000);
    const { messageId } = (await send()).json();
    await service.clock.advanceBy(60_000);
    await decide("OPT_OUT");
    const message = (await ask("GET", `/dashboard/api/messages/${messageId}`)).json();
    expect(message).toMatchObject({
      ...{ status: "DELIVERED", charge: "SETTLED", takenAt: expect.any(String) },
      consent: { status: "OPT_IN", source: "form" },
      decisions: [{ merchantId: "m1", channel: "SMS", status: "OPT_OUT", source: "form" }],
    });
    expect([message.createdAt, message.takenAt, message.updatedAt].toSorted()).toEqual([
      ...[message.createdAt, message.takenAt, message.updatedAt],
    ]);
  });

  it("is shown before its call is dialled", async () => {
    const body = { merchantId: "m1", to: "+12025550100", text: "Hello", type: "OTP" };
    const limits = { merchantId: "m1", displayName: "First", voiceMinutesLimit: 100 };
    await service.call("POST", "/api/v1/merchants", { body: limits });
    const { messageId } = (await service.call("POST", "/api/v1/messages/voice", { body })).json();
    expect((await ask("GET", `/dashboard/api/messages/${messageId}`)).json()).toMatchObject({
      ...{ messageId, channel: "VOICE", status: "QUEUED", content: "Hello" },
    });
  });
});

it.each([
  ["+1 (202) 555-0100", 200, "+12025550100"],
  ["0044 7911 123456", 200, "+447911123456"],
  ["Ann@Example.com", 200, "ann@example.com"],
  // a tenant in UTC has no country
  ["(202) 555-0100", 400, "Did you mean +12025550100?"],
  ["nobody", 400, "Expected a phone number"],
])("a recipient is found by %s: %i %s", async (text, status, found) => {
  const reply = await ask("GET", `/dashboard/api/recipients/${encodeURIComponent(text)}`);
  expect(reply.statusCode).toBe(status);
  expect(reply.body).toContain(found);
});

describe("messages to a recipient", () => {
  interface Page {
    readonly messages: readonly Record<string, unknown>[];
    readonly next: string | null;
    readonly isComplete: boolean;
  }
  async function readAll(contact: string, headers: object = {}, most = 5): Promise<Record<string, unknown>[]> {
    const path = `/dashboard/api/recipients/${encodeURIComponent(contact)}/messages`;
    const messages: Record<string, unknown>[] = [];
    let next: string | null = "";
    while (next !== null) {
      const reply = await ask("GET", next === "" ? path : `${path}?cursor=${next}`, { headers });
      expect(reply.statusCode, reply.body).toBe(200);
      const page: Page = reply.json();
      expect(page.messages.length).toBeLessThanOrEqual(most);
      // repeat the request: building the index may take longer than the time limit of a search
      if (!page.isComplete) return readAll(contact, headers, most);
      messages.push(...page.messages);
      next = page.next;
    }
    return messages;
  }

  it("are listed in full, page by page, without other recipients' messages", async () => {
    const long = "x".repeat(1_000);
    await send({ message: long });
    for (let count = 0; count < 41; count += 1) await send({ message: `Number ${count}` });
    await send({ to: "+120255501001", message: "To a number that begins so" });
    await service.call("POST", "/api/v1/messages/email", {
      body: { merchantId: "m1", to: "ann@example.com", subject: "Hello", body: "<p>Hi</p>", type: "OTP" },
    });
    const told = await readAll("+12025550100");
    expect(told.map(({ content }) => content)).toEqual([
      ...Array.from({ length: 41 }, (_none, index) => `Number ${40 - index}`),
      long,
    ]);
    expect(await readAll("ann@example.com")).toMatchObject([
      { subject: "Hello", content: "<p>Hi</p>", channel: "EMAIL" },
    ]);
    const other = await service.issue({ tenant: "Other" });
    expect(await readAll("+12025550100", { "x-dashboard-tenant": String(other.tenantId) })).toEqual([]);
  });

  it("are listed one per page if they are long, without repetitions", async () => {
    const body = `<p>${"x".repeat(200_000)}`;
    const mail = { merchantId: "m1", to: "ann@example.com", body, type: "OTP" };
    for (let count = 0; count < 3; count += 1) {
      await service.call("POST", "/api/v1/messages/email", { body: { ...mail, subject: `Number ${count}` } });
    }
    const told = await readAll("ann@example.com", {}, 1);
    expect(told.map(({ subject }) => subject)).toEqual(["Number 2", "Number 1", "Number 0"]);
  });

  it.each(["recipients/12/messages", "recipients/%2B12025550100/messages?cursor=what"])(
    "are not listed for the invalid path %s",
    async (path) => {
      const reply = await ask("GET", `/dashboard/api/${path}`);
      expect([reply.statusCode, reply.json().code]).toEqual([400, "validation_error"]);
    },
  );
});

describe("requests", () => {
  const list = async (query = "") => (await ask("GET", `/dashboard/api/requests${query}`)).json();

  it("are listed with their faults, the newest first", async () => {
    await send({ to: "me" });
    await service.app.inject({ method: "GET", url: "/api/v1/merchants?limit=1" });
    const [unknown, refused, merchant] = await list();
    expect(unknown).toMatchObject({ operationId: "listMerchants", status: 401, code: "credentials_missing" });
    expect(unknown.path).toBe("/api/v1/merchants");
    expect(refused).toMatchObject({
      ...{ operationId: "sendSms", method: "POST", status: 400, code: "invalid_phone_number" },
      faults: [{ pointer: "/to", code: "invalid_phone_number", detail: expect.stringContaining("me") }],
    });
    expect(merchant).toMatchObject({
      operationId: "upsertMerchant",
      status: 200,
      code: null,
      detail: null,
      faults: [],
    });
    expect(await list("?outcome=failed")).toHaveLength(2);
  });

  it("include requests for unknown paths, and exclude those of the dashboard", async () => {
    await service.app.inject({ method: "GET", url: "/api/v2/merchants" });
    await ask("GET", "/dashboard/api/v1/merchants");
    const [first, second] = await list();
    expect(first).toMatchObject({ operationId: null, path: "/api/v2/merchants", code: "route_not_found" });
    expect(second.operationId).toBe("upsertMerchant");
  });

  it("are the tenant's last thousand within the last hour", async () => {
    for (let count = 0; count < 1_001; count += 1) await send({ to: "me" });
    const requests = await list();
    expect(requests).toHaveLength(1_000);
    expect(new Set(requests.map(({ operationId }: { operationId: string }) => operationId))).toEqual(
      new Set(["sendSms"]),
    );
    const other = await service.issue({ tenant: "Other" });
    const headers = { "x-dashboard-tenant": String(other.tenantId) };
    expect((await ask("GET", "/dashboard/api/requests", { headers })).json()).toEqual([]);
    await service.clock.advanceBy(60 * 60_000);
    expect(await list()).toEqual([]);
  });
});

describe("the pages", () => {
  it.each(["/dashboard", "/dashboard/messages", "/dashboard/messages/msg_1"])(
    "are one document, served at %s",
    async (path) => {
      const reply = await ask("GET", path);
      expect(reply.headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
        "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      });
    },
  );

  it("load files that may be cached", async () => {
    const reply = await ask("GET", "/dashboard/files/main-ABC.js");
    expect(reply.headers).toMatchObject({ "cache-control": "public, max-age=31536000, immutable" });
  });

  it.each(["/dashboard/files/other.js", "/dashboard/files/..%2f..%2fpackage.json", "/dashboard/api/nothing"])(
    "do not exist at %s",
    async (path) => {
      expect((await ask("GET", path)).json()).toMatchObject({ status: 404, code: "route_not_found" });
    },
  );

  it("open when a browser requests /, which redirects to /dashboard", async () => {
    const { body } = await ask("GET", "/");
    expect(body).toContain("\nDashboard: /dashboard\n");
    expect(body).not.toMatch(/docs|openapi/);
    const reply = await ask("GET", "/", { headers: { accept: "text/html" } });
    expect([reply.statusCode, reply.headers.location]).toEqual([303, "/dashboard"]);
  });
});
