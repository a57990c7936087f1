// The carrier beside a stand-in for an adapter: what it asks for, what answers prove, and which events it believes.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { AdapterDouble, type PostedEvent, sign, type TakenMessage } from "../../testing/adapter-double.ts";
import { expectDoubtAtEachByte } from "../../testing/cut-requests.ts";
import { submissionOf } from "../../testing/scripted-smsc.ts";
import type { Provider, ProviderEvent, Submission } from "../provider.ts";
import { openHttpCarrier } from "./open-http-carrier.ts";
import type { HttpSettings } from "./settings.ts";

const PUBLIC_URL = "https://msg.acme.example";
const EVENTS_URL = `${PUBLIC_URL}/carriers/3f/events`;
const ID = "msg_01JD0000000000000000000000";
const OTHER = "msg_01JD0000000000000000000001";
const OTHER_SECRET = `whsec_${Buffer.alloc(32).toString("base64")}`;
const NOW = Date.UTC(2026, 10, 29);

let adapter: AdapterDouble;
let clock: VirtualClock;
let carrier: Provider;
let events: ProviderEvent[];
let handedOver: number;
beforeAll(async () => {
  adapter = await AdapterDouble.listen();
});
afterAll(() => adapter.close());
beforeEach(() => {
  adapter.clear();
  adapter.treat = () => "accept";
  adapter.isHealthy = true;
  [events, handedOver, clock] = [[], 0, createVirtualClock(NOW)];
  adapter.now = clock.now;
  carrier = open();
});
afterEach(async () => {
  await carrier.stop();
  expect(adapter.faults).toEqual([]);
});

function open(settings: Partial<HttpSettings> = {}): Provider {
  const surroundings = { name: "http-1", pepper: "pepper", clock, publicUrl: PUBLIC_URL, eventsUrl: EVENTS_URL };
  const opened = openHttpCarrier(adapter.settings(settings), surroundings);
  opened.start(async (event) => {
    events.push(event);
  });
  return opened;
}

const submit = (given: Partial<Submission> = {}, through = carrier) =>
  through.submit(submissionOf({ clientReference: ID, giveUpAt: NOW + 90_500, ...given }), {
    signal: new AbortController().signal,
    async handOver() {
      handedOver += 1;
    },
  });
const find = (id = ID) => carrier.find?.(id, new AbortController().signal);
const receive = ({ url, headers, body }: PostedEvent) =>
  carrier.receive?.({ query: url.split("?")[1] ?? "", headers, body: Buffer.from(body) });

async function takeOne(given: Partial<Submission> = {}): Promise<TakenMessage> {
  await submit(given);
  const taken = adapter.taken.at(-1);
  if (taken === undefined) throw new Error("nothing was taken");
  return taken;
}

