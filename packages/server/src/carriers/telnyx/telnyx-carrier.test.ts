// The carrier beside a stand-in for Telnyx: what it sends, what its answers prove, and which events it believes.

import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock } from "../../development/clocks.ts";
import { objectOf } from "../../domain/document-checks.ts";
import { expectDoubtAtEachByte } from "../../testing/cut-requests.ts";
import { submissionOf } from "../../testing/scripted-smsc.ts";
import { TelnyxDouble } from "../../testing/telnyx-double.ts";
import type { Callback } from "../../testing/twilio-double.ts";
import type { Provider, ProviderEvent } from "../provider.ts";
import { openTelnyxCarrier } from "./open-telnyx-carrier.ts";
import { findTelnyxFaults, type TelnyxSettings } from "./settings.ts";

const EVENTS_URL = "https://msg.acme.example/carriers/3f/events";
const ID = "msg_01JD0000000000000000000000";
const NOW = Date.UTC(2026, 0, 15, 12);

let telnyx: TelnyxDouble;
let carrier: Provider;
let events: ProviderEvent[];
beforeAll(async () => {
  telnyx = await TelnyxDouble.listen();
});
afterAll(() => telnyx.close());
beforeEach(() => {
  telnyx.taken.length = 0;
  telnyx.asked.length = 0;
  telnyx.treat = () => "accept";
  events = [];
  carrier = open();
});
afterEach(() => carrier.stop());

function open(settings: Partial<TelnyxSettings> = {}): Provider {
  const surroundings = { name: "telnyx-1", pepper: "pepper", clock: createVirtualClock(NOW), eventsUrl: EVENTS_URL };
  const opened = openTelnyxCarrier(telnyx.settings(settings), surroundings);
  opened.start(async (event) => {
    events.push(event);
  });
  return opened;
}

const unbounded = () => ({ signal: new AbortController().signal, handOver: async () => {} });
const submit = (given: Parameters<typeof submissionOf>[0] = {}, through = carrier) =>
  through.submit(submissionOf({ clientReference: ID, ...given }), unbounded());

const receive = ({ url, headers, body }: Callback) =>
  carrier.receive?.({ query: url.split("?")[1] ?? "", headers, body: Buffer.from(body) });

function firstText() {
  const [text] = telnyx.taken;
  if (text === undefined) throw new Error("nothing was sent");
  return text;
}

describe("a text", () => {
  it("is sent from the merchant's number or else the carrier's", async () => {
    const answer = await submit({ to: "+12025550100", content: "Grüße" });
    expect(answer).toEqual({ outcome: "taken", providerMessageId: firstText().id });
    expect(firstText()).toMatchObject({ to: "+12025550100", from: "+12025550199", text: "Grüße" });
    expect(firstText().webhookUrl).toMatch(/^https:\/\/msg\.acme\.example\/carriers\/3f\/events\?message=01jd/);
    await submit({ sender: "+12025550142" });
    expect(telnyx.taken[1]).toMatchObject({ from: "+12025550142" });
  });

  it("waits if Telnyx cannot be reached, or refuses the key", async () => {
    for (const settings of [{ baseUrl: "http://127.0.0.1:1" }, { apiKey: "wrong" }]) {
      const other = open(settings);
      expect(await submit({}, other)).toMatchObject({ outcome: "deferred", isUnreached: true });
      await expect(other.probe?.()).rejects.toThrow(/ECONNREFUSED|status 401/);
      await other.stop();
    }
    await carrier.probe?.();
  });

  it("is in doubt if the answer is lost, whether Telnyx has the text or not", async () => {
    for (const treatment of ["lose-answer", "cut"] as const) {
      telnyx.treat = () => treatment;
      await expect(submit()).rejects.toThrow();
    }
    expect(telnyx.taken).toHaveLength(1);
  });
});

it("a request has only fields and values that Telnyx's own description allows", async () => {
  const url = new URL("../../testing/providers/telnyx-messages.json", import.meta.url);
  const { request } = JSON.parse(readFileSync(url, "utf8")) as { request: object };
  const isValid = new Ajv({ allowUnionTypes: true }).compile({ ...request, additionalProperties: false });
  const profiled = open({ from: "ACME", messagingProfileId: "16fd2706-8baf-433b-82eb-8c7fada847da" });
  await submit();
  await submit({ content: "x".repeat(1_600), sender: "24680" }, profiled);
  await profiled.stop();
  expect(telnyx.asked).toHaveLength(2);
  for (const body of telnyx.asked) expect([isValid(JSON.parse(body)), isValid.errors]).toEqual([true, null]);
  expect(JSON.parse(telnyx.asked[1] ?? "")).toMatchObject({ messaging_profile_id: expect.stringMatching(/^16fd/) });
});

