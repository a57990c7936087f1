// Bounces, delivered by an SMTP or LMTP client.

import { connect, type Socket } from "node:net";
import nodemailer from "nodemailer";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMessageTokens, toReturnAddress } from "../../../domain/message-tokens.ts";
import * as ownTimers from "../../../platform/timers.ts";
import { TaskTooCostly } from "../../../threads/worker-threads.ts";
import type { MessageEvent } from "../../provider.ts";
import { type BounceListener, type BounceListenerOptions, openBounceListener } from "./bounce-listener.ts";
import { BEGIN_MS, LARGEST_MAIL_BYTES, MAIL_MS, MOST_KEPT_BYTES } from "./mail-session.ts";
import type { MailToRead } from "./read-mail.ts";

const messageId = "msg_01JDMC0000ABCDEFGHJKMNPQRS";
const tokens = createMessageTokens("pepper", "bounce");
const returnAddress = toReturnAddress("bounces@acme.example", tokens, messageId);

let listener: BounceListener;
let recorded: MessageEvent[];
let logged: string[];
let record: (event: MessageEvent) => Promise<void>;

beforeEach(() => {
  recorded = [];
  logged = [];
  record = async (event) => void recorded.push(event);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.close();
});

async function open(read?: BounceListenerOptions["read"]): Promise<void> {
  const log = (_details: object, text: string) => void logged.push(text);
  listener = await openBounceListener({
    ...{ host: "127.0.0.1", port: 0, pepper: "pepper" },
    logger: { warn: log, error: log },
    ...(read === undefined ? {} : { read }),
    record: (event) => record(event),
  });
}

const sockets: Socket[] = [];

/** Opens a connection on which a test sends single lines. No mail library allows that. */
async function dial() {
  const socket = connect(listener.port, "127.0.0.1").setEncoding("utf8");
  sockets.push(socket);
  let heard = "";
  let isClosed = false;
  socket.on("data", (text: string) => {
    heard += text;
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
  });
  const talk = {
    socket,
    say: (...lines: string[]) => void socket.write(lines.map((line) => `${line}\r\n`).join("")),
    /** Resolves to the output since the last call, once it matches `words`. */
    hear: async (words: RegExp) => {
      await expect.poll(() => heard).toMatch(words);
      const said = heard;
      heard = "";
      return said;
    },
    closed: () => expect.poll(() => isClosed).toBe(true),
  };
  await talk.hear(/^220 .*\r\n/);
  return talk;
}

async function bring(raw: string, to = returnAddress, { lmtp = false } = {}): Promise<string> {
  const transport = nodemailer.createTransport({ host: "127.0.0.1", port: listener.port, ignoreTLS: true, lmtp });
  const { response } = await transport.sendMail({ envelope: { from: "", to: [to] }, raw });
  return response;
}

function deliveryStatus(fields: readonly string[], original: readonly string[] = []): string {
  return [
    ...[
      "From: MAILER-DAEMON@mx.example.com",
      "To: bounces@acme.example",
      "Subject: Undelivered Mail",
      "MIME-Version: 1.0",
    ],
    ...['Content-Type: multipart/report; report-type=delivery-status; boundary="b"', "", "--b"],
    ...["Content-Type: text/plain", "", "Action: failed, or so a person is told", "", "--b"],
    ...["Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.example.com", "", ...fields, "", "--b"],
    ...["Content-Type: text/rfc822-headers", "", ...original, "", "--b--", ""],
  ].join("\r\n");
}

const failed = [
  "Final-Recipient: rfc822; ada@example.com",
  "Action: failed",
  "Status: 5.1.1",
  "Diagnostic-Code: smtp; 550 5.1.1 no such user",
];

function complaint(quoted: readonly string[], fields: readonly string[] = []): string {
  return [
    ...["From: fbl@example.com", "To: fbl@acme.example", "Subject: complaint", "MIME-Version: 1.0"],
    ...['Content-Type: multipart/report; report-type=feedback-report; boundary="b"', "", "--b"],
    ...["Content-Type: text/plain", "", "This is a complaint.", "", "--b"],
    ...[
      "Content-Type: message/feedback-report",
      "",
      "Feedback-Type: abuse",
      "User-Agent: x/1",
      "Version: 1",
      ...fields,
      "",
      "--b",
    ],
    ...["Content-Type: message/rfc822", "", ...quoted, "", "It was not asked for.", "--b--", ""],
  ].join("\r\n");
}

