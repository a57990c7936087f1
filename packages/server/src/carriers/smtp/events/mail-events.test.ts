// Mails leave over SMTP to a test server. Their provider's events arrive at the route of events, repeated, out of order and
// forged, and are recorded in a real store.

import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Dispatcher } from "../../../dispatch/messages/dispatcher.ts";
import type { EventsRequest } from "../../../domain/carrier-events.ts";
import { addCarrierEventsRoute } from "../../../http/carrier-events.ts";
import { createWorld, hourMs, startMs, type World } from "../../../testing/dispatch-world.ts";
import {
  MailgunDouble,
  type MailProvider,
  PostmarkDouble,
  SendGridDouble,
  SesDouble,
} from "../../../testing/mail-provider-double.ts";
import { type MailServer, openMailServer } from "../../../testing/mail-server.ts";
import { openTestStore } from "../../../testing/test-store.ts";
import type { Provider } from "../../provider.ts";
import { completeSmtpSettings } from "../settings.ts";
import { openSmtpCarrier } from "../smtp-carrier.ts";

let server: MailServer;
let app: FastifyInstance;
let world: World<Provider>;
let dispatcher: Dispatcher;
let warned: string[];
let now: () => number;

beforeEach(async () => {
  server = await openMailServer();
  app = fastify();
  warned = [];
  now = () => startMs;
});
afterEach(async () => {
  await app.close();
  await world.close();
  await server.close();
});

async function open(provider: MailProvider): Promise<void> {
  const settings = completeSmtpSettings({
    ...{ kind: "smtp", host: "127.0.0.1", port: server.port, tls: "none", from: "Acme <no-reply@acme.example>" },
    events: provider.settings,
  });
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: (clock) =>
      openSmtpCarrier(settings, {
        ...{ name: "smtp-1", clock, pepper: "pepper", eventsUrl: "https://msg.acme.example/carriers/secret/events" },
        logger: { warn: (_details, text) => void warned.push(text), error: (_details, text) => void warned.push(text) },
        ...(provider instanceof SesDouble ? { getFromSns: provider.getFromSns } : {}),
      }),
  });
  now = () => world.clock.now();
  addCarrierEventsRoute(app, { findReceiver: (id) => (id === "secret" ? world.provider : undefined) });
  dispatcher = world.dispatcher();
  await dispatcher.start();
}

async function post({ headers, body }: EventsRequest): Promise<number> {
  const reply = await app.inject({
    ...{ method: "POST", url: "/carriers/secret/events", payload: body },
    headers: { "content-type": "application/json", ...headers },
  });
  return reply.statusCode;
}

/** Sends a mail, and returns it as the server took it, with its id. */
async function send(to: string) {
  const messageId = await world.accept(to, { type: "TRANSACTIONAL" });
  dispatcher.notify();
  await expect.poll(async () => (await world.message(messageId)).status).toBe("SENT");
  const mail = server.taken.find((taken) => taken.to === to);
  if (mail === undefined) throw new Error("the server did not take the mail");
  return { mail, messageId };
}

