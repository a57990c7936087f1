// Sends mails to a test server, which stores every mail that it accepts.

import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMessageTokens, readReturnAddress } from "../../domain/message-tokens.ts";
import { systemClock } from "../../platform/clock.ts";
import { type MailServer, openMailServer, type Refusals } from "../../testing/mail-server.ts";
import { unbounded } from "../../testing/scripted-provider.ts";
import type { Provider, Submission } from "../provider.ts";
import { completeSmtpSettings, type SmtpSettings } from "./settings.ts";
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
  const complete = completeSmtpSettings({ ...document, ...settings });
  const carrier = openSmtpCarrier(complete, {
    name: "smtp-1",
    ...{ clock: systemClock, pepper: "pepper", logger: { warn() {}, error() {} } },
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

function header({ parsed }: Awaited<ReturnType<typeof sent>>, name: string): string | undefined {
  return parsed.headers.find(({ key }) => key === name)?.value;
}

async function sent(settings: Partial<SmtpSettings>, change: Partial<Submission> = {}, serverUrl?: string) {
  await send(open(settings, serverUrl), change);
  const mail = server.taken.at(-1);
  if (mail === undefined) throw new Error("the server took no mail");
  return { ...mail, parsed: await PostalMime.parse(mail.source) };
}

/** Verifies a signature using the part of RFC 6376 that msgd uses: relaxed canonicalization, SHA-256. */
function verifyDkim(source: string, publicKey: string): { body: boolean; headers: boolean } {
  const end = source.indexOf("\r\n\r\n");
  const fields = source.slice(0, end + 2).match(/^\S[\s\S]*?\r\n(?![ \t])/gm) ?? [];
  const relax = (field: string) => {
    const [, name = "", value = ""] = /^([^:]+):([\s\S]*)$/.exec(field) ?? [];
    return `${name.toLowerCase().trim()}:${value.replaceAll(/\s+/g, " ").trim()}`;
  };
  const find = (name: string) => fields.findLast((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  const signature = find("dkim-signature") ?? "";
  const tags = new Map(
    signature
      .slice(signature.indexOf(":") + 1)
      .split(";")
      .map((tag) => [tag.slice(0, tag.indexOf("=")).trim(), tag.slice(tag.indexOf("=") + 1).replaceAll(/\s/g, "")]),
  );
  const lines = source
    .slice(end + 4)
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/ \r\n/g, "\r\n");
  const body = `${lines.replace(/(?:\r\n)+$/, "")}\r\n`;
  const signed = (tags.get("h") ?? "").split(":").flatMap((name) => find(name) ?? []);
  const own = relax(signature).replace(/\bb=[^;]*/, "b=");
  const verifier = createVerify("sha256").update([...signed.map(relax), own].join("\r\n"), "latin1");
  return {
    body: createHash("sha256").update(body, "latin1").digest("base64") === tags.get("bh"),
    headers: verifier.verify(publicKey, tags.get("b") ?? "", "base64"),
  };
}

describe("a mail", () => {
  it("is accepted, with the server's id", async () => {
    const outcome = await send(open());
    expect(outcome).toEqual({ outcome: "taken", providerMessageId: expect.stringMatching(/\S/) });
    expect(server.taken).toHaveLength(1);
  });

  it("has its sender, recipient, subject and content", async () => {
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

  it("has a text part with the visible text, even after much markup", async () => {
    const style = "a{color:red}".repeat(5_000);
    const content = `<html><head><style>${style}</style></head><body><!-- ${style} --><p>Hello</p></body></html>`;
    expect((await sent({}, { content })).parsed.text).toBe("Hello\n");
  });

  it("says at the end of its text part whether that part was cut short", async () => {
    const { parsed } = await sent({}, { content: `<p>${"word ".repeat(10_000)}</p><p>Legal</p>` });
    expect(parsed.text).toMatch(/word\s+\[…\] This is the beginning of the message\./);
    expect(parsed.text).not.toContain("Legal");
  });

  it.each([
    [
      "<table><tr><td>Shoe</td><td>2</td><td>$20.00</td></tr><tr><th>Hat</th><td>1</td><td>$5.00</td></tr></table>",
      "Shoe 2 $20.00\nHat 1 $5.00",
    ],
    ['<p><a href="https://acme.example"><img alt="Our shop" src="x.png"></a></p>', "Our shop [https://acme.example]"],
    [`<div style="display:none">Your order${"&zwnj;&nbsp;".repeat(90)}</div><p>Hello</p>`, "Your order\nHello"],
    ["<p>👨‍👩‍👧 می‌خواهم</p>", "👨‍👩‍👧 می‌خواهم"],
    ['<img src="x.png">', "This message has no plain text. Its content is in the HTML part."],
  ])("with the HTML %j has the text part %j", async (content, text) => {
    expect((await sent({}, { content })).parsed.text?.replaceAll(/\n{2,}/g, "\n").trimEnd()).toBe(text);
  });

  it("keeps the lines of plain text that mentions a tag", async () => {
    const content = "Dear Ann,\n\nuse the <b> tag to make text bold.\nLine three.";
    const { parsed } = await sent({}, { content });
    expect([parsed.html, parsed.text]).toEqual([undefined, `${content}\n`]);
  });

  it("is marked as automatic, so that machines do not answer it", async () => {
    expect(header(await sent({}), "auto-submitted")).toBe("auto-generated");
    expect(header(await sent({}, { automatic: true }), "auto-submitted")).toBe("auto-replied");
  });

  it.each(["x".repeat(998), "é".repeat(998), "😀x".repeat(332), `${"x".repeat(990)} y`])(
    "has no line of more than 998 octets, and keeps its subject (%#)",
    async (subject) => {
      const { source, parsed } = await sent({}, { subject });
      expect(Math.max(...source.split("\r\n").map(({ length }) => length))).toBeLessThanOrEqual(998);
      expect(parsed.subject).toBe(subject);
    },
  );

  it("keeps the local part of the address", async () => {
    const { to, parsed } = await sent({}, { to: "Erika.M@example.com" });
    expect([to, parsed.to?.[0]?.address]).toEqual(["Erika.M@example.com", "Erika.M@example.com"]);
  });

  it("gets no extra headers from its subject", async () => {
    const subject = "Hello\r\nBcc: eve@example.com\r\n\r\n<script>\u2028X: y\0";
    const { parsed, to } = await sent({}, { subject });
    expect(parsed.bcc).toBeUndefined();
    expect(parsed.headers.map(({ key }) => key)).not.toContain("x");
    expect(parsed.subject).toBe("Hello Bcc: eve@example.com <script> X: y");
    expect(to).toBe("ada@example.com");
  });

  it("keeps lines that look like the end of the mail", async () => {
    const content = "one\r\n.\r\nQUIT\r\n..two\n.\nthree\r.\rfour";
    const { parsed } = await sent({}, { content });
    expect(parsed.text?.trim().split(/\r?\n|\r/)).toEqual(["one", ".", "QUIT", "..two", ".", "three", ".", "four"]);
    expect(server.taken).toHaveLength(1);
  });

  it("identifies its message in bounces", async () => {
    const tokens = createMessageTokens("pepper", "bounce");
    const { from, envid, notify, parsed } = await sent({ returnPath: "bounces@acme.example" });
    expect(readReturnAddress(from, tokens)).toBe(messageId);
    expect(envid).toBe(tokens.make(messageId));
    expect(notify).toEqual(["SUCCESS", "FAILURE"]);
    expect(parsed.messageId).toBe(`<${tokens.make(messageId)}@acme.example>`);
  });

  it("requests no delivery reports without a return path", async () => {
    const { envid, notify } = await sent({});
    expect([envid, notify]).toEqual([undefined, undefined]);
  });

  it("has one-click unsubscribe headers if it is MARKETING and the server has a public URL", async () => {
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

  it("shows a link to unsubscribe and the postal address in both parts if it is MARKETING", async () => {
    const settings = { publicUrl: "https://msg.acme.example", postalAddress: "Acme\n1 Main St" };
    const url = `https://msg.acme.example/unsubscribe/${createMessageTokens("pepper", "unsubscribe").make(messageId)}`;
    const plain = (await sent(settings, { type: "MARKETING" })).parsed;
    expect([plain.text, plain.html]).toEqual([
      `It is on its way.\n\nUnsubscribe: ${url}\nAcme\n1 Main St\n`,
      undefined,
    ]);
    for (const content of [
      "<p>Hi</p>",
      `<p>${"word ".repeat(10_000)}</p>`,
      '<p><a href="{{unsubscribe_url}}">x</a></p>',
    ]) {
      const { html = "", text = "" } = (await sent(settings, { type: "MARKETING", content })).parsed;
      for (const part of [html, text]) expect(part.split(url)).toHaveLength(2);
      expect(html).toContain("Acme<br>1 Main St</p>");
      expect(text.trimEnd()).toMatch(/Acme\n1 Main St$/);
    }
    const content = "Leave: {{unsubscribe_url}}";
    expect((await sent(settings, { content })).parsed.text).toBe(`${content}\n`);
    expect((await sent({}, { content, type: "MARKETING" })).parsed.text).toBe(`${content}\n`);
  });

  it("is signed completely, including the unsubscribe headers", async () => {
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

  it.each([
    ["a lone CR", "Dear Ann,\rYour table is booked.\rAcme"],
    ["LF and CR", "Dear Ann,\n\rAcme\r\r\n"],
    ["a lone CR in HTML", "<p>Dear\rAnn</p>\r\r\n<p>Acme</p>"],
    ["very many lines", "x\n".repeat(40_000)],
    ["a long line in quoted-printable", `é\r${"x".repeat(2_000)}\r\n `],
  ])("has a valid signature with %s", async (_what, content) => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2_048,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const { source } = await sent({ dkim: { domain: "acme.example", selector: "msgd", privateKey } }, { content });
    expect(verifyDkim(source, publicKey)).toEqual({ body: true, headers: true });
    expect(verifyDkim(`${source}x`, publicKey)).toEqual({ body: false, headers: true });
    expect(verifyDkim(source.replace("Subject: Your", "Subject: My"), publicKey)).toEqual({
      body: true,
      headers: false,
    });
  });

  it("is recorded as handed over when all of it but the end marker is sent", async () => {
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

  it("does not leave if the hand-over is refused", async () => {
    const handOver = () => Promise.reject(new Error("the lease is somebody else's"));
    await expect(open().submit(message, { ...unbounded, handOver })).rejects.toThrow("the lease is somebody else's");
    expect(server.taken).toHaveLength(0);
    expect(await send(open())).toMatchObject({ outcome: "taken" });
  });

  it("shares connections with other mails", async () => {
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
  it("is required by default", async () => {
    await server.close();
    server = await openMailServer({ disabledCommands: ["STARTTLS"] });
    const { tls } = completeSmtpSettings({ kind: "smtp", host: "h", from: "a@b.example" });
    expect(tls).toBe("starttls");
    expect(await send(open({ tls }))).toMatchObject(unreached(/command not recognized/));
    expect(server.taken).toHaveLength(0);
  });

  it("begins before anything else is sent if the server's certificate is trusted", async () => {
    await server.close();
    server = await openMailServer({ authOptional: false });
    const settings = { tls: "starttls", ca: server.ca, user: "acme", password: "secret-9" } as const;
    expect((await sent(settings)).isSecure).toBe(true);
    expect(server.taken.at(-1)?.user).toBe("acme");
    await server.close();
    server = await openMailServer({ secure: true });
    expect((await sent({ tls: "tls", ca: server.ca })).isSecure).toBe(true);
  });

  it("rejects an untrusted certificate", async () => {
    expect(await send(open({ tls: "starttls" }))).toMatchObject(unreached(/certificate/i));
    expect(server.taken).toHaveLength(0);
  });
});

describe("an answer of the server", () => {
  const refusals: [Refusals, unknown][] = [
    [{ to: "450 4.2.0 greylisted" }, { outcome: "deferred", retryAfterMs: 15_000, detail: "450 4.2.0 greylisted" }],
    [{ greeting: "421 4.3.2 busy" }, { outcome: "deferred", retryAfterMs: 1_000, isUnreached: true }],
    [{ to: "421 4.3.2 shutting down" }, { outcome: "deferred", retryAfterMs: 1_000, isUnreached: true }],
    [{ mail: "451 4.3.0 try later" }, { outcome: "deferred", retryAfterMs: 15_000 }],
    [{ from: "450 4.7.1 slow down" }, { outcome: "deferred", retryAfterMs: 15_000 }],
    [
      { to: "550 5.1.1 no such user" },
      { outcome: "refused", reason: "UNREACHABLE", detail: "550 5.1.1 no such user", isPermanent: true },
    ],
    [{ to: "554 5.7.1 not you" }, { outcome: "refused", reason: "BLOCKED", isPermanent: false }],
    [{ to: "550 no" }, { outcome: "refused", reason: "UNREACHABLE" }],
    [{ mail: "550 5.7.1 spam" }, { outcome: "refused", reason: "CARRIER_FILTERED" }],
    [{ from: "530 5.7.0 Authentication required" }, { outcome: "deferred", isUnreached: true }],
    [{ to: "530 5.7.1 not authenticated" }, { outcome: "deferred", retryAfterMs: 1_000, isUnreached: true }],
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

  it("that refuses the password defers all mails until the password is corrected", async () => {
    await server.close();
    server = await openMailServer({ authOptional: false, hideSTARTTLS: true, allowInsecureAuth: true });
    server.refusals = { auth: "535 5.7.8 wrong" };
    const outcome = await send(open({ user: "acme", password: "secret-9" }));
    expect(outcome).toMatchObject(unreached(/535 5\.7\.8/));
    expect(JSON.stringify(outcome)).not.toContain("secret-9");
  });

  it("doubles the delay after each deferral, up to half an hour", async () => {
    server.refusals = { to: "450 4.2.0 greylisted" };
    const waits: unknown[] = [];
    for (const attempts of [0, 1, 2, 10, 1_000]) waits.push(await send(open(), { attempts }));
    expect(waits.map((outcome) => (outcome as { retryAfterMs: number }).retryAfterMs)).toEqual([
      15_000, 30_000, 60_000, 1_800_000, 1_800_000,
    ]);
  });

  it("is replaced by a deferral if nothing listens", async () => {
    await server.close();
    expect(await send(open())).toMatchObject(unreached(/ECONNREFUSED/));
    server = await openMailServer();
  });
});

describe("a probe", () => {
  it("finds out whether mails can be sent, without sending any", async () => {
    const carrier = open();
    await carrier.probe?.();
    server.refusals = { greeting: "421 4.3.2 busy" };
    await expect(carrier.probe?.()).rejects.toThrow("421 4.3.2 busy");
    server.refusals = {};
    await carrier.probe?.();
    expect(server.taken).toEqual([]);
  });

  it("fails if the login is refused or nothing listens", async () => {
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

it("a stopped carrier accepts no mail", async () => {
  const carrier = open();
  await send(carrier);
  await carrier.stop();
  expect(await send(carrier)).toMatchObject(unreached(/closed/));
  expect(server.taken).toHaveLength(1);
});