const quotedId = [`Message-ID: <${tokens.make(messageId)}@acme.example>`, "From: a@acme.example", "Subject: Hello"];

describe("a bounce", () => {
  it.each(["smtp", "lmtp"] as const)("reports its message's outcome over %s", async (protocol) => {
    await open();
    expect(await bring(deliveryStatus(failed), returnAddress, { lmtp: protocol === "lmtp" })).toMatch(/^250 2\.0\.0/);
    expect(recorded).toEqual([
      {
        kind: "receipt",
        clientReference: messageId,
        eventId: `undelivered ${messageId}`,
        providerMessageId: tokens.make(messageId),
        status: "UNDELIVERED",
        reason: "UNREACHABLE",
        detail: "550 5.1.1 no such user",
        isPermanent: true,
      },
    ]);
  });

  it("reports a delivery, and ignores a delay", async () => {
    await open();
    await bring(deliveryStatus(["Action: delayed", "Status: 4.4.1"]));
    expect(recorded).toEqual([]);
    await bring(deliveryStatus(["Action: delivered", "Status: 2.0.0"]));
    expect(recorded).toMatchObject([{ kind: "receipt", status: "DELIVERED", clientReference: messageId }]);
  });

  it("reports a relay as SENT, because a failure may follow", async () => {
    await open();
    await bring(deliveryStatus(["Action: relayed", "Status: 2.0.0"]));
    await bring(deliveryStatus(failed));
    expect(recorded).toMatchObject([
      { status: "SENT", eventId: `relayed ${messageId}` },
      { status: "UNDELIVERED", eventId: `undelivered ${messageId}` },
    ]);
  });

  it("is matched by the mail that it quotes if it is sent to another address", async () => {
    await open();
    await bring(deliveryStatus(failed, quotedId), "postmaster@acme.example");
    expect(recorded).toMatchObject([{ kind: "receipt", clientReference: messageId }]);
  });

  it("is matched by the mail's id in the report if it quotes nothing", async () => {
    await open();
    const original = `X-Original-Message-ID: <${tokens.make(messageId)}@acme.example>`;
    await bring(deliveryStatus([original, "", ...failed]), "postmaster@acme.example");
    expect(recorded).toMatchObject([{ kind: "receipt", status: "UNDELIVERED", clientReference: messageId }]);
  });

  it("reports a complaint", async () => {
    await open();
    await bring(complaint(quotedId), "fbl@acme.example");
    expect(recorded).toEqual([
      { kind: "opt-out", cause: "COMPLAINT", clientReference: messageId, eventId: `complaint ${messageId}` },
    ]);
  });

  it.each([
    ["Original-Mail-From", [`Original-Mail-From: <${returnAddress}>`], []],
    ["Original-Mail-From without brackets", [`Original-Mail-From: ${returnAddress}`], []],
    ["an Original-Mail-From that is folded", ["Original-Mail-From:", ` <${returnAddress.toUpperCase()}>`], []],
    ["the Return-Path of the quoted mail", [], [`Return-Path: <${returnAddress}>`]],
  ])("reports a complaint whose Message-ID is redacted, matched by %s", async (_what, fields, quoted) => {
    await open();
    await bring(complaint([...quoted, "Message-ID: <redacted@example.com>"], fields), "fbl@acme.example");
    expect(recorded).toMatchObject([{ kind: "opt-out", cause: "COMPLAINT", clientReference: messageId }]);
  });

  it("is accepted and dropped if it reports nothing or names an unknown message", async () => {
    await open();
    const other = createMessageTokens("another pepper", "bounce");
    const answers = [
      await bring("From: ada@example.com\r\nSubject: Out of office\r\n\r\nBack on Monday."),
      await bring(deliveryStatus(failed), "bounces@acme.example"),
      await bring(deliveryStatus(failed), toReturnAddress("bounces@acme.example", other, messageId)),
      await bring(complaint(["Message-ID: <msg_01JDMC0000ABCDEFGHJKMNPQRS@acme.example>"]), "fbl@acme.example"),
      await bring(
        complaint([], [`Original-Mail-From: <${toReturnAddress("bounces@acme.example", other, messageId)}>`]),
        "fbl@acme.example",
      ),
      await bring("garbage"),
    ];
    for (const answer of answers) expect(answer).toMatch(/^250/);
    expect(recorded).toEqual([]);
  });

  it("is refused temporarily if it cannot be recorded", async () => {
    await open();
    record = () => Promise.reject(new Error("the disk is full"));
    await expect(bring(deliveryStatus(failed))).rejects.toThrow("451 4.3.0");
    expect(logged).toEqual(["failed to record a bounce report; its sender is asked to retry"]);
    record = async (event) => void recorded.push(event);
    await bring(deliveryStatus(failed));
    expect(recorded).toHaveLength(1);
  });

  it.each([
    ["Original-Envelope-Id", "message/delivery-status", `Original-Envelope-Id: ${tokens.make(messageId)}`],
    [
      "Original-Envelope-Id of RFC 6533",
      "message/global-delivery-status",
      `Original-Envelope-Id: ${tokens.make(messageId)}`,
    ],
  ])("is matched by %s if it is sent to another address", async (_name, type, field) => {
    await open();
    const report = deliveryStatus([field, "", ...failed]).replace("message/delivery-status", type);
    await bring(report, "postmaster@acme.example");
    expect(recorded).toMatchObject([{ kind: "receipt", status: "UNDELIVERED", clientReference: messageId }]);
  });

  it.each(["message/global", "message/global-headers"])("is matched by a mail that it quotes as %s", async (type) => {
    await open();
    const report = deliveryStatus(failed, quotedId).replace("text/rfc822-headers", type);
    await bring(report, "postmaster@acme.example");
    expect(recorded).toMatchObject([{ kind: "receipt", clientReference: messageId }]);
  });

  const exim = [
    ...["From: Mail Delivery System <Mailer-Daemon@mx.example.com>", "X-Failed-Recipients: ada@example.com"],
    ...["Subject: Mail delivery failed: returning message to sender", ""],
    ...["This message was created automatically by mail delivery software.", ""],
    ...["The following address(es) failed:", "", "  ada@example.com"],
    ...["    host mx.example.com [192.0.2.1]:", "    550 5.7.1 <ada@example.com>: refused", ""],
    ...["------ This is a copy of the message, including all the headers. ------", ""],
  ].join("\r\n");
  const qmail = [
    ...["From: MAILER-DAEMON@mx.example.com", "Subject: failure notice", ""],
    ...["Hi. This is the qmail-send program at mx.example.com.", "I wasn't able to deliver your message.", ""],
    ...["<ada@example.com>:", "Sorry, no mailbox here by that name. (#5.1.1)", ""],
    ...["--- Below this line is a copy of the message.", "", "Return-Path: <x@acme.example>", ""],
  ].join("\r\n");

  it.each([
    ["Exim", exim, "BLOCKED", "host mx.example.com [192.0.2.1]: 550 5.7.1 <ada@example.com>: refused"],
    ["qmail", qmail, "UNREACHABLE", "Sorry, no mailbox here by that name. (#5.1.1)"],
  ])("from %s is read only at the message's own return address", async (_who, mail, reason, detail) => {
    await open();
    await bring(mail, "bounces@acme.example");
    expect(recorded).toEqual([]);
    await bring(mail);
    expect(recorded).toMatchObject([{ clientReference: messageId, status: "UNDELIVERED", reason, detail }]);
  });

  it("is read up to 128 kB and 4,000 lines, and half of that at other addresses", async () => {
    await open();
    const after = (filler: string) =>
      deliveryStatus(failed, quotedId).replace("Action: failed, or so", `${filler}or so`);
    for (const [to, filler, isRead] of [
      [returnAddress, "x\r\n".repeat(3_900), true],
      [returnAddress, "x\r\n".repeat(4_000), false],
      [returnAddress, `${"x".repeat(900)}\r\n`.repeat(140), true],
      [returnAddress, `${"x".repeat(900)}\r\n`.repeat(150), false],
      ["postmaster@acme.example", "x\r\n".repeat(1_900), true],
      ["postmaster@acme.example", "x\r\n".repeat(2_000), false],
      ["postmaster@acme.example", `${"x".repeat(900)}\r\n`.repeat(70), true],
      ["postmaster@acme.example", `${"x".repeat(900)}\r\n`.repeat(75), false],
    ] as const) {
      recorded = [];
      await bring(after(filler), to);
      expect(recorded, `${filler.length} bytes to ${to}`).toHaveLength(isRead ? 1 : 0);
    }
  });

  it("is parsed at other addresses only if it declares itself a report", async () => {
    await open();
    const parse = vi.spyOn(PostalMime, "parse");
    await bring("Subject: offer\r\n\r\nBuy.", "bounces+x@acme.example");
    expect(parse).not.toHaveBeenCalled();
    await bring(complaint(quotedId), "fbl+provider@acme.example");
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
    expect(recorded).toMatchObject([{ kind: "opt-out" }]);
  });

  it("keeps only the first bytes of a mail, without dot-stuffing", async () => {
    const read: MailToRead[] = [];
    await open(async (mail) => {
      read.push(mail);
      return { names: [] };
    });
    await bring(`Subject: x\r\n\r\n${`.${"x".repeat(70)}\r\n`.repeat(20_000)}`);
    expect(read.map(({ head }) => head.length)).toEqual([MOST_KEPT_BYTES - 2]);
  });

  it("is refused permanently if reading it is too costly, and temporarily if the queue is full", async () => {
    const answers = [new TaskTooCostly("the task took more than 10 s"), new Error("too many tasks wait for a thread")];
    await open(() => Promise.reject(answers.shift()));
    await expect(bring(deliveryStatus(failed))).rejects.toThrow("554 5.6.0");
    await expect(bring(deliveryStatus(failed))).rejects.toThrow("452 4.3.1");
    expect(logged).toEqual([
      "a bounce could not be read; it is refused",
      "a bounce could not be read; its sender is asked to try again",
    ]);
  });

  it("is refused above two megabytes", async () => {
    await open();
    await expect(bring(`Subject: x\r\n\r\n${"x".repeat(3 * 1_048_576)}`)).rejects.toThrow(/552/);
  });

  it("is refused permanently if it has a thousand nested parts", async () => {
    await open();
    const depth = 1_000;
    const parts = Array.from(
      { length: depth },
      (_none, index) => `Content-Type: multipart/mixed; boundary="${index}"\r\n\r\n--${index}\r\n`,
    );
    await expect(bring(`MIME-Version: 1.0\r\n${parts.join("")}`)).rejects.toThrow("554 5.6.0");
    expect(recorded).toEqual([]);
  });
});

