// The scenarios of conformance once more, over HTTP and through `prism proxy --errors`: another reader of the contract
// than the server's own finds nothing in a reply that the contract does not have.

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type OperationId, operations, type ProblemCode } from "@msgctl/contract";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Prism, startPrismProxy } from "../../packages/mocks/src/prism.ts";
import type { InMemoryService } from "../../packages/server/src/in-memory-service.ts";
import { documentFile } from "../contract/document.ts";
import { cases, closeScenarios, openScenarios, play } from "./scenarios.ts";
import type { ReachedService, ReceivedReply, World } from "./world.ts";

/** What Prism answers by itself, whatever it is told: the request does not come through. */
const refusedByPrism: readonly ProblemCode[] = [
  "route_not_found",
  "method_not_allowed",
  "malformed_json",
  "credentials_missing",
];
/** Their requests are not of the contract: Prism would refuse them, so it looks at the replies alone. */
const ofWrongRequests: readonly ProblemCode[] = [
  "validation_error",
  "invalid_email",
  "idempotency_key_invalid",
  "not_acceptable",
  "payload_too_large",
  "unsupported_media_type",
];
/** Tells the services behind the one upstream apart. */
const SERVICE = "x-service";

const services: InMemoryService[] = [];
let upstream: Server;
let strict: Prism;
let lenient: Prism;
let proxy: Prism;
let world: World;

beforeAll(async () => {
  upstream = createServer((request, response) => serviceOf(request).app.routing(request, response));
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const options = { upstream: address, document: documentFile };
  [strict, lenient] = await Promise.all([
    startPrismProxy(options),
    startPrismProxy({ ...options, validateRequests: false }),
  ]);
  proxy = strict;
  world = await openScenarios(throughProxy);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await Promise.all([strict?.stop(), lenient?.stop()]);
  upstream?.closeAllConnections();
  upstream?.close();
  await closeScenarios();
});

function serviceOf({ headers }: IncomingMessage): InMemoryService {
  const service = services[Number(headers[SERVICE])];
  if (service === undefined) throw new Error(`no service ${headers[SERVICE]}`);
  return service;
}

async function throughProxy(service: InMemoryService): Promise<ReachedService> {
  const number = services.push(service) - 1;
  await service.app.ready();
  return {
    ...service,
    async call(method, url, { body, headers, as = service.credential } = {}) {
      const sent = new Headers({ accept: "*/*", [SERVICE]: String(number) });
      if (as !== null) for (const [name, value] of Object.entries(credentialsOf(as))) sent.set(name, value);
      if (body !== undefined) sent.set("content-type", "application/json");
      for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
      const content = typeof body === "string" ? body : JSON.stringify(body);
      const reply = await fetch(proxy.url + url, {
        method,
        headers: sent,
        ...(body === undefined ? {} : { body: content }),
      });
      return received(reply);
    },
  };
}

function credentialsOf({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }): Record<string, string> {
  return { "x-api-key": apiKey, "x-api-secret": apiSecret };
}

async function received(reply: Response): Promise<ReceivedReply> {
  const body = await reply.text();
  if (body.includes("stoplight.io/prism")) throw new Error(`Prism found a violation: ${body}`);
  expect(reply.headers.get("sl-violations")).toBeNull();
  return { statusCode: reply.status, headers: Object.fromEntries(reply.headers), body, json: () => JSON.parse(body) };
}

describe("through Prism's proxy", () => {
  it.each(Object.keys(operations) as OperationId[])("%s succeeds", async (operationId) => {
    proxy = strict;
    const reply = await world.send(world.request(operationId));
    expect(reply.statusCode, reply.body).toBe(operations[operationId].successStatus);
  });

  const proxied = cases.filter(([operationId, , code]) => {
    // the reply is the same for all, and each of these bodies of 2 MB costs Prism 0.3 s
    if (code === "payload_too_large") return operationId === "sendSms";
    return !refusedByPrism.includes(code);
  });
  it.each(proxied)("%s %i %s", async (operationId, status, code) => {
    proxy = ofWrongRequests.includes(code) ? lenient : strict;
    const reply = await play(operationId, code);
    expect([reply.statusCode, reply.json().code], reply.body).toEqual([status, code]);
  });
});
