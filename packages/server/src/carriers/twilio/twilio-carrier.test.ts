// The carrier beside a stand-in for Twilio: what it sends, what its answers prove, and which callbacks it believes.

import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock } from "../../development/clocks.ts";
import { createSpeechLinks } from "../../domain/calls/speech-links.ts";
import { expectDoubtAtEachByte } from "../../testing/cut-requests.ts";
import { submissionOf } from "../../testing/scripted-smsc.ts";
import { type Callback, TwilioDouble } from "../../testing/twilio-double.ts";
import type { Provider, ProviderEvent } from "../provider.ts";
import type { SpeechFiles } from "../speech/engine.ts";
import { openTwilioCarrier } from "./open-twilio-carrier.ts";
import type { TwilioSettings } from "./settings.ts";

/** Returns a validator by the part of Twilio's OpenAPI document about sending texts, or about placing calls. */
function createValidator(file: "twilio-messages" | "twilio-calls") {
  const url = new URL(`../../testing/providers/${file}.json`, import.meta.url);
  const { request, components } = JSON.parse(readFileSync(url, "utf8")) as { request: object; components: object };
  return new Ajv({ strict: false, validateFormats: false }).compile({
    ...{ ...request, additionalProperties: false, components },
  });
}
const PUBLIC_URL = "https://msg.acme.example";
const EVENTS_URL = `${PUBLIC_URL}/carriers/3f/events`;
const ID = "msg_01JD0000000000000000000000";

const surroundings = {
  ...{ name: "twilio-1", pepper: "pepper", clock: createVirtualClock(0), eventsUrl: EVENTS_URL, publicUrl: PUBLIC_URL },
  speech: undefined,
};

let twilio: TwilioDouble;
let carrier: Provider;
let events: ProviderEvent[];
beforeAll(async () => {
  twilio = await TwilioDouble.listen();
});
afterAll(() => twilio.close());
beforeEach(() => {
  twilio.taken.length = 0;
  twilio.calls.length = 0;
  twilio.asked.length = 0;
  twilio.treat = () => "accept";
  events = [];
  carrier = open();
});
afterEach(() => carrier.stop());

function open(settings: Partial<TwilioSettings> = {}, speech?: SpeechFiles): Provider {
  const opened = openTwilioCarrier(twilio.settings(settings), { ...surroundings, speech });
  opened.start(async (event) => {
    events.push(event);
  });
  return opened;
}

let handedOver = 0;
const call = (signal = new AbortController().signal) => ({
  signal,
  handOver: async () => {
    handedOver += 1;
  },
});
const submit = (given: Parameters<typeof submissionOf>[0] = {}, through = carrier) =>
  through.submit(submissionOf({ clientReference: ID, ...given }), call());

const receive = ({ url, headers, body }: Callback) =>
  carrier.receive?.({ query: url.split("?")[1] ?? "", headers, body: Buffer.from(body) });

