// A list of recipients, cut off in the middle and run again: each message once. A whole server, in this process, over HTTP.

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
/** What is accepted counts as used when the carrier has it: whatever waits goes out in the next minute. */
async function smsUsed(merchantId: string): Promise<number> {
  await service.clock.advanceBy(60_000);
  return (await client.merchants.get(merchantId)).usage.smsUsed;
}

/** Runs to the end, and gives what was sent by row, and for which rows it was a replay. */
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

it("sends each message once, though the first run was aborted", async () => {
  await merchantWith("aborted");
  const controller = new AbortController();
  const run = client.send.many(rows("aborted"), { channel: "SMS", signal: controller.signal });
  const first = new Map<number, string | undefined>();
  const loop = async () => {
    for await (const outcome of run) {
      expect(first.has(outcome.index)).toBe(false);
      first.set(outcome.index, outcome.ok ? outcome.data.messageId : undefined);
      // between outcomes, with a full set of calls under way
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

it("sends nothing when the whole run is repeated", async () => {
  await merchantWith("repeated");
  const first = await runWhole("repeated", "repeated");
  const second = await runWhole("repeated", "repeated");
  expect([first.replayed.size, second.replayed.size]).toEqual([0, ROWS]);
  const idOf = ([index, { messageId }]: [number, DispatchResponse]) => [index, messageId] as const;
  expect(new Map([...second.sent].map(idOf))).toEqual(new Map([...first.sent].map(idOf)));
  expect(await smsUsed("repeated")).toBe(ROWS);
});

it("waits for the end of a batch of calls", async () => {
  await client.merchants.upsert({ merchantId: "calls", displayName: "Calls", voiceMinutesLimit: 100 });
  const consents = ["+12025550100", "+12025550101"].map(
    (contact) => ({ merchantId: "calls", channel: "VOICE", contact, status: "OPT_IN" }) as const,
  );
  for await (const outcome of client.consent.recordMany(consents)) expect(outcome).toMatchObject({ ok: true });
  const { batchId } = await client.tts.create({
    merchantId: "calls",
    messageText: "Hello",
    useCase: "OTP",
    toNumbers: consents.map(({ contact }) => contact),
  });
  if (batchId === null) throw new Error("the submission has no batch");
  const seen: string[] = [];
  const summary = await client.tts.waitForBatch(batchId, {
    pollMs: 100,
    onProgress: ({ status }) => {
      seen.push(status);
      // the service's time is the test's
      void service.clock.advanceBy(60_000);
    },
  });
  expect(summary).toMatchObject({ batchId, totalCalls: 2, pending: 0, scheduled: 0 });
  expect(seen.at(-1)).toBe(summary.status);
  expect(seen.length).toBeGreaterThan(1);
});
