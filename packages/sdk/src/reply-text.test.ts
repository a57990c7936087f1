/** Tests `maxReplyBytes`, the limit of a reply's body, with the platform's own fetch. */
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { MessagingClient, ReplyTooLargeError } from "./index.ts";
import { API_KEY, API_SECRET, answered, BASE_URL } from "./testing/answering.ts";
import { answers, misbehaving, refuses } from "./testing/misbehaving.ts";

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;
const long = JSON.stringify({ note: "x".repeat(50_000) });
const packed = answers(200, gzipSync(long), { "content-encoding": "gzip" });
const clientOf = (baseUrl: string, maxReplyBytes: number) =>
  new MessagingClient({ apiKey: API_KEY, apiSecret: API_SECRET, baseUrl, maxReplyBytes });

describe.each([
  ["a long body", answers(200, long)],
  ["a body that is long only when decompressed", packed],
  ["a long body of an error that would be retried", answers(503, long)],
])("%s", (_, manner) => {
  it("ends the call, which is not retried", async () => {
    const { origin, arrived } = await misbehaving(manner);
    const client = clientOf(origin, 1_000);
    const outcome = await client.send.sms(sms, { idempotencyKey: "k1" }).safe();
    if (outcome.ok) throw new Error("The call succeeded.");
    expect(outcome.error).toBeInstanceOf(ReplyTooLargeError);
    expect(outcome.error).toMatchObject({ idempotencyKey: "k1", attempts: 1 });
    expect(outcome.error.message).toMatch(
      /\(HTTP \d+\).*: [1-9]\d{3,} bytes have come, and maxReplyBytes allows 1000\./,
    );
    await expect(client.raw.GET("/api/v1/merchants")).rejects.toThrow(ReplyTooLargeError);
    expect(arrived).toHaveLength(2);
  });

  it("may be as long as the call allows", async () => {
    const { origin } = await misbehaving(manner);
    const { meta } = await clientOf(origin, 1_000).send.sms(sms, { maxReplyBytes: 60_000, maxRetries: 0 }).safe();
    expect(meta.status).toBeGreaterThanOrEqual(200);
  });
});

it("a body is cancelled as soon as it exceeds the limit", async () => {
  let isClosed = () => {};
  const closed = new Promise<void>((resolve) => (isClosed = resolve));
  const { origin } = await misbehaving(({ request, response }) => {
    request.socket.once("close", isClosed);
    const more = () => response.destroyed || response.write("x".repeat(10_000), () => setImmediate(more));
    more();
  });
  await expect(clientOf(origin, 30_000).merchants.list()).rejects.toThrow(ReplyTooLargeError);
  await closed;
});

it("the limit is exact to the byte", async () => {
  const { origin } = await misbehaving(answers(200, '["ü"]'));
  expect(await clientOf(origin, 6).request("GET", "/any")).toEqual(["ü"]);
  await expect(clientOf(origin, 5).merchants.list()).rejects.toThrow(/6 bytes have come/);
});

it("characters that are split between chunks are read correctly", async () => {
  const bytes = new TextEncoder().encode('["😀"]');
  const body = () =>
    new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
  const { client } = answered(() => new Response(body()));
  expect(await client.request("GET", "/any")).toEqual(["😀"]);
});

it("the limit also applies to an object that stands in for a Response", async () => {
  const text = vi.fn(async () => '["long"]');
  const fake = { ok: true, status: 200, headers: new Headers(), text } as unknown as Response;
  const { client } = answered(() => fake, { maxReplyBytes: 7 });
  await expect(client.request("GET", "/any")).rejects.toThrow(ReplyTooLargeError);
  expect(await client.request("GET", "/any", {}, { maxReplyBytes: 8 })).toEqual(["long"]);
});

it("a body may have 64 MiB by default", async () => {
  const part = new Uint8Array(2 ** 20).fill(0x20);
  let parts = 0;
  const body = new ReadableStream({
    pull(controller) {
      parts += 1;
      controller.enqueue(part);
    },
  });
  const client = new MessagingClient({
    ...{ apiKey: API_KEY, apiSecret: API_SECRET, baseUrl: BASE_URL },
    fetch: async () => new Response(body),
  });
  await expect(client.merchants.list()).rejects.toThrow(/maxReplyBytes allows 67108864/);
  expect(parts).toBeLessThan(70);
});

it("the limit does not change an error of the service whose body is short", async () => {
  const { origin } = await misbehaving(refuses(404, "merchant_not_found"));
  await expect(clientOf(origin, 1_000).merchants.get("m1")).rejects.toThrow(/merchant_not_found/);
});