describe("a text", () => {
  it("is sent from the merchant's number or else the carrier's, with the time that it has left", async () => {
    const answer = await submit({ to: "+12025550100", content: "Grüße & mehr", giveUpAt: 90_500 });
    expect(answer).toEqual({ outcome: "taken", providerMessageId: twilio.taken[0]?.sid });
    expect(twilio.taken[0]).toMatchObject({ to: "+12025550100", from: "+12025550199", body: "Grüße & mehr" });
    expect(twilio.taken[0]?.validityPeriod).toBe(90);
    expect(twilio.taken[0]?.statusCallback).toMatch(
      /^https:\/\/msg\.acme\.example\/carriers\/3f\/events\?message=01jd/,
    );
    await submit({ sender: "+12025550142", giveUpAt: 72 * 3_600_000 });
    expect(twilio.taken[1]).toMatchObject({ from: "+12025550142", validityPeriod: 36_000 });
  });

  it("names the messaging service, if one is set", async () => {
    const messagingServiceSid = `MG${"1".repeat(32)}`;
    const other = open({ messagingServiceSid });
    await submit({}, other);
    await other.stop();
    expect(new URLSearchParams(twilio.asked[0]).get("MessagingServiceSid")).toBe(messagingServiceSid);
  });

  it("waits if Twilio cannot be reached, and is not handed over", async () => {
    const nowhere = open({ baseUrl: "http://127.0.0.1:1" });
    handedOver = 0;
    expect(await submit({ attempts: 2 }, nowhere)).toMatchObject({
      ...{
        outcome: "deferred",
        isUnreached: true,
        retryAfterMs: 4_000,
        detail: expect.stringContaining("ECONNREFUSED"),
      },
    });
    await expect(nowhere.probe?.()).rejects.toThrow("ECONNREFUSED");
    await nowhere.stop();
    expect(handedOver).toBe(0);
  });

  it("is in doubt if the answer is lost, whether Twilio has the text or not", async () => {
    for (const treatment of ["lose-answer", "cut"] as const) {
      twilio.treat = () => treatment;
      await expect(submit()).rejects.toThrow();
    }
    expect(twilio.taken).toHaveLength(1);
  });

  it("waits while the account's token is wrong", async () => {
    const other = open({ authToken: "wrong" });
    expect(await submit({}, other)).toMatchObject({ outcome: "deferred", isUnreached: true });
    await expect(other.probe?.()).rejects.toThrow("status 401");
    await other.stop();
    await carrier.probe?.();
  });

  it("gets its answer when the carrier is stopped meanwhile", async () => {
    const other = open();
    let stopped: Promise<void> | undefined;
    twilio.treat = () => {
      stopped = other.stop();
      return "accept";
    };
    expect(await submit({}, other)).toMatchObject({ outcome: "taken" });
    await stopped;
  });

  it("does not leave if the hand-over fails", async () => {
    const failing = { signal: new AbortController().signal, handOver: () => Promise.reject(new Error("no database")) };
    await expect(carrier.submit(submissionOf({}), failing)).rejects.toThrow("no database");
    expect(twilio.asked).toEqual([]);
  });
});

it("a request has only fields and values that Twilio's own description allows", async () => {
  const messagingServiceSid = `MG${"1".repeat(32)}`;
  const other = open({ messagingServiceSid });
  for (const giveUpAt of [-1, 999, 5_000, 72 * 3_600_000]) {
    await submit({ giveUpAt });
    await submit({ giveUpAt, sender: "24680", content: "x".repeat(1_600) }, other);
  }
  await other.stop();
  const isValid = createValidator("twilio-messages");
  expect(twilio.asked).toHaveLength(8);
  for (const body of twilio.asked) {
    const { ValidityPeriod, ...fields } = Object.fromEntries(new URLSearchParams(body));
    expect([isValid({ ...fields, ValidityPeriod: Number(ValidityPeriod) }), isValid.errors]).toEqual([true, null]);
    expect(Number(ValidityPeriod)).toBeGreaterThanOrEqual(1);
    expect(Number(ValidityPeriod)).toBeLessThanOrEqual(36_000);
    expect(URL.canParse(fields.StatusCallback ?? "")).toBe(true);
  }
});

describe("a callback", () => {
  beforeEach(() => submit());

  it("reports the status of the message that its URL names", async () => {
    const [text] = twilio.taken;
    if (text === undefined) throw new Error("nothing was sent");
    expect(await receive(twilio.report(text, "delivered"))).toEqual({ status: 204 });
    expect(await receive(twilio.report(text, "undelivered", 30003))).toEqual({ status: 204 });
    const named = { kind: "receipt", clientReference: ID, providerMessageId: text.sid };
    expect(events).toEqual([
      { ...named, eventId: `${text.sid} delivered`, status: "DELIVERED", reason: null },
      {
        ...{ ...named, eventId: `${text.sid} undelivered`, status: "UNDELIVERED", reason: "UNREACHABLE" },
        detail: "Twilio's error 30003",
      },
    ]);
  });

  it("is refused if its signature is missing or another's, and is not recorded", async () => {
    const [text] = twilio.taken;
    if (text === undefined) throw new Error("nothing was sent");
    const genuine = twilio.report(text, "delivered");
    const refused = { status: 403, detail: expect.any(String) };
    const forged: Callback[] = [
      { ...genuine, headers: {} },
      { ...genuine, headers: { "x-twilio-signature": "" } },
      { ...genuine, body: genuine.body.replace("MessageStatus=delivered", "MessageStatus=failed") },
      { ...genuine, url: genuine.url.replace("message=01jd", "message=01je") },
      { ...genuine, body: `${genuine.body}&MessageStatus=failed` },
    ];
    for (const callback of forged) expect(await receive(callback)).toEqual(refused);
    expect(events).toEqual([]);
  });

  it("without a token of this installation, or with an unknown status, reports nothing", async () => {
    const [text] = twilio.taken;
    if (text === undefined) throw new Error("nothing was sent");
    for (const statusCallback of [
      EVENTS_URL,
      `${EVENTS_URL}?message=x`,
      `${EVENTS_URL}?message=${"0".repeat(26)}-${"0".repeat(16)}`,
    ]) {
      expect(await receive(twilio.report({ ...text, statusCallback }, "delivered"))).toEqual({ status: 204 });
    }
    expect(await receive(twilio.report(text, "received"))).toEqual({ status: 204 });
    expect(events).toEqual([]);
  });

  it("is asked for again if it cannot be recorded", async () => {
    const [text] = twilio.taken;
    if (text === undefined) throw new Error("nothing was sent");
    const callback = twilio.report(text, "delivered");
    carrier.start(() => Promise.reject(new Error("no database")));
    await expect(receive(callback)).rejects.toThrow("no database");
    await carrier.stop();
    expect(await receive(callback)).toEqual({ status: 503 });
  });
});

