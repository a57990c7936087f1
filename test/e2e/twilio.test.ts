// A live tenant on a fresh server sends texts and places calls over a stand-in for Twilio.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Callback, TwilioDouble } from "../../packages/server/src/testing/twilio-double.ts";
import { createPost, type Post } from "./create-post.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "./msgd-process.ts";
import { speakByScript } from "./speech-script.ts";

/** The URL at which Twilio reaches the server, through a proxy. */
const PUBLIC_URL = "https://msg.acme.example";
const SENDER = "+12025550199";

const folder = new MsgdFolder();
let twilio: TwilioDouble;
let server: MsgdProcess;
let credential: Credential;
let eventsUrl: string;
let post: Post;

beforeAll(async () => {
  twilio = await TwilioDouble.listen();
  const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Live");
  credential = folder.createKey(tenantId);
  const speech = speakByScript(folder.parent);
  server = await folder.serve("--public-url", PUBLIC_URL, "--consent-policy", "opt_out_only", ...speech);
  post = createPost(server.baseUrl, credential);
  const file = join(folder.parent, "twilio.json");
  writeFileSync(file, JSON.stringify(twilio.settings()), { mode: 0o600 });
  for (const channel of ["SMS", "VOICE"]) {
    folder.command("carriers", "set", "--tenant", tenantId, "--channel", channel, "--file", file);
  }
  ({ eventsUrl } = folder.command<{ eventsUrl: string }>("carriers", "show", "--tenant", tenantId, "--channel", "SMS"));
  const made = await post("/api/v1/merchants", {
    merchantId: "shop",
    displayName: "Shop",
    smsLimit: 100_000,
    voiceMinutesLimit: 10,
  });
  expect(made.status).toBe(200);
});
afterAll(async () => {
  await folder.remove();
  await twilio.close();
});

/** Delivers a callback as Twilio does, through the proxy: again, until it is taken or refused. Resolves to the status. */
async function deliver({ url, headers, body }: Callback): Promise<number> {
  for (;;) {
    const { status } = await fetch(url.replace(PUBLIC_URL, server.baseUrl), { method: "POST", headers, body });
    if (status < 500) return status;
    await sleep(50);
  }
}

it("records STOP from a phone without an answer of its own, since Twilio answers", async () => {
  const to = "+14155550100";
  const body = { merchantId: "shop", type: "TRANSACTIONAL", to, message: "Hi" };
  expect((await post("/api/v1/messages/sms", body)).status).toBe(200);
  await expect.poll(() => twilio.taken.length, { interval: 100 }).toBe(1);
  const asked = twilio.asked.length;
  const stop = twilio.text(eventsUrl, { from: to, to: SENDER, body: "Stop", sid: "SM0" });
  for (let times = 0; times < 2; times += 1) expect(await deliver(stop)).toBe(200);
  const refused = await post("/api/v1/messages/sms", body);
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([422, "consent_opted_out"]);
  expect(twilio.asked).toHaveLength(asked);
  expect(await deliver({ ...stop, headers: {} })).toBe(403);
  expect((await fetch(`${server.baseUrl}/carriers/nothing/events`, { method: "POST" })).status).toBe(404);
});

it("places a call that plays the server's speech, and knows that all of it was heard", async () => {
  const text = "Your table is ready.";
  const body = { merchantId: "shop", toNumber: "+12125550147", messageText: text, useCase: "OTP" };
  const { requestId } = (await (await post("/api/v1/voice/tts-calls", body)).json()) as { requestId: string };
  await expect.poll(() => twilio.calls.length, { interval: 100 }).toBe(1);
  const [call] = twilio.calls;
  if (call === undefined) throw new Error("no call was placed");
  const [, link = ""] = /<Play>(.*)<\/Play>/.exec(call.twiml) ?? [];
  const speech = await fetch(link.replace(PUBLIC_URL, server.baseUrl));
  expect([speech.status, speech.headers.get("content-type")]).toEqual([200, "audio/wav"]);
  expect((await speech.text()).endsWith(text)).toBe(true);
  expect((await fetch(`${server.baseUrl}/speech/${"0".repeat(64)}`)).status).toBe(404);
  const callbacks = [
    twilio.reportCall(call, "ringing"),
    twilio.reportCall(call, "in-progress"),
    twilio.finishSpeech(call),
    twilio.reportCall(call, "completed", { CallDuration: 61 }),
  ];
  for (const callback of callbacks) expect(await deliver(callback)).toBeLessThan(300);
  const headers = { "X-API-KEY": credential.apiKey, "X-API-SECRET": credential.apiSecret };
  const found = await fetch(`${server.baseUrl}/api/v1/voice/tts-calls/${requestId}`, { headers });
  expect(await found.json()).toMatchObject({
    ...{ status: "COMPLETED", playbackStatus: "COMPLETED", finalStatus: "SUCCESS", callDurationSeconds: 61 },
    ...{ providerCallId: call.sid },
  });
});
