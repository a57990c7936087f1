// A change at one instance, or by a command, applies at all other instances immediately: they cache nothing of the database
// except credentials, which they cache for a second (instances-credentials.engines.test.ts).

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signWebhook } from "./domain/callbacks/rules.ts";
import { readCallbackSecrets, rotateCallbackSecret } from "./domain/callbacks/secrets.ts";
import type { Poster } from "./service.ts";
import { secrets } from "./testing/in-memory-service.ts";
import { type Instances, openInstances } from "./testing/instances.ts";

const to = "+12025550100";
let instances: Instances;
let posted: Parameters<Poster["post"]>[0][];

beforeEach(async () => {
  posted = [];
  const poster: Poster = {
    async post(callback) {
      posted.push(callback);
      return { status: 200, outcome: "200" };
    },
    close() {},
  };
  instances = await openInstances(2, { consentPolicy: "opt_out_only", pollIntervalMs: 1_000, poster });
  await change("/api/v1/merchants", { displayName: "One", smsLimit: 10, voiceMinutesLimit: 10 });
});
afterEach(() => instances.close());

/** Makes a change at the first instance. */
async function change(url: string, body: object): Promise<void> {
  const reply = await instances.call(0, "POST", url, { body: { merchantId: "m1", ...body } });
  expect(reply.statusCode, reply.body).toBe(200);
}

/** Sends a message at the second instance. */
async function send(): Promise<string> {
  const body = { merchantId: "m1", to, message: "Hello", type: "OTP" };
  const reply = await instances.call(1, "POST", "/api/v1/messages/sms", { body });
  return reply.json().code ?? "sent";
}

describe("a send at another instance immediately obeys a change of", () => {
  it.each([
    ["a merchant's state", "/api/v1/merchants", { displayName: "One", active: false }, "merchant_inactive"],
    ["a limit", "/api/v1/merchants", { displayName: "One", smsLimit: 1 }, "quota_exceeded"],
    ["an opt-out", "/api/v1/consents", { channel: "SMS", contact: to, status: "OPT_OUT" }, "consent_opted_out"],
  ])("%s", async (_what, url, body, code) => {
    expect(await send()).toBe("sent");
    await change(url, body);
    expect(await send()).toBe(code);
  });
});

it("a callback posted by another instance is also signed with the new secret", async () => {
  const { clock, services } = instances;
  const [first, second] = services as [Instances["services"][0], Instances["services"][0]];
  await second.start();
  const owner = () => ({ tenantId: 1, now: clock.now() });
  const call = { toNumber: to, messageText: "Hello", useCase: "OTP", callbackUrl: "https://hooks.example/voice" };
  const read = () => first.store.write((tx) => readCallbackSecrets(tx, secrets, owner()));
  const expectSigned = async () => {
    await change("/api/v1/voice/tts-calls", call);
    const before = posted.length;
    await clock.advanceBy(60_000);
    expect(posted.length).toBeGreaterThan(before);
    const { headers = {}, body = "" } = posted.at(-1) ?? {};
    const { "webhook-id": webhookId = "", "webhook-timestamp": seconds, "webhook-signature": signature } = headers;
    expect(signature).toBe(
      signWebhook({ webhookId, body, now: Number(seconds) * 1_000 }, await read())["webhook-signature"],
    );
  };
  await expectSigned();
  await first.store.write((tx) => rotateCallbackSecret(tx, secrets, { ...owner(), overlapMs: 3_600_000 }));
  expect(await read()).toHaveLength(2);
  await expectSigned();
});