describe("a connection", () => {
  it("answers each recipient separately after LHLO", async () => {
    await open();
    const second = "msg_01JDMC0000ABCDEFGHJKMNPQRT";
    record = async (event) => {
      if (event.kind === "receipt" && event.clientReference === second) throw new Error("the disk is full");
      recorded.push(event);
    };
    const talk = await dial();
    talk.say("LHLO mx.example.com", "MAIL FROM:<> SIZE=1000", `RCPT TO:<${returnAddress}>`);
    talk.say(
      `RCPT TO:<${toReturnAddress("bounces@acme.example", tokens, second)}>`,
      "RCPT TO:<x@acme.example>",
      "DATA",
    );
    await talk.hear(/354 /);
    talk.say(deliveryStatus(failed), ".", "QUIT");
    expect((await talk.hear(/221 /)).match(/^\d{3} \d\.\d\.\d/gm)).toEqual([
      ...["250 2.0.0", "451 4.3.0", "250 2.0.0", "221 2.0.0"],
    ]);
    await talk.closed();
    expect(recorded).toHaveLength(1);
  });

  it("accepts several mails, wherever the stream is cut", async () => {
    await open();
    const talk = await dial();
    const mail = ["EHLO x", "MAIL FROM:<>", `RCPT TO:<${returnAddress}>`, "DATA", deliveryStatus(failed), "."];
    for (const piece of [...mail, "MAIL FROM:<>", "RCPT TO:<x@x>", "DATA", ".", "RSET"]
      .join("\r\n")
      .match(/.{1,7}/gs) ?? []) {
      talk.socket.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    talk.say("");
    expect((await talk.hear(/done/)).match(/^(?:250 2\.0\.0|354)/gm)).toEqual([
      ...["354", "250 2.0.0", "354", "250 2.0.0", "250 2.0.0"],
    ]);
    expect(recorded).toHaveLength(1);
  });

  it("is answered with errors for commands out of order, and ended after a hundred commands without a mail", async () => {
    await open();
    const talk = await dial();
    talk.say("MAIL FROM:<>", "EHLO x", "RCPT TO:<a@b>", "DATA", "MAIL FROM:<>", "MAIL FROM:<>", "MAIL TO:<>", "HELO x");
    talk.say("MAIL FROM:<> SIZE=99999999", "RCPT TO:a", "VRFY a", "WHO", "NOOP");
    const replies = (await talk.hear(/done/)).match(/^\d{3} /gm)?.map(Number);
    expect(replies).toEqual([503, 250, 503, 503, 250, 503, 503, 250, 552, 503, 252, 500, 250]);
    talk.say(...Array.from({ length: 100 }, () => "NOOP"));
    await talk.hear(/421 4\.7\.0/);
    await talk.closed();
  });

  it.each([
    ["HTTP", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["TLS", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])],
    ["neither", "hello\r\n"],
  ])("is logged if it speaks %s", async (_what, bytes) => {
    await open();
    const talk = await dial();
    talk.socket.write(bytes);
    await talk.hear(/^500 /);
    expect(logged).toEqual(["a client of another protocol connected to --bounces, which speaks SMTP and LMTP"]);
  });

  it("is ended after an endless line or mail", async () => {
    await open();
    const long = await dial();
    long.socket.write("x".repeat(5_000));
    await long.hear(/500 5\.5\.2/);
    const endless = await dial();
    endless.say("EHLO x", "MAIL FROM:<>", `RCPT TO:<${returnAddress}>`, "DATA");
    await endless.hear(/354 /);
    endless.socket.write(Buffer.alloc(2 * LARGEST_MAIL_BYTES + 100, "x"));
    await endless.closed();
  });

  it("is ended if the client does not read replies", async () => {
    await open();
    const silent = await dial();
    silent.socket.pause();
    const mail = "MAIL FROM:<>\r\nRCPT TO:<x@x>\r\nDATA\r\n.\r\n".repeat(1_000);
    silent.socket.write("EHLO x\r\n");
    const goOn = () => silent.socket.writable && silent.socket.write(mail, goOn);
    goOn();
    // the operating system buffers megabytes of replies before any are buffered here
    await expect.poll(() => silent.socket.destroyed).toBe(true);
  });

  it("has one minute to begin a mail, and two to send it", async () => {
    await open();
    const alarms: { ms: number; ring: () => void }[] = [];
    const set = vi.spyOn(ownTimers, "setTimeout").mockImplementation(((ring: () => void, ms: number) => {
      const alarm = { ms, ring };
      alarms.push(alarm);
      return { unref: () => alarm };
    }) as never);
    const silent = await dial();
    expect(alarms.map(({ ms }) => ms)).toEqual([BEGIN_MS]);
    const slow = await dial();
    slow.say("EHLO x", "MAIL FROM:<>", `RCPT TO:<${returnAddress}>`, "DATA");
    await slow.hear(/354 /);
    expect(alarms.map(({ ms }) => ms)).toEqual([BEGIN_MS, BEGIN_MS, MAIL_MS]);
    set.mockRestore();
    alarms[0]?.ring();
    alarms[2]?.ring();
    await silent.hear(/421 4\.4\.2/);
    await slow.hear(/421 4\.4\.2/);
    await silent.closed();
  });

  it("is refused while its address has twenty-five connections, and accepted after one is closed", async () => {
    await open();
    const open25 = await Promise.all(Array.from({ length: 25 }, dial));
    const readGreeting = () => {
      const socket = connect(listener.port, "127.0.0.1").setEncoding("utf8");
      sockets.push(socket);
      return new Promise((resolve) => socket.once("data", resolve));
    };
    expect(await readGreeting()).toMatch(/^421 4\.3\.2/);
    open25[0]?.say("QUIT");
    await open25[0]?.closed();
    await expect.poll(readGreeting).toMatch(/^220 /);
  });

  it("may finish its mail when the server stops", async () => {
    let release = () => {};
    await open(async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return { names: [] };
    });
    const talk = await dial();
    talk.say("EHLO x", "MAIL FROM:<>", `RCPT TO:<${returnAddress}>`, "DATA", "Subject: x", "", ".");
    const idle = await dial();
    await talk.hear(/354 /);
    const closing = listener.close();
    await idle.hear(/421 4\.3\.2/);
    release();
    expect(await talk.hear(/421 /)).toMatch(/250 2\.0\.0 taken\r\n421 4\.3\.2/);
    await closing;
  });
});

it("fails if the port is in use", async () => {
  await open();
  const options = { host: "127.0.0.1", port: listener.port, pepper: "pepper" } as const;
  const logger = { warn: () => undefined, error: () => undefined };
  await expect(openBounceListener({ ...options, logger, record })).rejects.toThrow(
    `--bounces (MSGD_BOUNCES): cannot listen on port ${listener.port} of 127.0.0.1: EADDRINUSE`,
  );
});
