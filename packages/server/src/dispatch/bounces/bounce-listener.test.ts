// Mails that come back, brought by a client of SMTP or LMTP.

import nodemailer from "nodemailer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMessageTokens } from "../../rules/message-tokens.ts";
import { toReturnAddress } from "../../rules/return-addresses.ts";
import type { MessageEvent } from "../providers/provider.ts";
import { type BounceListener, openBounceListener } from "./bounce-listener.ts";

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
afterEach(() => listener.close());

async function open(protocol: "smtp" | "lmtp" = "smtp"): Promise<void> {
  const log = (_details: object, text: string) => void logged.push(text);
  listener = await openBounceListener({
    ...{ host: "127.0.0.1", port: 0, protocol, pepper: "pepper" },
    logger: { warn: log, error: log },
    record: (event) => record(event),
  });
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

describe("a mail that comes back", () => {
  it.each(["smtp", "lmtp"] as const)("by %s tells what became of its message", async (protocol) => {
    await open(protocol);
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
      },
    ]);
  });

  it("tells that it was delivered, and nothing of a delay", async () => {
    await open();
    await bring(deliveryStatus(["Action: delayed", "Status: 4.4.1"]));
    expect(recorded).toEqual([]);
    await bring(deliveryStatus(["Action: delivered", "Status: 2.0.0"]));
    expect(recorded).toMatchObject([{ kind: "receipt", status: "DELIVERED", clientReference: messageId }]);
  });

  it("tells that it was handed on, which is no delivery: a failure may follow", async () => {
    await open();
    await bring(deliveryStatus(["Action: relayed", "Status: 2.0.0"]));
    await bring(deliveryStatus(failed));
    expect(recorded).toMatchObject([
      { status: "SENT", eventId: `relayed ${messageId}` },
      { status: "UNDELIVERED", eventId: `undelivered ${messageId}` },
    ]);
  });

  it("is known by the mail that it quotes, if it comes to another address", async () => {
    await open();
    await bring(deliveryStatus(failed, quotedId), "postmaster@acme.example");
    expect(recorded).toMatchObject([{ kind: "receipt", clientReference: messageId }]);
  });

  it("is known by the id of the mail in the report itself, where that quotes nothing", async () => {
    await open();
    const original = `X-Original-Message-ID: <${tokens.make(messageId)}@acme.example>`;
    await bring(deliveryStatus([original, "", ...failed]), "postmaster@acme.example");
    expect(recorded).toMatchObject([{ kind: "receipt", status: "UNDELIVERED", clientReference: messageId }]);
  });

  it("tells of a complaint", async () => {
    await open();
    await bring(complaint(quotedId), "fbl@acme.example");
    expect(recorded).toEqual([
      { kind: "opt-out", cause: "COMPLAINT", clientReference: messageId, eventId: `complaint ${messageId}` },
    ]);
  });

  it.each([
    ["Original-Mail-From", [`Original-Mail-From: <${returnAddress}>`], []],
    ["Original-Mail-From without brackets", [`Original-Mail-From: ${returnAddress}`], []],
    ["Original-Mail-From on a line of its own", ["Original-Mail-From:", ` <${returnAddress.toUpperCase()}>`], []],
    ["the Return-Path of the quoted mail", [], [`Return-Path: <${returnAddress}>`]],
  ])("tells of a complaint whose Message-ID is redacted, by %s", async (_what, fields, quoted) => {
    await open();
    await bring(complaint([...quoted, "Message-ID: <redacted@example.com>"], fields), "fbl@acme.example");
    expect(recorded).toMatchObject([{ kind: "opt-out", cause: "COMPLAINT", clientReference: messageId }]);
  });

  it("is taken and dropped where it reports nothing, or of nobody's message", async () => {
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

  it("is brought again where it could not be recorded", async () => {
    await open();
    record = () => Promise.reject(new Error("the disk is full"));
    await expect(bring(deliveryStatus(failed))).rejects.toThrow("451 4.3.0");
    expect(logged).toEqual(["a report could not be recorded; whoever brought it tries again"]);
    record = async (event) => void recorded.push(event);
    await bring(deliveryStatus(failed));
    expect(recorded).toHaveLength(1);
  });

  it("of more than two megabytes is not taken", async () => {
    await open();
    await expect(bring(`Subject: x\r\n\r\n${"x".repeat(3 * 1_048_576)}`)).rejects.toThrow(/552/);
  });

  it("of a thousand parts in parts is read, or dropped", async () => {
    await open();
    const depth = 1_000;
    const parts = Array.from(
      { length: depth },
      (_none, index) => `Content-Type: multipart/mixed; boundary="${index}"\r\n\r\n--${index}\r\n`,
    );
    expect(await bring(`MIME-Version: 1.0\r\n${parts.join("")}`)).toMatch(/^250/);
    expect(recorded).toEqual([]);
  });
});

it("a port that is taken is said to be", async () => {
  await open();
  const options = { host: "127.0.0.1", port: listener.port, protocol: "smtp", pepper: "pepper" } as const;
  const logger = { warn: () => undefined, error: () => undefined };
  await expect(openBounceListener({ ...options, logger, record })).rejects.toThrow(
    `--bounces (MSGD_BOUNCES): cannot listen on port ${listener.port} of 127.0.0.1: EADDRINUSE`,
  );
});
