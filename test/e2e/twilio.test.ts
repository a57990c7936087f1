// A live tenant on a fresh server sends texts over a stand-in for Twilio, which loses answers, refuses, and repeats, reorders
// and forges its callbacks: no text is sent twice or lost, and each message ends as Twilio knows it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Callback, type Treatment, TwilioDouble } from "../../packages/server/src/testing/twilio-double.ts";
import { createPost, type Post } from "./create-post.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "./msgd-process.ts";
import { speakByScript } from "./speech-script.ts";

const MESSAGES = 300;
const AT_ONCE = 32;
/** The URL at which Twilio reaches the server, through a proxy. */
const PUBLIC_URL = "https://msg.acme.example";
const SENDER = "+12025550199";

const folder = new MsgdFolder();
let twilio: TwilioDouble;
let server: MsgdProcess;
let credential: Credential;
let eventsUrl: string;
let post: Post;
/** Callbacks that Twilio still has to deliver. */
const due: Promise<void>[] = [];

beforeAll(async () => {
  twilio = await TwilioDouble.listen();
  const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Live");
  credential = folder.createKey(tenantId);
  const speech = speakByScript(folder.parent);
  server = await folder.serve("--public-url", PUBLIC_URL, "--consent-policy", "opt_out_only", ...speech);
  post = createPost(server.baseUrl, credential);
  const file = join(folder.parent, "twilio.json");
  writeFileSync(file, JSON.stringify(twilio.settings({ connections: 16 })), { mode: 0o600 });
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

/** The outcomes, by the last two digits of the recipient. All others are delivered. */
const treatments = new Map<number, Treatment>([
  [1, "lose-answer"],
  [2, "cut"],
  [3, { status: 400, code: 21211, message: "Invalid 'To' Phone Number" }],
  [4, { status: 400, code: 21610, message: "Attempt to send to unsubscribed recipient" }],
  [5, { status: 500, code: 20500, message: "Internal Server Error" }],
  [6, "accept"],
]);
const outcomeOf = (to: string) => Number(to.slice(-1));
const UNDELIVERED = 6;

/** Delivers a callback as Twilio does, through the proxy: again, until it is taken or refused. Resolves to the status. */
async function deliver({ url, headers, body }: Callback): Promise<number> {
  for (;;) {
    const { status } = await fetch(url.replace(PUBLIC_URL, server.baseUrl), { method: "POST", headers, body });
    if (status < 500) return status;
    await sleep(50);
  }
}

/** Reports what became of the texts that Twilio took: in any order, twice, and by forgers, too. */
async function reportAll(): Promise<void> {
  for (const text of twilio.taken) {
    const end =
      outcomeOf(text.to) === UNDELIVERED ? twilio.report(text, "undelivered", 30005) : twilio.report(text, "delivered");
    const forged = { ...twilio.report(text, "failed", 30007), headers: { ...end.headers } };
    const refused = deliver(forged).then((status) => expect(status).toBe(403));
    const genuine = [end, twilio.report(text, "sent"), end, twilio.report(text, "queued")];
    due.push(refused, ...genuine.map((callback) => deliver(callback).then((status) => expect(status).toBe(204))));
    if (due.length > AT_ONCE) await Promise.all(due.splice(0));
  }
  await Promise.all(due.splice(0));
}

const numberOf = (index: number) => `+1415555${String(index).padStart(4, "0")}`;

it("sends each text once, and shows what Twilio knows of it", async () => {
  let isBusy = true;
  const decided = new Set<string>();
  // refuses every tenth request while it is busy
  let asked = 0;
  twilio.treat = (to) => {
    asked += 1;
    if (isBusy && asked % 10 === 0) return { status: 429, code: 20429, message: "Too many requests", retryAfter: "1" };
    decided.add(to);
    return treatments.get(outcomeOf(to)) ?? "accept";
  };
  const ids = new Map<string, string>();
  let next = 0;
  const sendNext = async () => {
    while (next < MESSAGES) {
      const to = numberOf(next++);
      const reply = await post("/api/v1/messages/sms", {
        merchantId: "shop",
        type: "TRANSACTIONAL",
        to,
        message: "Hi",
      });
      expect(reply.status).toBe(200);
      ids.set(((await reply.json()) as { messageId: string }).messageId, to);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  isBusy = false;
  const list = (...query: string[]) =>
    folder.command<{ messageId: string; to: string; status: string; reason: string | null }[]>(
      ...["messages", "list", ...query, "--tenant", credential.tenantId, "--limit", "10000"],
    );
  // those that wait after a 429 are sent, too
  await expect.poll(() => decided.size, { timeout: 120_000, interval: 100 }).toBe(MESSAGES);
  await reportAll();
  const expected = (to: string) => {
    switch (outcomeOf(to)) {
      case 2:
      case 5:
        // Twilio does not have them, but nothing proves it
        return ["SENDING", null];
      case 3:
        return ["FAILED", "UNKNOWN_HANDSET"];
      case 4:
        return ["FAILED", "OPTED_OUT"];
      case UNDELIVERED:
        return ["UNDELIVERED", "UNKNOWN_HANDSET"];
      default:
        return ["DELIVERED", null];
    }
  };
  const wanted = Object.fromEntries([...ids].map(([messageId, to]) => [messageId, expected(to)]));
  const read = () => Object.fromEntries(list().map(({ messageId, status, reason }) => [messageId, [status, reason]]));
  await expect.poll(read, { timeout: 120_000, interval: 1_000 }).toEqual(wanted);
  const numbers = twilio.taken.map(({ to }) => to);
  expect(new Set(numbers).size).toBe(numbers.length);
  // every text that Twilio did not refuse was asked for once
  const asks = twilio.asked.map((body) => new URLSearchParams(body).get("To") ?? "");
  for (const to of ids.values()) {
    const isLost = [2, 5].includes(outcomeOf(to));
    expect(numbers.includes(to)).toBe(![2, 3, 4, 5].includes(outcomeOf(to)));
    if (isLost) expect(asks.filter((other) => other === to).length).toBeGreaterThan(0);
  }
}, 600_000);

it("records STOP from a phone without an answer of its own, since Twilio answers", async () => {
  const [text] = twilio.taken;
  if (text === undefined) throw new Error("nothing was sent");
  const asked = twilio.asked.length;
  const stop = twilio.text(eventsUrl, { from: text.to, to: SENDER, body: "Stop", sid: "SM0" });
  for (let times = 0; times < 2; times += 1) expect(await deliver(stop)).toBe(200);
  const body = { merchantId: "shop", type: "TRANSACTIONAL", to: text.to, message: "Hi" };
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
  await expect.poll(() => twilio.calls.length, { timeout: 60_000, interval: 100 }).toBe(1);
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