describe("a message", () => {
  const common = { attempt: 1, tenantId: "1", merchantId: "m1", automatic: false };

  it("of the channel SMS has the sender: the merchant's number, or else the carrier's", async () => {
    expect(await submit({ content: "Grüße" })).toEqual({ outcome: "taken", providerMessageId: "provider-1" });
    expect(adapter.taken[0]).toMatchObject({
      id: ID,
      message: {
        ...{ ...common, channel: "SMS", type: "OTP", to: "+12025550100", content: "Grüße", sender: "+12025550199" },
        giveUpAt: "2026-11-29T00:01:30.500Z",
        eventsUrl: expect.stringMatching(/^https:\/\/msg\.acme\.example\/carriers\/3f\/events\?message=01jd/),
      },
    });
    await submit({ clientReference: OTHER, sender: "+12025550142", attempts: 2 });
    expect(adapter.taken[1]?.message).toMatchObject({ sender: "+12025550142", attempt: 3 });
  });

  it("of the channel SMS has no sender if the adapter chooses it", async () => {
    const { sender: _none, ...settings } = adapter.settings();
    const surroundings = { name: "http-2", pepper: "p", clock, publicUrl: PUBLIC_URL, eventsUrl: EVENTS_URL };
    const other = openHttpCarrier(settings, surroundings);
    other.start(async () => {});
    await submit({}, other);
    await other.stop();
    expect(adapter.taken[0]?.message).not.toHaveProperty("sender");
  });

  it("of the channel EMAIL has the subject and, if it is marketing, the link to unsubscribe", async () => {
    const mail = { channel: "EMAIL", to: "ada@example.com", subject: "Hi" } as const;
    const { message } = await takeOne({ ...mail, content: "<p>Hello</p>", type: "MARKETING" });
    const unsubscribeUrl = expect.stringMatching(/^https:\/\/msg\.acme\.example\/unsubscribe\/01jd/);
    expect(message).toMatchObject({ ...common, ...mail, html: true, unsubscribeUrl });
    const other = await takeOne({ ...mail, clientReference: OTHER });
    expect(other.message).toMatchObject({ html: false });
    expect(other.message).not.toHaveProperty("unsubscribeUrl");
  });

  it("of the channel VOICE has the words to speak, and how", async () => {
    const call = { speech: "5f", language: "de-DE", voice: "anna", isRecorded: true, ringSeconds: 20 };
    const { message } = await takeOne({ channel: "VOICE", content: "Hallo", call });
    const terms = { voice: "anna", language: "de-DE", ringSeconds: 20, record: true, speech: "5f" };
    expect(message).toMatchObject({ ...common, channel: "VOICE", content: "Hallo", ...terms });
    const trial = await takeOne({ channel: "VOICE", clientReference: OTHER });
    expect(trial.message).toMatchObject({ voice: "default", language: "en-US", ringSeconds: 30, record: false });
  });
});

describe("a MARKETING call of a carrier with an opt-out key", () => {
  const call = { speech: "5f", language: "en-US", voice: "default", isRecorded: false, ringSeconds: 20 };
  const marketing = { intro: "{merchant} calls. Press 9 for no more calls.", optOutKey: "9" };
  const content = "Acme calls. Press 9 for no more calls. Sale!";
  let marketer: Provider;
  beforeEach(() => {
    marketer = open({ marketing });
  });
  afterEach(() => marketer.stop());

  const place = async (given: Partial<Submission> = {}, through = marketer) => {
    await submit({ channel: "VOICE", type: "MARKETING", content, call, ...given }, through);
    const placed = adapter.taken.at(-1);
    if (placed === undefined) throw new Error("nothing was placed");
    return placed;
  };

  it("has the key, and its words as they are, which begin with the intro", async () => {
    expect(marketer.marketing).toEqual(marketing);
    expect((await place()).message).toMatchObject({ content, optOutKey: "9" });
  });

  it.each([
    ["another type", { type: "REMINDER" }],
    ["a test call", { call: undefined }],
    ["a text", { channel: "SMS", call: undefined }],
  ] as const)("has no key if it is %s", async (_what, given) => {
    expect((await place(given)).message).not.toHaveProperty("optOutKey");
  });

  it("has no key without the setting", async () => {
    expect(carrier).not.toHaveProperty("marketing");
    expect((await place({}, carrier)).message).not.toHaveProperty("optOutKey");
  });

  it("opts the recipient out when the adapter reports the key, and ends as heard", async () => {
    for (const posted of adapter.pressKey(await place())) expect(await receive(posted)).toEqual({ status: 204 });
    expect(events).toEqual([
      { kind: "opt-out", eventId: `${ID}:key`, clientReference: ID, cause: "OPT_OUT" },
      {
        ...{ kind: "call", eventId: `${ID}:end`, clientReference: ID, providerMessageId: "provider-1" },
        report: { stage: "ENDED", outcome: "HEARD", durationSeconds: 7 },
      },
    ]);
  });

  it("is opted out only by an event that is recorded, and to its own URL", async () => {
    const [pressed] = adapter.pressKey(await place());
    const other = await place({ clientReference: OTHER });
    if (pressed === undefined) throw new Error("no key was pressed");
    const elsewhere = sign(other.message.eventsUrl, pressed.body, { id: "e1", now: NOW });
    expect(await receive(elsewhere)).toMatchObject({ status: 403 });
    expect(events).toEqual([]);
    carrier.start(() => Promise.reject(new Error("no database")));
    await expect(receive(pressed)).rejects.toThrow("no database");
  });
});

