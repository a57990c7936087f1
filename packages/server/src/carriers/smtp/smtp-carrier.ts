// Mail by SMTP. If the connection ends after a mail's final dot, it is unknown whether the server took the mail. So the
// dot is held back until it is on record that the mail leaves; before that, nothing was sent.

import { Readable } from "node:stream";
import { compile } from "html-to-text";
import type { SendMailOptions, SMTPPoolOptions } from "nodemailer";
import nodemailer from "nodemailer";
import DKIM from "nodemailer/lib/dkim";
import { type Mailbox, readMailbox } from "../../domain/mailboxes.ts";
import { createMessageTokens, type MessageTokens, toReturnAddress } from "../../domain/message-tokens.ts";
import { isHtml, readableHtml, withMailLineEnds } from "../../domain/messages/emails.ts";
import { readReason } from "../../domain/messages/rules.ts";
import { toUnsubscribeUrl } from "../../domain/public-paths.ts";
import type { Clock } from "../../platform/clock.ts";
import type { CarrierSurroundings } from "../kind.ts";
import type { Provider, Submission, SubmitOutcome } from "../provider.ts";
import type { DkimSettings, SmtpSettings } from "./settings.ts";

export interface MailContext {
  readonly settings: SmtpSettings;
  readonly bounceTokens: MessageTokens;
  readonly unsubscribeTokens: MessageTokens;
  /** URL under which people reach the server; undefined if the operator has not set one. */
  readonly publicUrl: string | undefined;
}

/** Writes the mail of a message, sent at `now`: headers, a text part beside HTML, and the address for its bounces. */
export function writeMail(context: MailContext, submission: Submission, now: number): SendMailOptions {
  const { settings, bounceTokens } = context;
  const { clientReference, to, subject, automatic } = submission;
  const content = withMailLineEnds(submission.content);
  const from = requireMailbox(settings.from);
  const [, domain] = from.address.split("@");
  return {
    from,
    to: { name: "", address: to },
    ...(settings.replyTo === undefined ? {} : { replyTo: requireMailbox(settings.replyTo) }),
    subject: toHeader(withoutBreaks(subject ?? "")),
    // quoted by bounces and complaints
    messageId: `<${bounceTokens.make(clientReference)}@${domain}>`,
    date: new Date(now),
    ...(isHtml(content) ? { html: content, text: withMailLineEnds(toText(content)) } : { text: content }),
    headers: {
      // RFC 3834: no out-of-office note answers it
      "Auto-Submitted": automatic ? "auto-replied" : "auto-generated",
      ...unsubscribeHeaders(context, submission),
    },
    ...(hasManyLines(content) ? { textEncoding: "base64" as const } : {}),
    ...envelopeOf(context, from, submission),
    // a tenant's text is content, never the name of a file or a URL to fetch
    disableFileAccess: true,
    disableUrlAccess: true,
    xMailer: false,
  };
}

/** Returns the envelope. Asks for reports (RFC 3461) if there is an address at which they are read. */
function envelopeOf({ settings, bounceTokens }: MailContext, from: Mailbox, { clientReference, to }: Submission) {
  const { returnPath } = settings;
  if (returnPath === undefined) return { envelope: { from: from.address, to: [to] } };
  return {
    envelope: { from: toReturnAddress(returnPath, bounceTokens, clientReference), to: [to] },
    dsn: {
      id: bounceTokens.make(clientReference),
      return: "headers" as const,
      notify: ["success", "failure"],
      recipient: `rfc822;${to}`,
    },
  };
}

