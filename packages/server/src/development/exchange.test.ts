import { request as connect, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessService, openInProcessService } from "../in-process.ts";
import type { PlainRequest } from "./exchange.ts";

let service: InProcessService;
let port: number;
beforeAll(async () => {
  service = await openInProcessService({ isDevelopment: true });
  await service.app.listen({ host: "127.0.0.1", port: 0 });
  port = (service.app.server.address() as AddressInfo).port;
});
afterAll(() => service.close());

const json = { "content-type": "application/json" };
const send = { merchantId: "shop", to: "+12025550100", message: "Grüße 👋", type: "TRANSACTIONAL" };

const requests: Readonly<Record<string, Partial<PlainRequest> & { isAnonymous?: boolean }>> = {
  "a read": { url: "/api/v1/merchants" },
  "the headers of a read": { method: "HEAD", url: "/api/v1/merchants" },
  "the headers of an error": { method: "HEAD", url: "/api/v1/merchants/nobody" },
  "a read with many headers": {
    url: "/api/v1/merchants",
    headers: Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`h${index}`, ""])),
  },
  "headers too large": { url: "/api/v1/merchants", headers: { "x-trace": "x".repeat(17_000) } },
  "an absolute URL": { url: "http://localhost/api/v1/merchants?unheardOf=1#top" },
  "a path that is not UTF-8": { url: "/api/v1/merchants/%ff" },
  "a query": { url: "/api/v1/merchants?limit=1&cursor=%20" },
  "a write": {
    method: "POST",
    url: "/api/v1/merchants",
    headers: json,
    body: '{"merchantId":"shop","displayName":"Süd"}',
  },
  "bytes instead of text": {
    method: "POST",
    url: "/api/v1/messages/sms",
    headers: json,
    body: new TextEncoder().encode(JSON.stringify({ ...send, merchantId: "none" })),
  },
  "a missing body": { method: "POST", url: "/api/v1/messages/sms", headers: json },
  "a body that is not JSON": { method: "POST", url: "/api/v1/messages/sms", headers: json, body: "{" },
  "a body that is not UTF-8": {
    method: "POST",
    url: "/api/v1/messages/sms",
    headers: json,
    body: Uint8Array.of(0x22, 0xff, 0x22),
  },
  "a body of another media type": {
    method: "POST",
    url: "/api/v1/messages/sms",
    headers: { "content-type": "text/xml" },
    body: "<a/>",
  },
  "a body too large": {
    method: "POST",
    url: "/api/v1/messages/sms",
    headers: json,
    body: JSON.stringify({ ...send, message: "x".repeat(2 * 1024 * 1024) }),
  },
  "no credential": { url: "/api/v1/merchants", isAnonymous: true },
  "no such path": { url: "/api/v1/merchant" },
  "no such method": { method: "PUT", url: "/api/v1/merchants" },
  "an unknown method": { method: "BREW", url: "/api/v1/merchants" },
  "a path too long": { url: `/api/v1/merchants/${"x".repeat(20_000)}` },
  "a reply without a body": { method: "POST", url: "/control/reset" },
  "a reply that is not JSON": { url: "/api/v1/voice/provisioning/freeswitch/directory/dana" },
};

describe("an in-process exchange answers like a connection", () => {
  it.each(Object.entries(requests))("%s", async (_name, { isAnonymous = false, ...given }) => {
    const { apiKey, apiSecret } = service.credential;
    const credential = isAnonymous ? {} : { "x-api-key": apiKey, "x-api-secret": apiSecret };
    const request = { method: "GET", url: "/", ...given, headers: { ...credential, ...given.headers } };
    const expected = await overConnection(request);
    const { status, headers, body } = await service.exchange(request);
    expect({ status, headers: comparable(headers as IncomingHttpHeaders) }).toEqual({
      status: expected.status,
      headers: comparable(expected.headers),
    });
    expect(withoutIds(body)).toBe(withoutIds(expected.body));
  });
});

it("keeps simultaneous requests apart", async () => {
  const { apiKey: id, apiSecret: secret } = service.credential;
  const headers = { "x-api-key": id, "x-api-secret": secret };
  const paths = Array.from({ length: 40 }, (_, index) => `/api/v1/merchants/absent-${index}`);
  const replies = await Promise.all(paths.map((url) => service.exchange({ method: "GET", url, headers })));
  expect(replies.map(({ status, body }) => [status, JSON.parse(body).instance])).toEqual(
    paths.map((path) => [404, expect.stringContaining(path)]),
  );
});

it("does nothing for a client that has gone, and uses up no planned fault", async () => {
  const plan = { operation: "upsertMerchant", code: "unavailable" };
  await service.exchange({ method: "POST", url: "/control/faults", headers: json, body: JSON.stringify(plan) });
  const { apiKey, apiSecret } = service.credential;
  const request = {
    method: "POST",
    url: "/api/v1/merchants",
    headers: { ...json, "x-api-key": apiKey, "x-api-secret": apiSecret },
    body: '{"merchantId":"gone","displayName":"Gone"}',
  };
  const gone = new Error("gone");
  const abort = new AbortController();
  const asked = [AbortSignal.abort(gone), abort.signal].map((signal) => service.exchange({ ...request, signal }));
  abort.abort(gone);
  for (const each of asked) await expect(each).rejects.toBe(gone);
  expect((await service.exchange(request)).status).toBe(503);
});

async function overConnection({ method, url, headers, body }: PlainRequest) {
  const asked = connect({ host: "127.0.0.1", port, method, path: url, headers: { ...headers, host: "localhost" } });
  const length = body === undefined ? 0 : Buffer.byteLength(body as string);
  if (length > 0) asked.setHeader("content-length", length);
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.on("response", resolve).on("error", reject).end(body);
  });
  return { status: reply.statusCode, headers: reply.headers, body: await text(reply) };
}

/** Removes headers of the connection, and replaces values that differ between calls. */
function comparable({ connection, "keep-alive": _keepAlive, ...headers }: IncomingHttpHeaders): object {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(texts), date: expect.any(String), "x-request-id": expect.any(String) };
}

function withoutIds(body: string): string {
  return body.replaceAll(/req_\w+/g, "req");
}
