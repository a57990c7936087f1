// Mails against a server that keeps what it takes.

import { generateKeyPairSync } from "node:crypto";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../platform/clock.ts";
import { completeSettings, type SmtpSettings } from "../../../rules/carrier-settings.ts";
import { createMessageTokens } from "../../../rules/message-tokens.ts";
import { readReturnAddress } from "../../../rules/return-addresses.ts";
import { type MailServer, openMailServer, type Refusals } from "../../../testing/mail-server.ts";
import { unbounded } from "../../../testing/scripted-provider.ts";
import type { Provider, Submission } from "../provider.ts";
import { openSmtpCarrier } from "./smtp-carrier.ts";

const messageId = "msg_01JDMC0000ABCDEFGHJKMNPQRS";
const message: Submission = {
  clientReference: messageId,
  tenantId: 1,
  merchantId: "shop",
  channel: "EMAIL",
  type: "TRANSACTIONAL",
  to: "ada@example.com",
  subject: "Your order",
  content: "It is on its way.",
  automatic: false,
  attempts: 0,
  giveUpAt: 0,
};

let server: MailServer;
let opened: Provider[];

beforeEach(async () => {
  server = await openMailServer();
  opened = [];
});

afterEach(async () => {
  for (const carrier of opened) await carrier.stop();
  await server.close();
});

function open(settings: Partial<SmtpSettings> = {}, serverUrl?: string): Provider {
  const document = {
    kind: "smtp",
    host: "127.0.0.1",
    port: server.port,
    tls: "none",
    from: "Acme <no-reply@acme.example>",
  };
  const complete = completeSettings({ ...document, ...settings }) as SmtpSettings;
  const carrier = openSmtpCarrier("smtp-1", complete, {
    ...{ clock: systemClock, pepper: "pepper" },
    publicUrl: serverUrl,
  });
  opened.push(carrier);
  return carrier;
}

const send = (carrier: Provider, change: Partial<Submission> = {}) =>
  carrier.submit({ ...message, ...change }, unbounded);

const unreached = (words: RegExp) => ({
  outcome: "deferred",
  isUnreached: true,
  detail: expect.stringMatching(words),
});

async function sent(settings: Partial<SmtpSettings>, change: Partial<Submission> = {}, serverUrl?: string) {
  await send(open(settings, serverUrl), change);
  const mail = server.taken.at(-1);
  if (mail === undefined) throw new Error("the server took no mail");
  return { ...mail, parsed: await PostalMime.parse(mail.source) };
}