describe("an answer", () => {
  const detail = "the provider's words";

  it.each([
    [
      { outcome: "refused", reason: "LANDLINE", detail },
      { outcome: "refused", reason: "LANDLINE", isOptOut: false, detail },
    ],
    [
      { outcome: "refused", reason: "OPTED_OUT", optOut: true },
      { outcome: "refused", reason: "OPTED_OUT", isOptOut: true },
    ],
    [
      { outcome: "refused", reason: "NEW" },
      { outcome: "refused", reason: "CARRIER_UNKNOWN", isOptOut: false },
    ],
    [
      { outcome: "failed", detail },
      { outcome: "failed", detail },
    ],
    [
      { outcome: "taken", providerMessageId: "p", parts: ["1", "2"] },
      { outcome: "taken", providerMessageId: "p", parts: ["1", "2"] },
    ],
  ])("of 200 with %j proves the outcome", async (body, outcome) => {
    adapter.treat = () => ({ status: 200, body });
    expect(await submit()).toEqual(outcome);
  });

  it.each([
    ["NUL", ["1", "\0"]],
    ["a lone surrogate", ["\ud800"]],
    ["too long an id", ["1".repeat(101)]],
    ["too many", Array(65).fill("1")],
    ["an empty id", [""]],
  ])("of 200 proves that the message is taken even if its parts have %s", async (_fault, parts) => {
    adapter.treat = () => ({ status: 200, body: { outcome: "taken", providerMessageId: "p", parts } });
    expect(await submit()).toEqual({ outcome: "taken", providerMessageId: "p" });
  });

  it.each([
    [{ status: 200 }],
    [{ status: 200, body: { outcome: "taken" } }],
    [{ status: 200, body: { outcome: "deferred", detail } }],
    [{ status: 204 }],
    [{ status: 302 }],
    [{ status: 400, body: { outcome: "refused", reason: "BLOCKED" } }],
    [{ status: 408 }],
    [{ status: 500 }],
    [{ status: 502 }],
    // a proxy's
    [{ status: 503, retryAfter: "1" }],
  ])("of %j proves nothing", async (treatment) => {
    adapter.treat = () => treatment;
    await expect(submit()).rejects.toThrow(`status ${treatment.status}`);
  });

  it("of 429 puts the message off, as long as the adapter says", async () => {
    adapter.treat = () => ({ status: 429, body: { outcome: "deferred", detail }, retryAfter: "7" });
    expect(await submit()).toEqual({ outcome: "deferred", retryAfterMs: 7_000, detail });
    adapter.treat = () => ({ status: 429 });
    const words = "the adapter answered with status 429";
    expect(await submit({ attempts: 3 })).toEqual({ outcome: "deferred", retryAfterMs: 8_000, detail: words });
  });

  it.each([401, 403, 404, 405, 503])("of %d lets all messages wait", async (status) => {
    adapter.treat = () => ({ status, body: { outcome: "deferred", detail } });
    expect(await submit()).toEqual({ outcome: "deferred", retryAfterMs: 1_000, detail, isUnreached: true });
  });

  it("that does not come leaves the message in doubt", async () => {
    for (const treatment of ["lose-answer", "cut"] as const) {
      adapter.treat = () => treatment;
      await expect(submit({ clientReference: treatment === "cut" ? OTHER : ID })).rejects.toThrow();
    }
    expect(adapter.taken).toHaveLength(1);
  });
});

it("messages wait if the adapter cannot be reached, or the secret is wrong", async () => {
  const nowhere = open({ url: "http://127.0.0.1:1" });
  expect(await submit({}, nowhere)).toMatchObject({ outcome: "deferred", isUnreached: true });
  expect(handedOver).toBe(0);
  await expect(nowhere.probe?.()).rejects.toThrow("ECONNREFUSED");
  await nowhere.stop();
  const other = open({ secret: OTHER_SECRET });
  expect(await submit({}, other)).toMatchObject({ outcome: "deferred", isUnreached: true });
  await expect(other.probe?.()).rejects.toThrow("status 401");
  await other.stop();
});

