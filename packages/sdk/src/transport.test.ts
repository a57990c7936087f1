/** The transport against a real server, which shows failures that an injected fetch hides. */
import { expect, it } from "vitest";
import { AbortedError, ConnectionError, MessagingClient, TimeoutError, UsageError } from "./index.ts";
import { API_KEY, API_SECRET, accepted, answered, BASE_URL, loopback } from "./testing/answering.ts";
import { version } from "./version.ts";

const presence = { sipUsername: "u1", registered: true };

function clientOf(baseUrl: string): MessagingClient {
  return new MessagingClient({ apiKey: API_KEY, apiSecret: API_SECRET, baseUrl, maxRetries: 0 });
}

it("sends both credentials, its name, and what it accepts", async () => {
  const { origin, received } = await loopback((_, response) => response.end("[]"));
  await clientOf(origin).merchants.list();
  expect(received[0]?.headers).toMatchObject({
    "x-api-key": API_KEY,
    "x-api-secret": API_SECRET,
    "user-agent": `msgctl-sdk/${version}`,
    accept: "application/json",
  });
});

it("lets no header of the caller replace a credential", async () => {
  const { client, sent } = answered(() => Response.json([]), { headers: { "X-Api-Secret": "other", "X-Trace": "1" } });
  await client.merchants.list({ headers: { "x-api-key": "other", "x-call": "2" } });
  expect(sent[0]?.headers).toMatchObject({
    "x-api-key": API_KEY,
    "x-api-secret": API_SECRET,
    "x-trace": "1",
    "x-call": "2",
  });
});

it("passes the runtime's options to fetch, but lets them replace no part of a request", async () => {
  const dispatcher = {};
  const others = { method: "DELETE", headers: { "x-api-key": "other" }, redirect: "follow", signal: undefined };
  const { client, sent } = answered(() => Response.json([]), { fetchOptions: { dispatcher, ...others } });
  await client.merchants.list();
  expect(sent[0]).toMatchObject({ dispatcher, method: "GET", redirect: "manual", signal: expect.any(AbortSignal) });
  expect(sent[0]?.headers["x-api-key"]).toBe(API_KEY);
});

it("sends a body as JSON", async () => {
  const bodies: string[] = [];
  const { origin, received } = await loopback(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk));
    response.writeHead(204).end();
  });
  expect(await clientOf(origin).provisioning.presence(presence)).toBeUndefined();
  expect(received[0]?.headers["content-type"]).toBe("application/json");
  expect(bodies.map((text) => JSON.parse(text))).toEqual([presence]);
});

it("returns XML as text", async () => {
  const xml = '<document type="freeswitch/xml"/>';
  const { origin, received } = await loopback((_, response) =>
    response.writeHead(200, { "content-type": "application/xml" }).end(xml),
  );
  expect(await clientOf(origin).provisioning.directory("u1")).toBe(xml);
  expect(received[0]?.headers.accept).toBe("application/xml");
});

it.each([301, 302, 303, 307, 308])(
  "follows no redirect (%i), so that no other origin gets the credentials",
  async (status) => {
    const elsewhere = await loopback((_, response) => response.end("[]"));
    const { origin } = await loopback((_, response) =>
      response.writeHead(status, { location: `${elsewhere.origin}/api/v1/merchants` }).end(),
    );
    const outcome = await clientOf(origin).merchants.list().safe();
    expect(outcome).toMatchObject({ ok: false, error: { name: "ApiError", status } });
    expect(!outcome.ok && outcome.error.message).toContain(elsewhere.origin);
    const raw = await clientOf(origin).raw.GET("/api/v1/merchants");
    expect(raw.response.status).toBe(status);
    expect(elsewhere.received).toEqual([]);
  },
);

it("explains the redirect that a browser hides", async () => {
  const hidden = Object.defineProperties(new Response(null), {
    ok: { value: false },
    status: { value: 0 },
    type: { value: "opaqueredirect" },
  });
  const { client } = answered(() => hidden);
  await expect(client.merchants.list()).rejects.toThrow(/redirects, which is not followed/);
});

it.each(["https://elsewhere.test", `${BASE_URL}.elsewhere.test`])("sends %s no credentials", async (baseUrl) => {
  const { client, sent } = answered(() => Response.json([]));
  await expect(client.raw.GET("/api/v1/merchants", { baseUrl })).rejects.toThrow(UsageError);
  expect(sent).toEqual([]);
});

it("refuses a path that would change the host", async () => {
  const { client, sent } = answered(() => Response.json([]));
  for (const path of ["@elsewhere.test/", ".elsewhere.test/", "api/v1/merchants", ":81/"])
    await expect(client.request("GET", path)).rejects.toThrow(UsageError);
  expect(sent).toEqual([]);
});