describe("an event", () => {
  beforeEach(() => submit());

  it("reports the status of the message that its URL names", async () => {
    const text = firstText();
    const failed = { status: "delivery_failed", code: "40012", title: "Invalid number" };
    for (const state of [{ status: "sent" }, { status: "delivered" }, failed]) {
      expect(await receive(telnyx.report(text, state, NOW))).toEqual({ status: 204 });
    }
    const named = { kind: "receipt", clientReference: ID, providerMessageId: text.id };
    expect(events).toEqual([
      { ...named, eventId: `${text.id} sent`, status: "SENT", reason: null },
      { ...named, eventId: `${text.id} delivered`, status: "DELIVERED", reason: null },
      {
        ...{ ...named, eventId: `${text.id} delivery_failed`, status: "UNDELIVERED", reason: "UNKNOWN_HANDSET" },
        detail: "Telnyx's error 40012: Invalid number",
      },
    ]);
  });

  it("is refused if its signature is missing, another's or old, and is not recorded", async () => {
    const genuine = telnyx.report(firstText(), { status: "delivered" }, NOW);
    const other = await TelnyxDouble.listen();
    const forged: Callback[] = [
      { ...genuine, headers: {} },
      { ...genuine, headers: { ...genuine.headers, "telnyx-signature-ed25519": "" } },
      { ...genuine, headers: { ...genuine.headers, "telnyx-timestamp": String(NOW / 1_000 - 1) } },
      { ...genuine, headers: { ...genuine.headers, "telnyx-timestamp": "soon" } },
      { ...genuine, body: genuine.body.replace("delivered", "sending_failed") },
      { ...genuine, body: `${genuine.body} ` },
      telnyx.report(firstText(), { status: "delivered" }, NOW - 301_000),
      telnyx.report(firstText(), { status: "delivered" }, NOW + 301_000),
      other.report(firstText(), { status: "delivered" }, NOW),
    ];
    await other.close();
    for (const callback of forged) expect(await receive(callback)).toEqual({ status: 403, detail: expect.any(String) });
    expect(events).toEqual([]);
  });

  it("without a token of this installation, or of another kind, reports nothing", async () => {
    const text = firstText();
    for (const webhookUrl of [EVENTS_URL, `${EVENTS_URL}?message=${"0".repeat(26)}-${"0".repeat(16)}`]) {
      const callback = telnyx.report({ ...text, webhookUrl }, { status: "delivered" }, NOW);
      expect(await receive(callback)).toEqual({ status: 204 });
    }
    for (const data of [{}, { event_type: "number_order.complete" }, { event_type: "message.received", payload: {} }]) {
      expect(await receive(telnyx.sign(text.webhookUrl, data, NOW))).toEqual({ status: 204 });
    }
    expect(events).toEqual([]);
  });

  it("is asked for again if it cannot be recorded", async () => {
    const callback = telnyx.report(firstText(), { status: "delivered" }, NOW);
    carrier.start(() => Promise.reject(new Error("no database")));
    await expect(receive(callback)).rejects.toThrow("no database");
    await carrier.stop();
    expect(await receive(callback)).toEqual({ status: 503 });
  });
});

it("a text from a phone is reported with the number that it was sent to", async () => {
  const given = { from: "+12025550100", to: "+12025550199", text: "STOP", id: "a1" };
  expect(await receive(telnyx.text(EVENTS_URL, given, NOW))).toEqual({ status: 204 });
  const { id: eventId, ...text } = given;
  expect(events).toEqual([{ kind: "inbound", eventId, ...text, isAnswered: true }]);
});

describe("a review", () => {
  const review = (providerMessageId: string) =>
    carrier.review?.({ clientReference: ID, providerMessageId, channel: "SMS" }, unbounded().signal);

  it("reports what Telnyx says of a text", async () => {
    await submit();
    const { id } = firstText();
    telnyx.states.set(id, { status: "delivered" });
    await review(id);
    const named = { kind: "receipt", clientReference: ID, providerMessageId: id };
    expect(events).toEqual([{ ...named, eventId: `${id} delivered`, status: "DELIVERED", reason: null }]);
  });

  it("reports nothing of what Telnyx does not have", async () => {
    await review("40385f64-5717-4562-b3fc-2c963f66afa6");
    expect(events).toEqual([]);
  });
});

it.each([
  [{ publicKey: "AAAA" }, "/publicKey", "32 bytes in base64"],
  [{ from: "ACME" }, "/messagingProfileId", "which is a name"],
  [{ messagingProfileId: "x" }, "/messagingProfileId", "UUID"],
  [{ baseUrl: "http://api.telnyx.com" }, "/baseUrl", "https"],
])("the settings %j have a fault at %s", (given, pointer, words) => {
  const document = { ...telnyx.settings(), ...given };
  const faults = findTelnyxFaults(objectOf(document, ""));
  expect(faults).toEqual([{ pointer, detail: expect.stringContaining(words) }]);
});

it("a connection that is cut at any byte leaves no text that Telnyx has without doubt or proof", async () => {
  await expectDoubtAtEachByte({
    port: telnyx.port,
    open: (baseUrl) => open({ baseUrl }),
    countTaken: ({ to }) => telnyx.taken.filter((text) => text.to === to).length,
  });
});