it("a probe asks for the health of the adapter", async () => {
  await carrier.probe?.();
  adapter.isHealthy = false;
  await expect(carrier.probe?.()).rejects.toThrow("status 503");
});

it("a message does not leave if the hand-over fails", async () => {
  const failing = { signal: new AbortController().signal, handOver: () => Promise.reject(new Error("no database")) };
  await expect(carrier.submit(submissionOf({ clientReference: ID }), failing)).rejects.toThrow("no database");
  expect(adapter.puts.size).toBe(0);
});

describe("a message in doubt", () => {
  it.each([
    ["lose-answer", { outcome: "taken", providerMessageId: "provider-1" }],
    ["lose-refusal", { outcome: "absent" }],
    ["cut", { outcome: "unknown" }],
  ] as const)("after %j is looked up", async (treatment, finding) => {
    adapter.treat = () => treatment;
    await expect(submit()).rejects.toThrow();
    expect(await find()).toEqual(finding);
  });

  it("is taken once if it is put again after the adapter said that it is absent", async () => {
    adapter.treat = (_to, attempt) => (attempt === 1 ? "lose-refusal" : "accept");
    await expect(submit()).rejects.toThrow();
    expect(await submit({ attempts: 1 })).toMatchObject({ outcome: "taken" });
    // the first attempt, which a proxy passed on late
    expect(await submit()).toMatchObject({ outcome: "taken" });
    expect(adapter.taken).toHaveLength(1);
  });
});