it("a text from a phone is reported with the number that it was sent to, and gets an empty answer", async () => {
  const given = { from: "+12025550100", to: "+12025550199", body: "STOP", sid: "SM1" };
  expect(await receive(twilio.text(EVENTS_URL, given))).toEqual({
    ...{ status: 200, contentType: "text/xml", body: "<Response/>" },
  });
  const { sid: eventId, body: text, ...numbers } = given;
  expect(events).toEqual([{ kind: "inbound", eventId, ...numbers, text, isAnswered: true }]);
});

it("a server without a public URL cannot use the carrier", () => {
  expect(() => openTwilioCarrier(twilio.settings(), { ...surroundings, eventsUrl: undefined })).toThrow(
    "set --public-url",
  );
});

describe("a review", () => {
  const noSignal = new AbortController().signal;
  const review = (channel: "SMS" | "VOICE", providerMessageId: string) =>
    carrier.review?.({ clientReference: ID, providerMessageId, channel }, noSignal);

  it("reports what Twilio says of a text", async () => {
    await submit();
    const { sid = "" } = twilio.taken[0] ?? {};
    await review("SMS", sid);
    twilio.states.set(sid, { status: "undelivered", error_code: 30005 });
    await review("SMS", sid);
    const named = { kind: "receipt", clientReference: ID, providerMessageId: sid };
    expect(events).toEqual([
      { ...named, eventId: `${sid} queued`, status: "SENT", reason: null },
      {
        ...{ ...named, eventId: `${sid} undelivered`, status: "UNDELIVERED", reason: "UNKNOWN_HANDSET" },
        detail: "Twilio's error 30005",
      },
    ]);
  });

  it("reports what Twilio says of a call", async () => {
    await place();
    const { sid = "" } = twilio.calls[0] ?? {};
    await review("VOICE", sid);
    expect(events).toEqual([]);
    twilio.states.set(sid, { status: "completed", duration: "31", answered_by: "machine_start" });
    await review("VOICE", sid);
    const report = { stage: "ENDED", outcome: "VOICEMAIL", durationSeconds: 31 };
    expect(events).toEqual([
      { kind: "call", eventId: `${sid} completed`, clientReference: ID, providerMessageId: sid, report },
    ]);
  });

  it("reports nothing of what Twilio does not have, and fails if Twilio does not answer", async () => {
    await review("SMS", `SM${"0".repeat(32)}`);
    expect(events).toEqual([]);
    const nowhere = open({ baseUrl: "http://127.0.0.1:1" });
    const of = { clientReference: ID, providerMessageId: "SM", channel: "SMS" } as const;
    await expect(nowhere.review?.(of, noSignal)).rejects.toThrow("ECONNREFUSED");
    await nowhere.stop();
  });
});

/** Terms of a call whose speech has this reference. */
const terms = {
  ...{ speech: "ab".repeat(32), language: "en-GB", voice: "default" },
  ...{ isRecorded: false, ringSeconds: 25 },
};
const place = (given: Parameters<typeof submissionOf>[0] = {}, through = carrier) =>
  submit({ channel: "VOICE", content: "Hello", call: terms, ...given }, through);

/** A speech engine whose files exist, and which notes what it was asked for. */
function createSpeech(asked: object[]): SpeechFiles {
  return Object.assign(Object.create(null), {
    fileOf: async (order: object) => {
      asked.push(order);
      return "/speech/a.wav";
    },
  });
}