it("keeps the cause of a failed connection", async () => {
  const { origin } = await loopback((request) => request.socket.destroy());
  const outcome = await clientOf(origin).provisioning.presence(presence, { idempotencyKey: "k1" }).safe();
  expect(outcome).toMatchObject({
    ok: false,
    error: { name: "ConnectionError", cause: expect.any(TypeError), idempotencyKey: "k1", attempts: 1 },
  });
  expect(!outcome.ok && outcome.error.message).toMatch(
    /POST http.*sip-presence got no usable reply: other side closed/,
  );
});

it("reports a refused connection as ECONNREFUSED", async () => {
  const { origin, close } = await loopback(() => {});
  await close();
  await expect(clientOf(origin).merchants.list()).rejects.toThrow(/ECONNREFUSED/);
});

it.each([
  ["HTML", { "content-type": "text/html" }, "<h1>Hello</h1>"],
  ["truncated JSON", { "content-type": "application/json" }, '[{"merchantId":"m1"'],
  ["nothing", { "content-type": "application/json" }, ""],
])("reports that a success with %s could not be read", async (_, headers, text) => {
  const { origin } = await loopback((_, response) => response.writeHead(200, headers).end(text));
  const outcome = await clientOf(origin).merchants.list().safe();
  expect(outcome).toMatchObject({ ok: false, error: { name: "UnexpectedReplyError" }, meta: { status: 200 } });
  expect(!outcome.ok && outcome.error.message).toContain(headers["content-type"]);
});

it("says that a truncated reply could not be read", async () => {
  const { origin } = await loopback((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write("[{");
    setImmediate(() => response.destroy());
  });
  await expect(clientOf(origin).merchants.list()).rejects.toThrow(ConnectionError);
});

it("ends when the caller's signal is aborted", async () => {
  const { origin } = await loopback(() => {});
  const controller = new AbortController();
  const call = clientOf(origin).merchants.list({ signal: controller.signal });
  controller.abort(new Error("changed my mind"));
  await expect(call).rejects.toThrow(AbortedError);
  await expect(call).rejects.toMatchObject({ cause: { message: "changed my mind" } });
});

it("sends nothing if the signal is already aborted", async () => {
  const { client, sent } = answered(() => Response.json([]));
  const outcome = await client.merchants.list({ signal: AbortSignal.abort() }).safe();
  expect(outcome).toMatchObject({ error: { name: "AbortedError" }, meta: { attempts: 0 } });
  expect(sent).toEqual([]);
});

it.each([
  ["no headers come", () => {}],
  ["the body stalls", (_: unknown, response: { write(text: string): void }) => response.write("[")],
])("ends after timeoutMs when %s", async (_, listener) => {
  const { origin } = await loopback(listener);
  const call = clientOf(origin).merchants.list({ timeoutMs: 50, signal: new AbortController().signal });
  await expect(call).rejects.toThrow(TimeoutError);
  await expect(call).rejects.toThrow(/50 ms/);
});

it("refuses a body that JSON cannot express", async () => {
  const { client, sent } = answered(() => accepted());
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  await expect(client.request("POST", "/api/v1/merchants", { body: circle })).rejects.toThrow(UsageError);
  expect(sent).toEqual([]);
});

it("calls the given fetch as a plain function, as browsers require of their fetch", async () => {
  const owners: unknown[] = [];
  async function send(this: unknown) {
    owners.push(this);
    return Response.json([]);
  }
  const { client } = answered(() => Response.json([]), { fetch: send });
  await client.merchants.list();
  expect(owners).toEqual([undefined]);
});

it("calls any documented operation by method and path", async () => {
  const { client, sent } = answered(({ url }) => Response.json(url.includes("alerts") ? [] : { merchantId: "a/b" }));
  const path = "/api/v1/merchants/{merchantId}";
  expect(await client.request("GET", path, { path: { merchantId: "a/b" } })).toEqual({ merchantId: "a/b" });
  await client.request("GET", "/api/v1/alerts", { query: { merchantId: "m 1", other: undefined } });
  expect(sent.map(({ url }) => url.slice(BASE_URL.length))).toEqual([
    "/api/v1/merchants/a%2Fb",
    "/api/v1/alerts?merchantId=m%201",
  ]);
});

it("the raw client returns error replies instead of throwing them", async () => {
  const { client } = answered(() => Response.json({ code: "merchant_not_found" }, { status: 404 }));
  const { error, response } = await client.raw.GET("/api/v1/merchants");
  expect(response.status).toBe(404);
  expect(error).toEqual({ code: "merchant_not_found" });
});

it("does not retry a call that something other than its signal aborted", async () => {
  const reason = new DOMException("reset", "AbortError");
  const { client, sent } = answered(() => Promise.reject(reason), { maxRetries: 3 });
  const outcome = await client.merchants.list().safe();
  expect(outcome).toMatchObject({ ok: false, error: { name: "AbortedError", cause: reason, attempts: 1 } });
  expect(sent).toHaveLength(1);
});
