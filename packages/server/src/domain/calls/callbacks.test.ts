import { createHmac } from "node:crypto";
import { createSchemaCheck } from "@msgctl/conformance";
import type { EventType } from "@msgctl/contract";
import { afterEach, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService, secrets } from "../../testing/in-memory-service.ts";
import { answering, openReceiver, type Receiver } from "../../testing/receivers.ts";
import { readCallbackSecrets } from "../callbacks/secrets.ts";

const merchantId = "shop";
const number = "+12025550100";
const minuteMs = 60_000;

const schemaOf: Readonly<Record<Extract<EventType, `voice.${string}`>, string>> = {
  "voice.tts_call.updated": "VoiceTtsCallUpdatedEvent",
  "voice.tts_call.finalized": "VoiceTtsCallFinalizedEvent",
  "voice.tts_batch.finalized": "VoiceTtsBatchFinalizedEvent",
};
const findFaults = createSchemaCheck();

const toClose: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

async function open(allowPrivateCallbacks: boolean): Promise<InMemoryService> {
  const service = await openInMemoryService({ allowPrivateCallbacks });
  toClose.push(() => service.close());
  await service.start();
  const merchant = { merchantId, displayName: "Shop", voiceMinutesLimit: 100 };
  await service.call("POST", "/api/v1/merchants", { body: merchant });
  const consent = { merchantId, channel: "VOICE", contact: number, status: "OPT_IN" };
  await service.call("POST", "/api/v1/consents", { body: consent });
  return service;
}

const submit = (service: InMemoryService, callbackUrl: unknown, more: object = {}) =>
  service.call("POST", "/api/v1/voice/tts-calls", {
    body: { merchantId, useCase: "OTP", messageText: "Your code is 1234", toNumber: number, callbackUrl, ...more },
  });

async function openHook(): Promise<Receiver> {
  const receiver = await openReceiver(answering(200));
  toClose.push(receiver.close);
  return receiver;
}

describe("the callbacks of a call", () => {
  it("are signed, report each change once and in order, and precede the batch's callback", async () => {
    const service = await open(true);
    const receiver = await openHook();
    const startMs = service.clock.now();
    const reply = await submit(service, receiver.url);
    expect(reply.statusCode, reply.body).toBe(200);
    await service.clock.advanceBy(10 * minuteMs);

    const events = receiver.received.map(({ body }) => JSON.parse(body));
    expect(events.flatMap((event) => findFaults(schemaOf[event.type as keyof typeof schemaOf], event))).toEqual([]);
    expect(events.length).toBeGreaterThan(3);
    expect(events.slice(0, -2).every(({ type }) => type === "voice.tts_call.updated")).toBe(true);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["voice.tts_call.finalized", "voice.tts_batch.finalized"]);
    const times = events.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort());
    // each state of a simulated call lasts at most a second
    const moments = [startMs, ...times.map((time: string) => Date.parse(time))];
    const waits = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);

    const { requestId, batchId } = reply.json();
    const call = await service.call("GET", `/api/v1/voice/tts-calls/${requestId}`);
    expect(events.at(-2).data).toEqual(call.json());
    const batch = await service.call("GET", `/api/v1/voice/tts-calls/batches/${batchId}/summary`);
    expect(events.at(-1).data).toEqual(batch.json());

    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(ids.length);
    const owner = { tenantId: service.credential.tenantId, now: service.clock.now() };
    const [secret = ""] = await service.store.write((tx) => readCallbackSecrets(tx, secrets, owner));
    for (const { headers, body } of receiver.received) {
      const hmac = createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"));
      hmac.update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
      expect(headers["webhook-signature"]).toBe(`v1,${hmac.digest("base64")}`);
    }
  });
});

describe("a callbackUrl", () => {
  it.each([
    "http://hooks.example.com/",
    "https://localhost/",
    "https://127.0.0.1:8443/",
    "https://[::ffff:10.0.0.1]/",
    "https://ada:secret@hooks.example.com/",
  ])("is refused together with other faults: %s", async (callbackUrl) => {
    const service = await open(false);
    const reply = await submit(service, callbackUrl, { toNumber: "+1" });
    expect(reply.json()).toMatchObject({ status: 400, code: "validation_error" });
    const pointers = reply.json().errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(new Set(pointers)).toEqual(new Set(["/callbackUrl", "/toNumber"]));
    expect(reply.body).not.toContain("ada:secret");
  });
});