describe("a call", () => {
  it("is placed from the carrier's number, and Twilio speaks the text", async () => {
    const answer = await place({ content: "Fish & chips <1>", call: { ...terms, voice: "Polly.Amy" } });
    const [call] = twilio.calls;
    expect(answer).toEqual({ outcome: "taken", providerMessageId: call?.sid });
    expect(call).toMatchObject({ to: "+12025550100", from: "+12025550199" });
    expect(call?.twiml).toMatch(
      /^<Response><Pause length="1"\/><Say language="en-GB" voice="Polly.Amy">Fish &amp; chips &lt;1&gt;<\/Say><Redirect/,
    );
    const form = new URLSearchParams(twilio.asked[0]);
    expect(form.getAll("StatusCallbackEvent")).toEqual(["ringing", "answered", "completed"]);
    expect([form.get("Timeout"), form.get("Record"), form.get("MachineDetection")]).toEqual(["25", null, null]);
  });

  it("plays the speech that msgd made, by a link that leads to it", async () => {
    const asked: object[] = [];
    const speaking = open({}, createSpeech(asked));
    await place({ giveUpAt: 1_000 }, speaking);
    await speaking.stop();
    const [, link = ""] = /<Play>(.*)<\/Play>/.exec(twilio.calls[0]?.twiml ?? "") ?? [];
    const token = link.replace(`${PUBLIC_URL}/speech/`, "");
    const read = (now: number) => createSpeechLinks("pepper").read(token, now);
    // a call may wait at Twilio, for the rate of its account
    expect([read(86_400_000), read(2 * 86_400_000)]).toEqual([terms.speech, undefined]);
    expect(asked).toEqual([{ reference: terms.speech, text: "Hello", language: "en-GB", voice: "default" }]);
  });

  it("is not placed if its text is too long for Twilio", async () => {
    expect(await place({ content: "&".repeat(900) })).toMatchObject({
      ...{ outcome: "refused", reason: "TTS_FAILED", isUnasked: true, detail: expect.stringContaining("4,000") },
    });
    expect(twilio.asked).toEqual([]);
  });

  it("has only fields and values that Twilio's own description allows", async () => {
    const detecting = open({ machineDetection: true });
    await place();
    await place({ call: { ...terms, isRecorded: true, ringSeconds: 9_999 } }, detecting);
    await detecting.stop();
    const isValid = createValidator("twilio-calls");
    for (const body of twilio.asked) {
      const form = new URLSearchParams(body);
      const { Timeout, TimeLimit, Record: isRecorded, ...fields } = Object.fromEntries(form);
      const typed = { Timeout: Number(Timeout), TimeLimit: Number(TimeLimit), Record: isRecorded === "true" };
      const given = { ...fields, ...typed, StatusCallbackEvent: form.getAll("StatusCallbackEvent") };
      expect([isValid(given), isValid.errors]).toEqual([true, null]);
      expect(typed.Timeout).toBeLessThanOrEqual(600);
    }
    const last = new URLSearchParams(twilio.asked[1]);
    expect([last.get("MachineDetection"), last.get("AsyncAmd"), last.get("Record")]).toEqual([
      "Enable",
      "true",
      "true",
    ]);
  });

  it("is followed by Twilio's callbacks", async () => {
    await place();
    const [call] = twilio.calls;
    if (call === undefined) throw new Error("nothing was placed");
    for (const status of ["initiated", "ringing", "in-progress"]) await receive(twilio.reportCall(call, status));
    const played = await receive(twilio.finishSpeech(call));
    expect(played).toEqual({ status: 200, contentType: "text/xml", body: "<Response><Hangup/></Response>" });
    expect(await receive(twilio.reportCall(call, "completed", { CallDuration: 12 }))).toEqual({ status: 204 });
    const named = { kind: "call", clientReference: ID, providerMessageId: call.sid };
    expect(events).toEqual([
      { ...named, eventId: `${call.sid} ringing`, report: { stage: "RINGING" } },
      { ...named, eventId: `${call.sid} in-progress`, report: { stage: "ANSWERED" } },
      { ...named, eventId: `${call.sid} played`, report: { stage: "PLAYED" } },
      {
        ...{ ...named, eventId: `${call.sid} completed` },
        report: { stage: "ENDED", outcome: "HANGUP", durationSeconds: 12 },
      },
    ]);
  });

  it("is hung up after its speech even if that cannot be recorded", async () => {
    await place();
    const [call] = twilio.calls;
    if (call === undefined) throw new Error("nothing was placed");
    const answer = { status: 200, contentType: "text/xml", body: "<Response><Hangup/></Response>" };
    carrier.start(() => Promise.reject(new Error("no database")));
    expect(await receive(twilio.finishSpeech(call))).toEqual(answer);
    await carrier.stop();
    expect(await receive(twilio.finishSpeech(call))).toEqual(answer);
  });

  it("ends as the machine's that answered, which Twilio is asked about if its callback does not say so", async () => {
    const detecting = open({ machineDetection: true });
    await place({}, detecting);
    const [call] = twilio.calls;
    if (call === undefined) throw new Error("nothing was placed");
    const tell = async ({ url, headers, body }: Callback) =>
      detecting.receive?.({ query: url.split("?")[1] ?? "", headers, body: Buffer.from(body) });
    twilio.states.set(call.sid, { status: "completed", duration: "9", answered_by: "machine_start" });
    await tell(twilio.reportCall(call, "completed", { CallDuration: 9 }));
    await tell(twilio.reportCall(call, "completed", { CallDuration: 9, AnsweredBy: "human" }));
    await detecting.stop();
    const outcomes = events.map((event) => event.kind === "call" && event.report.stage === "ENDED" && event.report);
    expect(outcomes).toEqual([
      { stage: "ENDED", outcome: "VOICEMAIL", durationSeconds: 9 },
      { stage: "ENDED", outcome: "HANGUP", durationSeconds: 9 },
    ]);
  });
});