describe("a mail", () => {
  it("is taken, under the server's id", async () => {
    const outcome = await send(open());
    expect(outcome).toEqual({ outcome: "taken", providerMessageId: expect.stringMatching(/\S/) });
    expect(server.taken).toHaveLength(1);
  });

  it("says from whom, to whom, and what", async () => {
    const { from, to, parsed } = await sent({ replyTo: "help@acme.example" });
    expect([from, to]).toEqual(["no-reply@acme.example", "ada@example.com"]);
    expect(parsed).toMatchObject({
      from: { name: "Acme", address: "no-reply@acme.example" },
      to: [{ address: "ada@example.com" }],
      replyTo: [{ address: "help@acme.example" }],
      subject: "Your order",
      text: "It is on its way.\n",
    });
    expect(parsed.html).toBeUndefined();
  });

  it("has a text part beside HTML", async () => {
    const content = `<html><body><h1>Hello</h1><p>See <a href="https://acme.example/o/1">your order</a>.</p><img src="x.png"></body></html>`;
    const { parsed } = await sent({}, { content });
    expect(parsed.html).toContain("<h1>Hello</h1>");
    expect(parsed.text).toContain("See your order [https://acme.example/o/1].");
    expect(parsed.text).not.toContain("x.png");
  });

  it("has as many headers as it should, whatever its subject says", async () => {
    const subject = "Hello\r\nBcc: eve@example.com\r\n\r\n<script>\u2028X: y\0";
    const { parsed, to } = await sent({}, { subject });
    expect(parsed.bcc).toBeUndefined();
    expect(parsed.headers.map(({ key }) => key)).not.toContain("x");
    expect(parsed.subject).toBe("Hello Bcc: eve@example.com <script> X: y");
    expect(to).toBe("ada@example.com");
  });

  it("keeps lines that look like its end", async () => {
    const content = "one\r\n.\r\nQUIT\r\n..two\n.\nthree\r.\rfour";
    const { parsed } = await sent({}, { content });
    expect(parsed.text?.trim().split(/\r?\n|\r/)).toEqual(["one", ".", "QUIT", "..two", ".", "three", ".", "four"]);
    expect(server.taken).toHaveLength(1);
  });

  it("names its message to whoever returns it", async () => {
    const tokens = createMessageTokens("pepper", "bounce");
    const { from, envid, notify, parsed } = await sent({ returnPath: "bounces@acme.example" });
    expect(readReturnAddress(from, tokens)).toBe(messageId);
    expect(envid).toBe(messageId);
    expect(notify).toEqual(["SUCCESS", "FAILURE"]);
    expect(parsed.messageId).toBe(`<${tokens.make(messageId)}@acme.example>`);
  });

  it("asks for no reports where nobody reads them", async () => {
    const { envid, notify } = await sent({});
    expect([envid, notify]).toEqual([undefined, undefined]);
  });

  it("lets people unsubscribe with one click, if it is for MARKETING and they can reach the server", async () => {
    const header = (mail: Awaited<ReturnType<typeof sent>>, name: string) =>
      mail.parsed.headers.find(({ key }) => key === name)?.value;
    const publicUrl = "https://msg.acme.example/";
    const marketing = await sent({ publicUrl }, { type: "MARKETING" });
    const token = createMessageTokens("pepper", "unsubscribe").make(messageId);
    expect(header(marketing, "list-unsubscribe")).toBe(`<https://msg.acme.example/unsubscribe/${token}>`);
    expect(header(marketing, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const serverUrl = "https://msg.example.com";
    const own = await sent({ publicUrl }, { type: "MARKETING" }, serverUrl);
    expect(header(own, "list-unsubscribe")).toBe(`<https://msg.acme.example/unsubscribe/${token}>`);
    const servers = await sent({}, { type: "MARKETING" }, serverUrl);
    expect(header(servers, "list-unsubscribe")).toBe(`<https://msg.example.com/unsubscribe/${token}>`);
    for (const mail of [await sent({ publicUrl }), await sent({}, { type: "MARKETING" })]) {
      expect(header(mail, "list-unsubscribe")).toBeUndefined();
    }
  });

  it("is signed whole, with the headers by which people unsubscribe", async () => {
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2_048,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const dkim = { domain: "acme.example", selector: "msgd", privateKey };
    const { parsed } = await sent({ dkim, publicUrl: "https://msg.acme.example" }, { type: "MARKETING" });
    const signature = parsed.headers.find(({ key }) => key === "dkim-signature")?.value ?? "";
    expect(signature).toMatch(/\bd=acme\.example;.*\bs=msgd;/s);
    expect(
      /\bh=([^;]+)/
        .exec(signature)?.[1]
        ?.toLowerCase()
        .split(/[\s:]+/),
    ).toEqual(expect.arrayContaining(["from", "subject", "list-unsubscribe", "list-unsubscribe-post"]));
    expect(signature).toMatch(/\bb=[\w+/=\s]{100,}/);
  });

  it("is handed over once it is there but for its end", async () => {
    const order: string[] = [];
    await open().submit(message, {
      ...unbounded,
      async handOver() {
        order.push(`handed over, ${server.taken.length} taken`);
      },
    });
    expect(order).toEqual(["handed over, 0 taken"]);
    expect(server.taken).toHaveLength(1);
  });

  it("does not leave where it must not", async () => {
    const handOver = () => Promise.reject(new Error("the lease is somebody else's"));
    await expect(open().submit(message, { ...unbounded, handOver })).rejects.toThrow("the lease is somebody else's");
    expect(server.taken).toHaveLength(0);
    expect(await send(open())).toMatchObject({ outcome: "taken" });
  });

  it("shares a connection with others", async () => {
    let connections = 0;
    server.onConnect = () => {
      connections += 1;
    };
    const carrier = open({ connections: 2 });
    await Promise.all(Array.from({ length: 20 }, () => send(carrier)));
    expect(server.taken).toHaveLength(20);
    expect(connections).toBeLessThanOrEqual(2);
  });
});

describe("encryption", () => {
  it("is wanted unless told otherwise", async () => {
    await server.close();
    server = await openMailServer({ disabledCommands: ["STARTTLS"] });
    const { tls } = completeSettings({ kind: "smtp", host: "h", from: "a@b.example" }) as SmtpSettings;
    expect(tls).toBe("starttls");
    expect(await send(open({ tls }))).toMatchObject(unreached(/command not recognized/));
    expect(server.taken).toHaveLength(0);
  });

  it("begins before anything is said, where the server's certificate is one that was named", async () => {
    await server.close();
    server = await openMailServer({ authOptional: false });
    const settings = { tls: "starttls", ca: server.ca, user: "acme", password: "secret-9" } as const;
    expect((await sent(settings)).isSecure).toBe(true);
    expect(server.taken.at(-1)?.user).toBe("acme");
    await server.close();
    server = await openMailServer({ secure: true });
    expect((await sent({ tls: "tls", ca: server.ca })).isSecure).toBe(true);
  });

  it("takes no certificate of nobody", async () => {
    expect(await send(open({ tls: "starttls" }))).toMatchObject(unreached(/certificate/i));
    expect(server.taken).toHaveLength(0);
  });
});

describe("what a server answers", () => {
  const refusals: [Refusals, unknown][] = [
    [{ to: "450 4.2.0 greylisted" }, { outcome: "deferred", retryAfterMs: 15_000, detail: "450 4.2.0 greylisted" }],
    [{ greeting: "421 4.3.2 busy" }, { outcome: "deferred", retryAfterMs: 1_000, isUnreached: true }],
    [{ to: "421 4.3.2 shutting down" }, { outcome: "deferred", retryAfterMs: 1_000, isUnreached: true }],
    [{ mail: "451 4.3.0 try later" }, { outcome: "deferred", retryAfterMs: 15_000 }],
    [{ from: "450 4.7.1 slow down" }, { outcome: "deferred", retryAfterMs: 15_000 }],
    [{ to: "550 5.1.1 no such user" }, { outcome: "refused", reason: "UNREACHABLE", detail: "550 5.1.1 no such user" }],
    [{ to: "554 5.7.1 not you" }, { outcome: "refused", reason: "BLOCKED" }],
    [{ to: "550 no" }, { outcome: "refused", reason: "UNREACHABLE" }],
    [{ mail: "550 5.7.1 spam" }, { outcome: "refused", reason: "CARRIER_FILTERED" }],
    [{ from: "550 5.7.1 not your domain" }, { outcome: "failed", detail: "550 5.7.1 not your domain" }],
  ];

  it.each(refusals)("%j → %j", async (refused, outcome) => {
    server.refusals = refused;
    const carrier = open({ connections: 1 });
    expect(await send(carrier)).toMatchObject(outcome as object);
    expect(server.taken).toHaveLength(0);
    server.refusals = {};
    expect(await send(carrier)).toMatchObject({ outcome: "taken" });
  });

  it("to a wrong password has all mails wait until it is mended", async () => {
    await server.close();
    server = await openMailServer({ authOptional: false, hideSTARTTLS: true, allowInsecureAuth: true });
    server.refusals = { auth: "535 5.7.8 wrong" };
    const outcome = await send(open({ user: "acme", password: "secret-9" }));
    expect(outcome).toMatchObject(unreached(/535 5\.7\.8/));
    expect(JSON.stringify(outcome)).not.toContain("secret-9");
  });

  it("waits longer after each deferral, up to half an hour", async () => {
    server.refusals = { to: "450 4.2.0 greylisted" };
    const waits: unknown[] = [];
    for (const attempts of [0, 1, 2, 10, 1_000]) waits.push(await send(open(), { attempts }));
    expect(waits.map((outcome) => (outcome as { retryAfterMs: number }).retryAfterMs)).toEqual([
      15_000, 30_000, 60_000, 1_800_000, 1_800_000,
    ]);
  });

  it("is nothing where nobody listens", async () => {
    await server.close();
    expect(await send(open())).toMatchObject(unreached(/ECONNREFUSED/));
    server = await openMailServer();
  });
});

describe("a probe", () => {
  it("sends nothing, and finds out whether mails could be sent", async () => {
    const carrier = open();
    await carrier.probe?.();
    server.refusals = { greeting: "421 4.3.2 busy" };
    await expect(carrier.probe?.()).rejects.toThrow("421 4.3.2 busy");
    server.refusals = {};
    await carrier.probe?.();
    expect(server.taken).toEqual([]);
  });

  it("tells where the login is refused, or nobody listens", async () => {
    await server.close();
    server = await openMailServer({ authOptional: false, hideSTARTTLS: true, allowInsecureAuth: true });
    server.refusals = { auth: "535 5.7.8 wrong" };
    await expect(open({ user: "acme", password: "secret-9" }).probe?.()).rejects.toThrow("535 5.7.8 wrong");
    const carrier = open();
    await server.close();
    await expect(carrier.probe?.()).rejects.toThrow("ECONNREFUSED");
    server = await openMailServer();
  });
});

it("a carrier that is stopped takes nothing more", async () => {
  const carrier = open();
  await send(carrier);
  await carrier.stop();
  expect(await send(carrier)).toMatchObject(unreached(/closed/));
  expect(server.taken).toHaveLength(1);
});