describe("an event", () => {
  it.each([
    [{ status: "SENT" }, { status: "SENT", reason: null }],
    [
      { status: "DELIVERED", reason: "BLOCKED" },
      { status: "DELIVERED", reason: null },
    ],
    [
      { status: "UNDELIVERED", reason: "BLOCKED", detail: "d" },
      { status: "UNDELIVERED", reason: "BLOCKED", detail: "d" },
    ],
    [{ status: "UNDELIVERED" }, { status: "UNDELIVERED", reason: "CARRIER_UNKNOWN" }],
    [{ status: "EXPIRED" }, { status: "EXPIRED", reason: "TTL_EXPIRED" }],
  ] as const)("is a receipt: %j", async (given, report) => {
    const taken = await takeOne();
    const about = { messageId: ID, providerMessageId: "p" };
    expect(await receive(adapter.event(taken, { type: "receipt", ...about, ...given }, "e1"))).toEqual({ status: 204 });
    expect(await receive(adapter.event(taken, { type: "part-receipt", part: "7", ...given }, "e2"))).toEqual({
      status: 204,
    });
    expect(events).toEqual([
      { kind: "receipt", eventId: "e1", clientReference: ID, providerMessageId: "p", ...report },
      { kind: "part-receipt", eventId: "e2", part: "7", ...report },
    ]);
  });

  it("is the progress or the end of a call, a complaint, a reply, a text, or a late answer", async () => {
    const taken = await takeOne();
    const own = { messageId: ID, providerMessageId: "p" };
    const given = [
      { type: "call-progress", ...own, stage: "RINGING" },
      { type: "call-end", ...own, result: "HANGUP", durationSeconds: 7 },
      { type: "complaint", messageId: ID },
      { type: "reply", messageId: ID, text: "STOP" },
      { type: "inbound", from: "+12025550100", to: "+12025550199", text: "STOP", answered: true },
      { type: "inbound", from: "+12025550100", to: "+12025550199", text: "HELP" },
      { type: "late-outcome", messageId: ID, attempt: 2, outcome: { outcome: "refused", reason: "BLOCKED" } },
    ] as const;
    for (const [index, event] of given.entries()) {
      expect(await receive(adapter.event(taken, event, `e${index}`))).toEqual({ status: 204 });
    }
    const about = { clientReference: ID, providerMessageId: "p" };
    const text = { kind: "inbound", from: "+12025550100", to: "+12025550199" };
    expect(events).toEqual([
      { kind: "call", eventId: "e0", ...about, report: { stage: "RINGING" } },
      { kind: "call", eventId: "e1", ...about, report: { stage: "ENDED", outcome: "HANGUP", durationSeconds: 7 } },
      { kind: "opt-out", eventId: "e2", clientReference: ID, cause: "COMPLAINT" },
      { kind: "reply", eventId: "e3", clientReference: ID, text: "STOP" },
      { ...text, eventId: "e4", text: "STOP", isAnswered: true },
      { ...text, eventId: "e5", text: "HELP", isAnswered: false },
      {
        ...{ kind: "late-answer", eventId: "e6", clientReference: ID, attempt: 2 },
        answer: { outcome: "refused", reason: "BLOCKED", isOptOut: false },
      },
    ]);
  });

  it("is refused if its signature, its time or its URL is not right, and is not recorded", async () => {
    const taken = await takeOne();
    const genuine = adapter.report(taken, "DELIVERED");
    const { eventsUrl } = taken.message;
    const { body } = genuine;
    const minutes = (count: number) => ({ id: "e1", now: NOW + count * 60_000 });
    const other = await takeOne({ clientReference: OTHER });
    const forged: PostedEvent[] = [
      { ...genuine, headers: {} },
      { ...genuine, headers: { ...genuine.headers, "webhook-signature": "v1," } },
      { ...genuine, headers: { ...genuine.headers, "webhook-id": "another" } },
      { ...genuine, body: genuine.body.replace("DELIVERED", "EXPIRED") },
      sign(eventsUrl, body, { ...minutes(0), secret: OTHER_SECRET }),
      sign(eventsUrl, body, minutes(-6)),
      sign(eventsUrl, body, minutes(6)),
      sign(EVENTS_URL, body, minutes(0)),
      sign(other.message.eventsUrl, body, minutes(0)),
    ];
    for (const posted of forged) expect(await receive(posted)).toEqual({ status: 403, detail: expect.any(String) });
    expect(events).toEqual([]);
    expect(await receive(sign(eventsUrl, body, minutes(-4)))).toEqual({ status: 204 });
  });

  it.each([
    ["{", "expected JSON"],
    [
      "null",
      "/type: expected one of receipt, part-receipt, call-progress, call-end, complaint, opt-out, reply, inbound, late-outcome",
    ],
    ['{"type":"constructor"}', "/type: expected one of receipt"],
    ['{"type":"complaint"}', "must have required property 'messageId'"],
    ['{"type":"part-receipt","part":"7","status":"LOST"}', "/status must be equal to one of the allowed values"],
    ['{"type":"part-receipt","part":"\\u0000","status":"SENT"}', "/part: expected no NUL and no lone surrogate"],
    ['{"type":"inbound","from":"+1\\ud800","to":"+1","text":""}', "/from: expected no NUL and no lone surrogate"],
    ['{"type":"inbound","from":"1","to":"2","text":7}', "/text must be string"],
  ])("is refused if it is %s, with the reason", async (body, fault) => {
    expect(await receive(sign(EVENTS_URL, body, { id: "e1", now: NOW }))).toMatchObject({
      status: 400,
      body: expect.stringContaining(fault),
    });
    expect(events).toEqual([]);
  });

  it("is asked for again if it cannot be recorded", async () => {
    const posted = adapter.report(await takeOne(), "DELIVERED");
    carrier.start(() => Promise.reject(new Error("no database")));
    await expect(receive(posted)).rejects.toThrow("no database");
    await carrier.stop();
    expect(await receive(posted)).toEqual({ status: 503 });
  });
});

it("a server without a public URL cannot use the carrier", () => {
  const surroundings = { name: "h", pepper: "p", clock, publicUrl: undefined, eventsUrl: undefined };
  expect(() => openHttpCarrier(adapter.settings(), surroundings)).toThrow("set --public-url");
});

it("a connection that is cut at any byte leaves no message that the adapter has without doubt or proof", async () => {
  await expectDoubtAtEachByte({
    port: adapter.port,
    open: (url) => open({ url: `${url}/adapter` }),
    countTaken: ({ clientReference }) => adapter.taken.filter(({ id }) => id === clientReference).length,
    given: { giveUpAt: NOW },
  });
});
