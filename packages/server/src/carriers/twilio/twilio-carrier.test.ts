// The carrier beside a stand-in for Twilio: what it sends, what its answers prove, and which callbacks it believes.

import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock } from "../../development/clocks.ts";
import { type Cut, cutAtEachByte, openCuttingProxy } from "../../testing/cutting-proxy.ts";
import { submissionOf } from "../../testing/scripted-smsc.ts";
import { type Callback, TwilioDouble } from "../../testing/twilio-double.ts";
import type { Provider, ProviderEvent } from "../provider.ts";
import { openTwilioCarrier } from "./open-twilio-carrier.ts";
import type { TwilioSettings } from "./settings.ts";

/** The part of Twilio's OpenAPI document about sending a message. */
const description = JSON.parse(
  readFileSync(new URL("../../testing/providers/twilio-messages.json", import.meta.url), "utf8"),
) as { readonly request: object; readonly components: object };
const EVENTS_URL = "https://msg.acme.example/carriers/3f/events";
const ID = "msg_01JD0000000000000000000000";

let twilio: TwilioDouble;
let carrier: Provider;
let events: ProviderEvent[];
beforeAll(async () => {
  twilio = await TwilioDouble.listen();
});
afterAll(() => twilio.close());
beforeEach(() => {
  twilio.taken.length = 0;
  twilio.asked.length = 0;
  twilio.treat = () => "accept";
  events = [];
  carrier = open();
});
afterEach(() => carrier.stop());

function open(settings: Partial<TwilioSettings> = {}, eventsUrl: string | undefined = EVENTS_URL): Provider {
  const surroundings = { name: "twilio-1", pepper: "pepper", clock: createVirtualClock(0), eventsUrl };
  const opened = openTwilioCarrier(twilio.settings(settings), surroundings);
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
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile({
    ...description.request,
    additionalProperties: false,
    components: description.components,
  });
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
  expect(() =>
    openTwilioCarrier(twilio.settings(), {
      name: "t",
      pepper: "p",
      clock: createVirtualClock(0),
      eventsUrl: undefined,
    }),
  ).toThrow("set --public-url");
});

describe("a connection that is cut at any byte", () => {
  let messages = 0;

  async function sendThrough(cut: Cut | undefined) {
    messages += 1;
    const to = `+1202555${String(messages).padStart(4, "0")}`;
    const proxy = await openCuttingProxy(twilio.port, cut);
    const cuttable = open({ baseUrl: `http://127.0.0.1:${proxy.port}` });
    let isHandedOver = false;
    const outcome = await cuttable
      .submit(submissionOf({ clientReference: ID, to }), {
        signal: new AbortController().signal,
        handOver: async () => {
          isHandedOver = true;
        },
      })
      .then(
        (answer) => answer.outcome,
        () => undefined,
      );
    await cuttable.stop();
    await proxy.close();
    return { outcome, isHandedOver, seen: twilio.taken.filter((text) => text.to === to).length, passed: proxy.passed };
  }

  it("leaves no text that Twilio has without doubt or proof", async () => {
    const whole = await sendThrough(undefined);
    expect(whole).toMatchObject({ outcome: "taken", isHandedOver: true, seen: 1 });
    for (const direction of ["out", "back"] as const) {
      const bytes = whole.passed[direction];
      await cutAtEachByte({ direction, bytes, atOnce: 16 }, sendThrough, ({ outcome, isHandedOver, seen }, at) => {
        expect(seen, at).toBeLessThanOrEqual(1);
        // what Twilio has is known to have left
        if (seen === 1) expect([isHandedOver, outcome], at).not.toEqual([false, "deferred"]);
        if (outcome !== undefined && outcome !== "taken") expect(seen, at).toBe(0);
      });
    }
  });
});
