// Sends to a list of recipients, aborts half way and runs again: each message is sent once. The server runs in this process.

import { AbortedError, type DispatchResponse, MessagingClient, type V1OmniSmsSendRequest } from "@msgctl/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../packages/server/src/testing/in-memory-service.ts";

const ROWS = 300;
let service: InMemoryService;
let client: MessagingClient;

beforeAll(async () => {
  service = await openInMemoryService();
  await service.start();
  const baseUrl = await service.app.listen({ port: 0, host: "127.0.0.1" });
  const { apiKey, apiSecret } = service.credential;
  client = new MessagingClient({ apiKey, apiSecret, baseUrl });
});
afterAll(() => service.close());

function* rows(merchantId: string): Generator<V1OmniSmsSendRequest> {
  for (let index = 0; index < ROWS; index++)
    yield { merchantId, to: "+12025550100", message: `Message ${index}`, type: "OTP" };
}

const merchantWith = (merchantId: string) =>
  client.merchants.upsert({ merchantId, displayName: merchantId, smsLimit: 2 * ROWS });
/** Returns the used units. They are counted when the carrier has the message, so the clock is advanced by a minute first. */
async function smsUsed(merchantId: string): Promise<number> {
  await service.clock.advanceBy(60_000);
  return (await client.merchants.get(merchantId)).usage.smsUsed;
}

/** Sends the whole list. Returns the results by row, and the rows that were replays. */
async function runWhole(merchantId: string, keyPrefix: string | undefined) {
  const sent = new Map<number, DispatchResponse>();
  const replayed = new Set<number>();
  for await (const outcome of client.send.many(rows(merchantId), { channel: "SMS", keyPrefix })) {
    if (!outcome.ok) throw outcome.error;
    sent.set(outcome.index, outcome.data);
    if (outcome.meta.replayed) replayed.add(outcome.index);
  }
  return { sent, replayed };
}

it("the SDK sends each message once although the first run was aborted", async () => {
  await merchantWith("aborted");
  const controller = new AbortController();
  const run = client.send.many(rows("aborted"), { channel: "SMS", signal: controller.signal });
  const first = new Map<number, string | undefined>();
  const loop = async () => {
    for await (const outcome of run) {
      expect(first.has(outcome.index)).toBe(false);
      first.set(outcome.index, outcome.ok ? outcome.data.messageId : undefined);
      // aborts between outcomes, while the maximum number of calls is in progress
      if (first.size === ROWS / 2) setImmediate(() => controller.abort());
    }
  };
  await expect(loop()).rejects.toThrow(AbortedError);
  expect(first.size).toBeLessThan(ROWS);
  expect([...first.values()]).toContain(undefined);
  expect([...first.keys()].sort((a, b) => a - b)).toEqual([...first.keys()].map((_, at) => at));

  const { sent, replayed } = await runWhole("aborted", run.keyPrefix);
  expect(sent.size).toBe(ROWS);
  expect(new Set([...sent.values()].map(({ messageId }) => messageId)).size).toBe(ROWS);
  for (const [index, messageId] of first) {
    if (messageId === undefined) continue;
    expect(sent.get(index)?.messageId).toBe(messageId);
    expect(replayed).toContain(index);
  }
  expect(replayed.size).toBeLessThanOrEqual(first.size);
  expect(await smsUsed("aborted")).toBe(ROWS);
});
