// Checks that a canceled message leaves every queue, costs nothing and is never handed over, and that a message that was
// already handed over stays unchanged.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callMessageId } from "../../domain/messages/rules.ts";
import { expectInvariants } from "../../testing/due-jobs.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { cancelQueued, listQueued } from "./operator-actions.ts";
import { restore } from "./restoration.ts";

const why = { words: "canceled by the operator: a loop" };
const hourMs = 3_600_000;
/** 13:00 and 23:00 in New York. */
const noon = Date.parse("2026-01-15T18:00:00.000Z");
const night = Date.parse("2026-01-16T04:00:00.000Z");

let service: InMemoryService;
let posted: { type: string; data: Record<string, unknown> }[];

async function open(now = noon): Promise<void> {
  posted = [];
  service = await openInMemoryService({
    now,
    consentPolicy: "opt_out_only",
    poster: {
      async post({ body }) {
        posted.push(JSON.parse(body));
        return { status: 200, outcome: "200" };
      },
      close() {},
    },
  });
  const limits = { smsLimit: 10, emailLimit: 10, voiceMinutesLimit: 100, smsCredits: 5 };
  await post("/merchants", { merchantId: "shop", displayName: "Shop", ...limits });
}
beforeEach(() => open());
afterEach(() => service.close());

async function post(url: string, body: object) {
  const reply = await service.call("POST", `/api/v1${url}`, { body });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json();
}
const get = async (path: string) => (await service.call("GET", `/api/v1/voice/tts-calls${path}`)).json();

const text = { merchantId: "shop", to: "+12025550100", message: "Hello", type: "OTP" };
const sendText = async (): Promise<string> => (await post("/messages/sms", text)).messageId;

const call = (change: object) =>
  post("/voice/tts-calls", {
    ...{ merchantId: "shop", messageText: "Hello", useCase: "OTP", callbackUrl: "https://hooks.example/" },
    ...change,
  });

const cancel = (messageIds: readonly string[]) =>
  service.store.write((tx) => cancelQueued(tx, messageIds, { ...why, now: service.clock.now() }));

const listAll = () => service.store.read((tx) => listQueued(tx, service.credential.tenantId, 100));

const rowOf = (messageId: string) =>
  service.store.read((tx) =>
    tx.get<{ status: string; charge: string; attempts: number; words: string | null }>(
      `SELECT status, charge, attempts,
              (SELECT words FROM carrier_words w WHERE w.message_id = m.message_id) AS words
         FROM messages m WHERE message_id = $1`,
      messageId,
    ),
  );

describe("a text", () => {
  it("is CANCELED, uncharged, and submitted to no carrier", async () => {
    const [first, second] = [await sendText(), await sendText()];
    expect(await listAll()).toEqual([first, second]);
    expect(await cancel([first])).toEqual({ canceled: 1, left: 0, inDoubt: 0 });
    expect(await rowOf(first)).toEqual({ status: "CANCELED", charge: "RELEASED", attempts: 0, ...why });
    expect(await listAll()).toEqual([second]);
    await service.start();
    await service.clock.advanceBy(hourMs);
    expect(await rowOf(first)).toMatchObject({ status: "CANCELED", attempts: 0 });
    expect(await rowOf(second)).toMatchObject({ status: "DELIVERED", charge: "SETTLED" });
    await expectInvariants(service.store);
  });

  it("is left unchanged if it was handed over, has ended or was canceled", async () => {
    const [sent, waiting] = [await sendText(), ""];
    await service.start();
    await service.clock.advanceBy(hourMs);
    expect(await cancel([sent, waiting, "msg_none"])).toEqual({ canceled: 0, left: 3, inDoubt: 0 });
    expect(await rowOf(sent)).toMatchObject({ status: "DELIVERED" });
  });

  it("is left to be looked up if a carrier may have got it before a restore", async () => {
    const text = await sendText();
    await service.store.write((tx) => restore(tx, service.clock.now()));
    expect(await cancel([text])).toEqual({ canceled: 0, left: 0, inDoubt: 1 });
    expect(await rowOf(text)).toMatchObject({ status: "QUEUED" });
  });

  it("returns its units to the quota when it is canceled", async () => {
    const texts = [];
    for (let count = 0; count < 15; count += 1) texts.push(await sendText());
    const body = { merchantId: "shop", to: "+12025550100", message: "x", type: "OTP" };
    expect((await service.call("POST", "/api/v1/messages/sms", { body })).statusCode).toBe(402);
    expect((await cancel(texts)).canceled).toBe(15);
    await expectInvariants(service.store);
    for (let count = 0; count < 15; count += 1) await sendText();
  });
});