/** Returns the headers to unsubscribe with one click (RFC 8058). */
function unsubscribeHeaders(
  { publicUrl, unsubscribeTokens }: MailContext,
  { type, clientReference }: Submission,
): Record<string, string> {
  if (publicUrl === undefined || type !== "MARKETING") return {};
  return {
    "List-Unsubscribe": `<${toUnsubscribeUrl(publicUrl, unsubscribeTokens.make(clientReference))}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** UTF-16 units of HTML that are converted: more would block the thread for too long. */
const LONGEST_CONVERTED = 16_384;
const CUT = "[…] This is the beginning of the message. The whole of it is in its HTML part.";
const NOTHING = "This message has no text: it is in its HTML part.";
/** Invisible characters. Senders fill an inbox's preview with runs of them; a single one may join letters. */
const UNSEEN =
  "[\\u00ad\\u034f\\u200b-\\u200f\\u2060\\ufeff]|&(?:zwnj|zwj|shy|#8203|#8204|#8205|#847|#x200[b-d]|#x34f);";
const BLANK = "[\\s\\u00a0\\u2007]|&(?:nbsp|#160|#8199|#xa0|#x2007);";
const FILLER = new RegExp(`(?:(?:${UNSEEN})(?:${BLANK})*){2,}|(?:${BLANK}){10,}`, "gi");

/** Returns the text part of HTML, which is never empty: filters take mails without one for spam. */
function toText(content: string): string {
  const { html, isCut } = readableHtml(content, LONGEST_CONVERTED);
  const text = convert(html.replaceAll(FILLER, " ")).trim();
  if (isCut) return `${text}\n\n${CUT}`.trim();
  return text === "" ? NOTHING : text;
}

const convert = compile({
  wordwrap: 78,
  limits: { maxDepth: 64 },
  formatters: {
    alt: ({ attribs }, _walk, builder) => builder.addInline(attribs?.alt ?? ""),
    cell: ({ children }, walk, builder) => {
      builder.addInline(" ");
      walk(children, builder);
      builder.addInline(" ");
    },
  },
  selectors: [
    { selector: "img", format: "alt" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
    { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: "td", format: "cell" },
    { selector: "th", format: "cell" },
  ],
});

/** Encodes long words: a line has at most 998 octets (RFC 5322, 2.1.1), and headers are folded at blanks only. */
function toHeader(text: string): string {
  if (!LONG_WORD.test(text)) return text;
  const words = text.match(/.{1,14}/gsu) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join(" ");
}

const LONG_WORD = /\S{900}/;

/** Replaces line breaks, which would begin a header of the sender's choice. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** Returns whether quoted-printable, whose cost grows with lines, would block the server's thread for long. */
function hasManyLines(content: string): boolean {
  if (content.length < FEW_CHARACTERS) return false;
  let lines = 0;
  for (let at = 0; at < content.length; at += 1) if (content.charCodeAt(at) === LF) lines += 1;
  return lines * SHORT_LINE > content.length;
}

const FEW_CHARACTERS = 65_536;
/** Fewer characters than the lines of any real mail have on average. */
const SHORT_LINE = 10;
const LF = 0x0a;

function requireMailbox(text: string): Mailbox {
  const mailbox = readMailbox(text);
  if (mailbox === undefined) throw new Error("a carrier was set with an address that is none");
  return mailbox;
}

/** Timeout up to the final dot: connecting, all commands, and the mail itself. */
const CALL_MS = 120_000;
/** RFC 5321, 4.5.3.2.6: a server may take ten minutes after the dot. */
const ANSWER_MS = 10 * 60_000;
const CONNECT_MS = 20_000;
const GREETING_MS = 30_000;
const LOOKUP_MS = 10_000;
/** Timeout of each answer to a probe. */
const PROBE_MS = 10_000;
/** Shorter than the silence after which servers end a connection, perhaps just as a mail is sent on it. */
const IDLE_MS = 30_000;
/** Some servers limit the mails of one connection. */
const MAILS_A_CONNECTION = 1_000;
/** Signed headers; RFC 8058 requires the last two. */
const SIGNED =
  "From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post";

type SmtpSurroundings = Pick<CarrierSurroundings, "name" | "pepper"> & {
  readonly clock: Pick<Clock, "now">;
  readonly publicUrl?: string | undefined;
};

/** Opens a carrier that gives mails to an SMTP server. It connects with the first mail. */
export function openSmtpCarrier(
  settings: SmtpSettings,
  { name, clock, pepper, publicUrl }: SmtpSurroundings,
): Provider {
  const context = {
    settings,
    publicUrl: settings.publicUrl ?? publicUrl,
    bounceTokens: createMessageTokens(pepper, "bounce"),
    unsubscribeTokens: createMessageTokens(pepper, "unsubscribe"),
  };
  const transport = nodemailer.createTransport(toOptions(settings));
  const signer = settings.dkim === undefined ? undefined : createSigner(settings.dkim);
  // in this order: a signature covers the whole mail, so it is made before the end is held back
  transport.use("stream", ({ message, data }, done) => {
    if (signer !== undefined) message.processFunc((mail) => signer.sign(mail));
    message.processFunc((mail) => (data as DottedMail).finalDot.holdBack(mail));
    done();
  });
  return {
    name,
    callTimeoutMs: CALL_MS,
    answerTimeoutMs: ANSWER_MS,
    async submit(submission, { signal, handOver }) {
      const finalDot = new FinalDot(handOver);
      const mail: DottedMail = { ...writeMail(context, submission, clock.now()), signal, finalDot };
      try {
        const { response } = await transport.sendMail(mail);
        if (!finalDot.isReleased || !isTaken(response))
          throw new Error(`the server gave an unexpected answer: ${response}`);
        return { outcome: "taken", providerMessageId: readQueueId(response) };
      } catch (error) {
        const { attempts } = submission;
        const outcome = readFailure(error as SmtpFailure, { attempts, mayHaveLeft: finalDot.isReleased });
        if (outcome === undefined) throw error;
        return outcome;
      } finally {
        finalDot.keep();
      }
    },
    // some more than connections, so that none is idle while the next mails are claimed
    capacity: () => settings.connections + Math.ceil(settings.connections / 4),
    async probe() {
      const probing = nodemailer.createTransport({ ...toOptions(settings), pool: false, socketTimeout: PROBE_MS });
      await probing.verify().finally(() => probing.close());
    },
    isBusy: () => false,
    start() {},
    async stop() {
      transport.close();
    },
  };
}

interface DottedMail extends SendMailOptions {
  readonly finalDot: FinalDot;
}

function toOptions(settings: SmtpSettings): SMTPPoolOptions & { pool: true } {
  const { host, port, tls, ca, user, password, connections } = settings;
  return {
    host,
    port,
    secure: tls === "tls",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    ...(ca === undefined ? {} : { tls: { ca } }),
    ...(user === undefined || password === undefined ? {} : { auth: { user, pass: password } }),
    pool: true,
    maxConnections: connections,
    maxMessages: MAILS_A_CONNECTION,
    // a mail on a connection that closed is judged by whether it had left
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    dnsTimeout: LOOKUP_MS,
    socketTimeout: ANSWER_MS,
    idleTimeout: IDLE_MS,
  };
}

function createSigner({ domain, selector, privateKey }: DkimSettings): DKIM {
  return new DKIM({ domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED });
}

/** A failure as nodemailer reports it. */
interface SmtpFailure extends Error {
  readonly code?: string;
  /** The last command: `MAIL FROM`, `RCPT TO`, `DATA`, `AUTH PLAIN`, `CONN` … */
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** First and longest pause after a deferral; doubled with each attempt. */
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/**
 * First and longest pause if no server was reached: all other messages wait, too, and the carrier's queue decides when
 * to try.
 */
const FIRST_UNREACHED_MS = 1_000;
const LONGEST_UNREACHED_MS = 5 * 60_000;

/** Commands before any mail. */
const OPENING = /^(?:CONN|EHLO|HELO|STARTTLS|AUTH\b.*)$/;
/** Code that asks for a login, at any command (RFC 4954, 6). No mail is at fault. */
const LOGIN_WANTED = 530;
/** Codes of nodemailer for a server that was not reached. */
const UNREACHED: ReadonlySet<string | undefined> = new Set([
  "ECONNECTION",
  "ESOCKET",
  "ETIMEDOUT",
  "EDNS",
  "ETLS",
  "EPROTOCOL",
  "EAUTH",
]);

/**
 * Returns the outcome that a failure proves (RFC 5321, RFC 3463); undefined if it proves none. `attempts` were made
 * before; `mayHaveLeft` says whether the final dot was released.
 */
export function readFailure(
  failure: SmtpFailure,
  { attempts, mayHaveLeft }: { attempts: number; mayHaveLeft: boolean },
): SubmitOutcome | undefined {
  const { responseCode = 0, command = "", code, response = failure.message } = failure;
  const detail = response.trim();
  const hasAnswer = responseCode >= 400 && responseCode <= 599;
  const isOpening = OPENING.test(command) || responseCode === LOGIN_WANTED;
  if (!mayHaveLeft && (isOpening || (!hasAnswer && UNREACHED.has(code)))) {
    const retryAfterMs = Math.min(FIRST_UNREACHED_MS * 2 ** attempts, LONGEST_UNREACHED_MS);
    return { outcome: "deferred", retryAfterMs, detail, isUnreached: true };
  }
  if (!hasAnswer) return undefined;
  if (responseCode < 500) {
    return { outcome: "deferred", retryAfterMs: Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS), detail };
  }
  if (command === "RCPT TO") return { outcome: "refused", reason: readReason(detail), isOptOut: false, detail };
  if (command === "DATA") return { outcome: "refused", reason: "CARRIER_FILTERED", isOptOut: false, detail };
  // our own address was refused
  return command === "MAIL FROM" ? { outcome: "failed", detail } : undefined;
}

/** Reads the id that a server gave a mail: the id that its answer names, else the answer without the code. */
export function readQueueId(response: string): string {
  const words = response.replace(/^\d{3}[ -](\d\.\d+\.\d+ )?/, "").trim();
  const [, id] = /\b(?:queued as|id=|Message accepted for delivery:?)\s*<?([\w.@+/=-]+)>?/i.exec(words) ?? [];
  return id ?? words;
}

/** Returns whether a reply confirms that the mail was taken. */
function isTaken(response: string): boolean {
  return /^2\d\d[ -]/.test(response);
}

/** Holds back the end of a mail, which is the final dot on the wire, until it is on record that the mail leaves. */
class FinalDot {
  readonly #handOver: () => Promise<void>;
  /** Whether the mail may have left. */
  isReleased = false;
  #isOver = false;

  constructor(handOver: () => Promise<void>) {
    this.#handOver = handOver;
  }

  /** Returns the mail as a stream that ends once the mail may leave, and fails if it must not. */
  holdBack(mail: Readable): Readable {
    return Readable.from(this.#pass(mail), { objectMode: false });
  }

  /** Lets the mail not leave any more, as there is an outcome. */
  keep(): void {
    this.#isOver = true;
  }

  async *#pass(mail: Readable): AsyncGenerator<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of mail) chunks.push(chunk);
    // as one chunk: each of dozens would be a packet
    yield Buffer.concat(chunks);
    this.#requireUndecided();
    await this.#handOver();
    this.#requireUndecided();
    this.isReleased = true;
  }

  #requireUndecided(): void {
    if (this.#isOver) throw new Error("there was an outcome before the mail had left");
  }
}
