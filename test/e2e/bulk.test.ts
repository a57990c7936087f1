// A list of recipients, cut off in the middle and run again: each message once. A whole server, in this process, over HTTP.

import { AbortedError, type DispatchResponse, MessagingClient, type V1OmniSmsSendRequest } from "@msgctl/sdk";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
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

it("sends what a job finds open, however often it was stopped, and what it finds in another order", async () => {
  await merchantWith("open");
  const table = [...rows("open")].map((row) => ({ row, isSent: false }));
  const messageIds = new Set<string>();
  const pass = async (stopAfter: number) => {
    const open = table.filter(({ isSent }) => !isSent);
    const run = client.send.many(
      open.map(({ row }) => row),
      { channel: "SMS", keyPrefix: "open", concurrency: 8 },
    );
    let ended = 0;
    for await (const outcome of run) {
      if (!outcome.ok) throw outcome.error;
      messageIds.add(outcome.data.messageId);
      if (++ended > stopAfter) break;
      const sent = open[outcome.index];
      if (sent) sent.isSent = true;
    }
  };
  for (const stopAfter of [ROWS / 3, ROWS / 3, ROWS]) {
    await pass(stopAfter);
    table.reverse();
  }
  for (const entry of table) entry.isSent = false;
  await pass(ROWS);
  expect([messageIds.size, await smsUsed("open")]).toEqual([ROWS, ROWS]);
});

it("gives up no row for the pace: 300 at 20 a second, 64 at once", async () => {
  const paced = await openInMemoryService({ rateLimit: { perSecond: 20, burst: 20 } });
  onTestFinished(() => paced.close());
  const { apiKey, apiSecret } = paced.credential;
  const client = new MessagingClient({
    ...{ apiKey, apiSecret, baseUrl: "http://paced.test" },
    fetch: async (url, { method, headers, body }) => {
      const reply = await paced.exchange({ method, url: new URL(url).pathname, headers, body: body ?? "" });
      return new Response(reply.body, { status: reply.status, headers: reply.headers as Record<string, string> });
    },
  });
  await client.merchants.upsert({ merchantId: "paced", displayName: "Paced", smsLimit: ROWS });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const messageIds = new Set<string>();
  let isDone = false;
  const run = (async () => {
    for await (const outcome of client.send.many(rows("paced"), { channel: "SMS", concurrency: 64 })) {
      if (!outcome.ok) throw outcome.error;
      messageIds.add(outcome.data.messageId);
    }
  })().finally(() => {
    isDone = true;
  });
  run.catch(() => {});
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([vi.advanceTimersByTimeAsync(20), paced.clock.advanceBy(20)]);
  }
  await run;
  expect(messageIds.size).toBe(ROWS);
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
