/**
 * An error names the line of the program that made the call: the stack passes through this package's functions by `await`.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ClientOptions, MessagingClient, MessagingError } from "./index.ts";
import { answered, problem } from "./testing/answering.ts";

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;
const rows = [sms, { ...sms, message: "Hello again" }];

beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A program's own function, whose name the stack has to contain. */
type Handler = (client: MessagingClient) => Promise<unknown>;

const ways: Handler[] = [
  async function awaited(client) {
    return await client.merchants.get("nobody");
  },
  async function withResponse(client) {
    return await client.merchants.get("nobody").withResponse();
  },
  async function safe(client) {
    const outcome = await client.merchants.get("nobody").safe();
    if (!outcome.ok) throw outcome.error;
  },
  async function byPath(client) {
    return await client.request("GET", "/api/v1/merchants");
  },
  async function together(client) {
    return await Promise.all([client.merchants.get("nobody")]);
  },
  async function waiting(client) {
    return await client.tts.waitForBatch("7");
  },
  async function many(client) {
    for await (const outcome of client.send.many(rows, { channel: "SMS", concurrency: 1 }))
      if (!outcome.ok && outcome.index === 1) throw outcome.error;
  },
  async function recordMany(client) {
    const consent = { merchantId: "m1", channel: "SMS", contact: "+12025550100", status: "OPT_IN" } as const;
    for await (const outcome of client.consent.recordMany([consent])) if (!outcome.ok) throw outcome.error;
  },
];

const after = <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value));

const faults: [string, () => Promise<Response>, ClientOptions?][] = [
  ["a refusal", () => after(problem(404, "merchant_not_found"))],
  ["a failure that was retried", () => after(problem(503, "unavailable")), { maxRetries: 1 }],
  ["a reply that is not the service's", () => after(new Response("<html>", { status: 200 }))],
  ["a reply that is too large", () => after(Response.json({ merchantId: "x".repeat(100) })), { maxReplyBytes: 50 }],
  ["a failed connection", () => after(0).then(() => Promise.reject(new TypeError("fetch failed")))],
  ["a timeout", () => new Promise<Response>(() => {}), { timeoutMs: 1 }],
];

async function errorOf(handler: Handler, client: MessagingClient): Promise<MessagingError> {
  return await handler(client).then(
    () => Promise.reject(new Error("It did not fail.")),
    (error) => error as MessagingError,
  );
}

describe.each(ways.map((handler) => [handler.name, handler] as const))("the program's function %s", (name, handler) => {
  it.each(faults)("is in the stack of %s", async (_, answer, options) => {
    const { client } = answered(answer, options);
    const { stack } = await errorOf(handler, client);
    expect(stack).toMatch(new RegExp(`at (async )?.*\\b${name}\\b.*stack\\.test\\.ts`));
  });
});

it("the stack begins with the message, and names the line that awaits the call", async () => {
  const { client } = answered(() => after(problem(404, "merchant_not_found", { detail: "There is no nobody." })));
  const { stack, message } = await errorOf(ways[0] as Handler, client);
  expect(stack?.startsWith(`NotFoundError: ${message}\n    at `)).toBe(true);
});