describe.each([
  ["SendGrid", () => new SendGridDouble(() => now())],
  ["Mailgun", () => new MailgunDouble(() => now())],
  ["Postmark", () => new PostmarkDouble(() => now())],
  ["SES", () => new SesDouble(() => now())],
] as const)("events of %s", (_name, create) => {
  let provider: MailProvider;
  beforeEach(async () => {
    provider = create();
    await open(provider);
  });

  it("settle each mail once, however often and in whatever order they arrive", async () => {
    const [delivered, bounced, waiting] = [
      await send("a@example.com"),
      await send("b@example.com"),
      await send("c@example.com"),
    ];
    const report = ({ mail }: typeof delivered, kind: Parameters<MailProvider["report"]>[1]) =>
      provider.report(mail, kind);
    const events = [
      await report(bounced, "deferred"),
      await report(delivered, "delivered"),
      await report(bounced, "bounced"),
      await report(delivered, "accepted"),
      await report(waiting, "deferred"),
      await report(bounced, "accepted"),
    ];
    for (const event of [...events, ...events.toReversed()]) expect(await post(event)).toBe(200);
    expect(await world.statuses()).toEqual({
      ...{ [delivered.messageId]: "DELIVERED", [bounced.messageId]: "UNDELIVERED", [waiting.messageId]: "SENT" },
    });
    expect(await world.message(bounced.messageId)).toMatchObject({ deliveryReason: "UNREACHABLE" });
    // an address that bounced for good gets no further mail
    const another = await world.accept("b@example.com", { type: "TRANSACTIONAL" });
    dispatcher.notify();
    await expect.poll(async () => (await world.message(another)).status).toBe("FAILED");
    expect(server.taken.filter(({ to }) => to === "b@example.com")).toHaveLength(1);
    // nobody knows what became of a mail that its provider has not settled
    await world.clock.advanceBy(80 * hourMs);
    expect(await world.message(waiting.messageId)).toMatchObject({ status: "UNKNOWN" });
  });

  it("opt the recipient out once", async () => {
    const [complained, left] = [await send("a@example.com"), await send("b@example.com")];
    const events = [
      await provider.report(complained.mail, "complained"),
      await provider.report(left.mail, "unsubscribed"),
    ];
    for (const event of [...events, ...events]) expect(await post(event)).toBe(200);
    const isSes = provider.settings.provider === "ses";
    expect(await world.consent("a@example.com")).toEqual({
      status: "OPT_OUT",
      source: "PROVIDER:COMPLAINT",
      changes: 1,
    });
    const source = isSes ? "PROVIDER:COMPLAINT" : "PROVIDER:OPT_OUT";
    expect(await world.consent("b@example.com")).toEqual({ status: "OPT_OUT", source, changes: 1 });
  });

  it("opt a recipient out again who opted in and uses the link of the same mail once more, but not by a repetition", async () => {
    const { mail } = await send("a@example.com");
    const first = await provider.report(mail, "unsubscribed");
    expect(await post(first)).toBe(200);
    await world.clock.advanceBy(hourMs);
    await world.setConsent("a@example.com", "OPT_IN");
    expect(await post(first)).toBe(200);
    expect(await world.consent("a@example.com")).toMatchObject({ status: "OPT_IN" });
    expect(await post(await provider.report(mail, "unsubscribed"))).toBe(200);
    expect(await world.consent("a@example.com")).toMatchObject({ status: "OPT_OUT" });
  });

  it("about mails of others change nothing, and those of forgers are refused", async () => {
    const { mail, messageId } = await send("a@example.com");
    const [token = ""] = /[\da-z]{26}-[\da-f]{16}/.exec(mail.source) ?? [];
    const foreign = { ...mail, source: mail.source.replaceAll(token, `${token.slice(0, -1)}x`), from: "x@example.com" };
    expect(await post(await provider.report(foreign, "bounced"))).toBe(200);
    const stranger = create();
    const forged = await stranger.report(mail, "bounced");
    const isShared = provider.settings.provider === "mailgun" || provider.settings.provider === "postmark";
    // the double of a provider with a shared secret has the same one each time
    const body = isShared
      ? Buffer.from(forged.body.toString().replace(/"signature":"./, '"signature":"!'))
      : forged.body;
    const headers = provider.settings.provider === "postmark" ? {} : forged.headers;
    expect(await post({ ...forged, headers, body })).toBe(403);
    expect(await world.message(messageId)).toMatchObject({ status: "SENT" });
  });

  it("are asked for again while the carrier is stopped", async () => {
    const { mail } = await send("a@example.com");
    const event = await provider.report(mail, "delivered");
    await world.provider.stop();
    expect(await post(event)).toBe(503);
  });
});

describe("a subscription to an SNS topic", () => {
  it("is confirmed with a request to SNS, and again if SNS cannot be reached", async () => {
    const ses = new SesDouble(() => startMs);
    await open(ses);
    ses.status = 503;
    expect(await post(ses.confirmation())).toBe(503);
    const path = ses.requested.at(-1) ?? "";
    expect(path).toMatch(/^\/\?Action=ConfirmSubscription&/);
    ses.answers.set(path, "<ConfirmSubscriptionResponse/>");
    expect(await post(ses.confirmation())).toBe(200);
    expect(ses.requested.filter((requested) => requested === path)).toHaveLength(2);
  });

  it("is warned of when it ends", async () => {
    const ses = new SesDouble(() => startMs);
    await open(ses);
    expect(await post(ses.confirmation({ Type: "UnsubscribeConfirmation" }))).toBe(200);
    expect(warned).toEqual(["the subscription to the SNS topic was removed: no events arrive for the carrier"]);
  });
});

describe("a request with many events", () => {
  it("is acknowledged after all are recorded", async () => {
    const sendGrid = new SendGridDouble(() => startMs);
    await open(sendGrid);
    const { mail, messageId } = await send("a@example.com");
    const [event] = JSON.parse((await sendGrid.report(mail, "delivered")).body.toString());
    const many = Array.from({ length: 1_000 }, (_none, index) => ({ ...event, sg_event_id: String(index) }));
    expect(await post(sendGrid.sign(many))).toBe(200);
    expect(await world.message(messageId)).toMatchObject({ status: "DELIVERED" });
  });

  it("is repeated as a whole if one cannot be recorded", async () => {
    const sendGrid = new SendGridDouble(() => startMs);
    await open(sendGrid);
    const { mail } = await send("a@example.com");
    const [event] = JSON.parse((await sendGrid.report(mail, "delivered")).body.toString());
    let recorded = 0;
    world.provider.start(async () => {
      recorded += 1;
      if (recorded === 7) throw new Error("no database");
    });
    const request = sendGrid.sign(Array(10).fill(event));
    expect(await post(request)).toBe(503);
    expect(await post(request)).toBe(200);
    expect(recorded).toBe(20);
  });
});

it("a server without a public URL cannot use a carrier with events", () => {
  world = { close: async () => {} } as World<Provider>;
  const { settings: events } = new PostmarkDouble();
  const settings = completeSmtpSettings({ kind: "smtp", host: "h", from: "a@acme.example", events });
  const logger = { warn() {}, error() {} };
  const clock = { now: () => 0 } as never;
  expect(() => openSmtpCarrier(settings, { name: "s", pepper: "p", clock, logger })).toThrow("set --public-url");
});