describe("a call", () => {
  it("that is canceled counts in its batch and causes callbacks, and the last call ends the batch", async () => {
    const { batchId } = await call({ toNumbers: ["+12025550100", "+12025550101", "+12025550102"] });
    const queued = await listAll();
    expect(queued).toHaveLength(3);
    expect((await cancel(queued.slice(0, 1))).canceled).toBe(1);
    await expectInvariants(service.store);
    expect(await get(`/batches/${batchId}/summary`)).toMatchObject({ pending: 2, failed: 1, status: "QUEUED" });
    expect((await cancel(queued.slice(1))).canceled).toBe(2);
    await expectInvariants(service.store);
    expect(await get(`/batches/${batchId}/summary`)).toMatchObject({ failed: 3, status: "FAILED", totalCost: 0 });
    await service.start();
    await service.clock.advanceBy(hourMs);
    expect(posted.map(({ type }) => type).sort()).toEqual([
      "voice.tts_batch.finalized",
      ...Array.from({ length: 3 }, () => "voice.tts_call.finalized"),
    ]);
    expect(posted.find(({ type }) => type === "voice.tts_call.finalized")?.data).toMatchObject({
      ...{ status: "CANCELED", callStatus: "CANCELED", finalStatus: "FAILED", billingState: "FINALIZED" },
    });
    expect(await cancel(queued)).toEqual({ canceled: 0, left: 3, inDoubt: 0 });
  });

  it("does not ring in the morning for which it was scheduled", async () => {
    await service.close();
    await open(night);
    const { requestId } = await call({ toNumber: "+12125550100", useCase: "MARKETING" });
    expect(await get(`/${requestId}`)).toMatchObject({ status: "SCHEDULED" });
    await service.start();
    expect((await cancel(await listAll())).canceled).toBe(1);
    await service.clock.advanceBy(24 * hourMs);
    expect(await get(`/${requestId}`)).toMatchObject({
      ...{ status: "CANCELED", finalStatus: "FAILED", billingState: "FINALIZED" },
      error: "The operator canceled the call before it was dialled.",
    });
    await expectInvariants(service.store);
  });

  it("is CANCELED with its message", async () => {
    const voice = { merchantId: "shop", to: "+12025550100", text: "Hello", type: "OTP" };
    const { messageId } = await post("/messages/voice", voice);
    expect(await listAll()).toEqual([messageId]);
    expect((await cancel([messageId])).canceled).toBe(1);
    expect(await rowOf(messageId)).toMatchObject({ status: "CANCELED", charge: "RELEASED" });
    await expectInvariants(service.store);
  });

  it("is CANCELED with its message if its carrier deferred it, and is not dialled again", async () => {
    const { requestId } = await call({ toNumber: "+12025550121" });
    await service.start();
    const messageId = callMessageId({ requestId: Number(requestId), createdAt: noon });
    while ((await rowOf(messageId))?.attempts !== 1) await service.clock.advanceBy(100);
    expect(await rowOf(messageId)).toMatchObject({ status: "QUEUED" });
    expect((await cancel(await listAll())).canceled).toBe(1);
    await service.clock.advanceBy(hourMs);
    expect(await rowOf(messageId)).toMatchObject({ status: "CANCELED", attempts: 1, charge: "RELEASED", ...why });
    expect(await get(`/${requestId}`)).toMatchObject({ status: "CANCELED", callStatus: "CANCELED" });
    await expectInvariants(service.store);
  });
});