describe("a MARKETING call of a carrier with an opt-out key", () => {
  const marketing = { intro: "Press 9 for no more calls.", optOutKey: "9" };
  const hangsUp = { status: 200, contentType: "text/xml", body: "<Response><Hangup/></Response>" };
  let marketer: Provider;
  beforeEach(() => {
    marketer = open({ marketing });
  });
  afterEach(() => marketer.stop());

  const placeOne = async () => {
    await place({ type: "MARKETING" }, marketer);
    const [placed] = twilio.calls;
    if (placed === undefined) throw new Error("nothing was placed");
    return placed;
  };

  it("lets a key be pressed during the speech, and goes on without one", async () => {
    const placed = await placeOne();
    expect(placed.twiml).toMatch(
      /^<Response><Pause length="1"\/><Gather input="dtmf" numDigits="1" finishOnKey="" timeout="2" action="[^"]*&amp;key=9" method="POST"><Say language="en-GB">Hello<\/Say><\/Gather><Redirect/,
    );
    expect(await receive(twilio.finishSpeech(placed))).toEqual(hangsUp);
    expect(events).toMatchObject([{ kind: "call", report: { stage: "PLAYED" } }]);
  });

  it("opts the recipient out when the key is pressed, ends, and counts as heard", async () => {
    const placed = await placeOne();
    expect(await receive(twilio.pressKey(placed, "9"))).toEqual(hangsUp);
    expect(events).toEqual([
      { kind: "opt-out", eventId: `${placed.sid} key`, clientReference: ID, cause: "OPT_OUT" },
      {
        ...{ kind: "call", eventId: `${placed.sid} played`, clientReference: ID, providerMessageId: placed.sid },
        report: { stage: "PLAYED" },
      },
    ]);
  });

  it("ends when another key is pressed, without an opt-out", async () => {
    expect(await receive(twilio.pressKey(await placeOne(), "8"))).toEqual(hangsUp);
    expect(events).toEqual([]);
  });

  it("is refused with a forged key, and is not said to be opted out if that cannot be recorded", async () => {
    const pressed = twilio.pressKey(await placeOne(), "9");
    expect(await receive({ ...pressed, url: pressed.url.replace("key=9", "key=8") })).toMatchObject({ status: 403 });
    carrier.start(() => Promise.reject(new Error("no database")));
    await expect(receive(pressed)).rejects.toThrow("no database");
  });

  it("has no key for other types, and none in a test call", async () => {
    await place({ type: "REMINDER" }, marketer);
    await submit({ channel: "VOICE", content: "Hello", type: "MARKETING" }, marketer);
    expect(twilio.calls.map(({ twiml }) => twiml.includes("<Gather"))).toEqual([false, false]);
  });
});

it("a connection that is cut at any byte leaves no text that Twilio has without doubt or proof", async () => {
  await expectDoubtAtEachByte({
    port: twilio.port,
    open: (baseUrl) => open({ baseUrl }),
    countTaken: ({ to }) => twilio.taken.filter((text) => text.to === to).length,
  });
});
