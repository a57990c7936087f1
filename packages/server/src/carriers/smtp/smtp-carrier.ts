// Mail over SMTP. If the connection ends after a mail's final dot, it is unknown whether the server accepted the mail.
// So the dot is held back until the hand-over is recorded; before that, nothing was sent.

import { Readable } from "node:stream";
import { compile } from "html-to-text";
import type { SendMailOptions, SMTPPoolOptions } from "nodemailer";
import nodemailer from "nodemailer";
import DKIM from "nodemailer/lib/dkim";
import type { EventsRequest } from "../../domain/carrier-events.ts";
import { type Mailbox, readMailbox } from "../../domain/mailboxes.ts";
import { createMessageTokens, type MessageTokens, toReturnAddress } from "../../domain/message-tokens.ts";
import { isHtml, readableHtml, withMailLineEnds } from "../../domain/messages/emails.ts";
import { readReason } from "../../domain/messages/rules.ts";
import { isPermanentReply } from "../../domain/messages/suppressions.ts";
import { toUnsubscribeUrl } from "../../domain/public-paths.ts";
import type { CarrierSurroundings } from "../kind.ts";
import type { Provider, Submission, SubmitOutcome } from "../provider.ts";
import { AccessTokens } from "./access-tokens.ts";
import { headersForEvents, MailEvents } from "./events/mail-events.ts";
import type { GetFromSns } from "./events/sns.ts";
import { withHtmlFooter, withTextFooter } from "./marketing-footer.ts";
import type { DkimSettings, SmtpSettings } from "./settings.ts";

export interface MailContext {
  readonly settings: SmtpSettings;
  readonly bounceTokens: MessageTokens;
  readonly unsubscribeTokens: MessageTokens;
  /** Public URL of the server; undefined if the operator has not set one. */
  readonly publicUrl: string | undefined;
}

/** Builds the mail of a message sent at `now`: headers, a text part, the HTML part if any, and the return address. */
export function writeMail(context: MailContext, submission: Submission, now: number): SendMailOptions {
  const { settings, bounceTokens } = context;
  const { clientReference, to, subject, automatic } = submission;
  const content = writeContent(context, submission);
  const from = requireMailbox(settings.from);
  const [, domain] = from.address.split("@");
  return {
    from,
    to: { name: "", address: to },
    ...(settings.replyTo === undefined ? {} : { replyTo: requireMailbox(settings.replyTo) }),
    subject: toHeader(withoutBreaks(subject ?? "")),
    // bounces and complaints quote the Message-ID
    messageId: `<${bounceTokens.make(clientReference)}@${domain}>`,
    date: new Date(now),
    ...content,
    headers: {
      // RFC 3834: suppresses out-of-office replies
      "Auto-Submitted": automatic ? "auto-replied" : "auto-generated",
      ...unsubscribeHeaders(context, submission),
      ...eventsHeaders(context, submission),
    },
    ...(hasManyLines(content.html ?? content.text) ? { textEncoding: "base64" as const } : {}),
    ...envelopeOf(context, from, submission),
    // the content comes from a tenant and must never be used as a file name or a URL to fetch
    disableFileAccess: true,
    disableUrlAccess: true,
    xMailer: false,
  };
}

/** Returns the envelope. Requests delivery reports (RFC 3461) if the carrier has a return path at which they are read. */
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

/** Returns the headers for the provider's events. Providers parse them, so they must not be encoded. */
function eventsHeaders({ settings, bounceTokens }: MailContext, { clientReference }: Submission) {
  const headers = headersForEvents(settings.events, bounceTokens.make(clientReference));
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { prepared: true, value }]));
}

/** Writes the text part, and the HTML part if any. MARKETING shows a link to unsubscribe and the sender's address. */
function writeContent(context: MailContext, submission: Submission): { readonly text: string; readonly html?: string } {
  const { content, type } = submission;
  const values =
    type === "MARKETING"
      ? { unsubscribeUrl: findUnsubscribeUrl(context, submission), postalAddress: context.settings.postalAddress }
      : undefined;
  if (!isHtml(content)) return { text: withMailLineEnds(values ? withTextFooter(content, values) : content) };
  const html = values ? withHtmlFooter(content, values) : content;
  const text = toText(html);
  // the text part may be cut before the footer of the HTML part
  return { html: withMailLineEnds(html), text: withMailLineEnds(values ? withTextFooter(text, values) : text) };
}

/** Returns the link with which the recipient of a MARKETING mail unsubscribes; undefined if there is no public URL. */
function findUnsubscribeUrl(
  { publicUrl, unsubscribeTokens }: MailContext,
  { type, clientReference }: Submission,
): string | undefined {
  if (publicUrl === undefined || type !== "MARKETING") return undefined;
  return toUnsubscribeUrl(publicUrl, unsubscribeTokens.make(clientReference));
}

/** Returns the headers for one-click unsubscribe (RFC 8058). */
function unsubscribeHeaders(context: MailContext, submission: Submission): Record<string, string> {
  const url = findUnsubscribeUrl(context, submission);
  if (url === undefined) return {};
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** Maximum length of the HTML that is converted, in UTF-16 units. More would block the thread for too long. */
const LONGEST_CONVERTED = 16_384;
const CUT = "[…] This is the beginning of the message. The full message is in the HTML part.";
const NOTHING = "This message has no plain text. Its content is in the HTML part.";
/** Invisible characters. Senders pad an inbox's preview with runs of them; a single one may join letters, so it is kept. */
const UNSEEN =
  "[\\u00ad\\u034f\\u200b-\\u200f\\u2060\\ufeff]|&(?:zwnj|zwj|shy|#8203|#8204|#8205|#847|#x200[b-d]|#x34f);";
const BLANK = "[\\s\\u00a0\\u2007]|&(?:nbsp|#160|#8199|#xa0|#x2007);";
const FILLER = new RegExp(`(?:(?:${UNSEEN})(?:${BLANK})*){2,}|(?:${BLANK}){10,}`, "gi");

/** Converts HTML to the text part. It is never empty, because spam filters reject mails with an empty text part. */
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

/** Encodes long words, because a line has at most 998 octets (RFC 5322, 2.1.1) and headers are folded only at blanks. */
function toHeader(text: string): string {
  if (!LONG_WORD.test(text)) return text;
  const words = text.match(/.{1,14}/gsu) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join(" ");
}

const LONG_WORD = /\S{900}/;

/** Replaces line breaks: they would let the sender add headers. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** Returns whether quoted-printable encoding, whose cost grows with the number of lines, would block the thread for long. */
function hasManyLines(content: string): boolean {
  if (content.length < FEW_CHARACTERS) return false;
  let lines = 0;
  for (let at = 0; at < content.length; at += 1) if (content.charCodeAt(at) === LF) lines += 1;
  return lines * SHORT_LINE > content.length;
}

const FEW_CHARACTERS = 65_536;
/** Below the average line length of any real mail. */
const SHORT_LINE = 10;
const LF = 0x0a;

function requireMailbox(text: string): Mailbox {
  const mailbox = readMailbox(text);
  if (mailbox === undefined) throw new Error("the settings of a carrier contain an invalid address");
  return mailbox;
}

/** Timeout up to the final dot: connecting, all commands, and sending the mail. */
const CALL_MS = 120_000;
/** RFC 5321, 4.5.3.2.6: a server may take ten minutes to answer the final dot. */
const ANSWER_MS = 10 * 60_000;
const CONNECT_MS = 20_000;
const GREETING_MS = 30_000;
const LOOKUP_MS = 10_000;
/** Timeout of each answer to a probe. */
const PROBE_MS = 10_000;
/** Shorter than the idle timeout of servers, which could otherwise close the connection just as a mail is sent. */
const IDLE_MS = 30_000;
/** Some servers limit the number of mails per connection. */
const MAILS_A_CONNECTION = 1_000;
/** Headers covered by the signature. RFC 8058 requires the last two. */
const SIGNED =
  "From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post";

type SmtpSurroundings = Pick<CarrierSurroundings, "name" | "pepper" | "clock" | "logger"> & {
  readonly publicUrl?: string | undefined;
  readonly eventsUrl?: string | undefined;
  readonly getFromSns?: GetFromSns;
};

/** Opens a carrier that sends mails to an SMTP server. It connects for the first mail. */
export function openSmtpCarrier(settings: SmtpSettings, surroundings: SmtpSurroundings): Provider {
  const { name, clock, pepper, logger, publicUrl, eventsUrl, getFromSns } = surroundings;
  if (settings.events !== undefined && eventsUrl === undefined) {
    throw new Error("events: expected the server's public URL, to which the provider posts them: set --public-url");
  }
  const context = {
    settings,
    publicUrl: settings.publicUrl ?? publicUrl,
    bounceTokens: createMessageTokens(pepper, "bounce"),
    unsubscribeTokens: createMessageTokens(pepper, "unsubscribe"),
  };
  const events =
    settings.events &&
    new MailEvents(settings.events, { name, clock, logger, tokens: context.bounceTokens, getFromSns });
  const tokens = settings.oauth && new AccessTokens(settings.oauth, clock);
  const options = toOptions(settings, tokens);
  const transport = nodemailer.createTransport(options);
  const signer = settings.dkim === undefined ? undefined : createSigner(settings.dkim);
  // the order matters: the signature covers the whole mail, so signing comes before holding back the end
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
    // a quarter more than the connections, so that none is idle while the next mails are claimed
    capacity: () => settings.connections + Math.ceil(settings.connections / 4),
    async probe() {
      const probing = nodemailer.createTransport({ ...options, pool: false, socketTimeout: PROBE_MS });
      await probing.verify().finally(() => probing.close());
    },
    ...(events === undefined ? {} : { receive: (request: EventsRequest) => events.receive(request) }),
    isBusy: () => events?.isBusy ?? false,
    start(sink) {
      events?.start(sink);
    },
    async stop() {
      transport.close();
      tokens?.close();
      await events?.stop();
    },
  };
}

interface DottedMail extends SendMailOptions {
  readonly finalDot: FinalDot;
}

function toOptions(settings: SmtpSettings, tokens: AccessTokens | undefined): SMTPPoolOptions & { pool: true } {
  const { host, port, tls, ca, connections } = settings;
  const auth = toAuth(settings, tokens);
  return {
    host,
    port,
    secure: tls === "tls",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    ...(ca === undefined ? {} : { tls: { ca } }),
    ...(auth === undefined ? {} : { auth }),
    pool: true,
    maxConnections: connections,
    maxMessages: MAILS_A_CONNECTION,
    // the carrier itself decides whether to resend a mail whose connection closed
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    dnsTimeout: LOOKUP_MS,
    socketTimeout: ANSWER_MS,
    idleTimeout: IDLE_MS,
  };
}

function toAuth({ user, password }: SmtpSettings, tokens: AccessTokens | undefined): SMTPPoolOptions["auth"] {
  if (user === undefined) return undefined;
  if (tokens === undefined) return password === undefined ? undefined : { user, pass: password };
  return {
    type: "OAuth2",
    user,
    provisionCallback(_user, isRefused, done) {
      tokens.get(isRefused).then(({ token, expiresAt }) => done(null, token, expiresAt), done);
    },
  };
}

function createSigner({ domain, selector, privateKey }: DkimSettings): DKIM {
  return new DKIM({ domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED });
}

/** A failure reported by nodemailer. */
interface SmtpFailure extends Error {
  readonly code?: string;
  /** The last command: `MAIL FROM`, `RCPT TO`, `DATA`, `AUTH PLAIN`, `CONN` … */
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** First and longest pause after a deferral. The pause doubles with each attempt. */
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/**
 * First and longest pause if the server was not reached. All other messages wait too, so the carrier's queue decides
 * when to retry.
 */
const FIRST_UNREACHED_MS = 1_000;
const LONGEST_UNREACHED_MS = 5 * 60_000;

/** Commands that precede any mail. */
const OPENING = /^(?:CONN|EHLO|HELO|STARTTLS|AUTH\b.*)$/;
/** Reply code that demands a login, to any command (RFC 4954, 6). It says nothing about the mail. */
const LOGIN_WANTED = 530;
/** nodemailer's codes for a server that was not reached. */
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
 * Returns the outcome that a failure proves (RFC 5321, RFC 3463), or undefined if it proves none. `attempts` is the
 * number of earlier attempts; `mayHaveLeft` says whether the final dot was released.
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
  if (command === "RCPT TO") {
    const isPermanent = isPermanentReply(detail);
    return { outcome: "refused", reason: readReason(detail), isOptOut: false, detail, isPermanent };
  }
  if (command === "DATA") return { outcome: "refused", reason: "CARRIER_FILTERED", isOptOut: false, detail };
  // the server rejected our own sender address
  return command === "MAIL FROM" ? { outcome: "failed", detail } : undefined;
}

/** Reads the id that the server gave the mail. If the answer names none, returns the answer without its code. */
export function readQueueId(response: string): string {
  const words = response.replace(/^\d{3}[ -](\d\.\d+\.\d+ )?/, "").trim();
  const [, id] = /\b(?:queued as|id=|Message accepted for delivery:?)\s*<?([\w.@+/=-]+)>?/i.exec(words) ?? [];
  return id ?? words;
}

/** Returns whether a reply confirms that the server accepted the mail. */
function isTaken(response: string): boolean {
  return /^2\d\d[ -]/.test(response);
}

/** Holds back the end of a mail, which SMTP sends as the final dot, until the hand-over is recorded. */
class FinalDot {
  readonly #handOver: () => Promise<void>;
  /** Whether the mail may have left. */
  isReleased = false;
  #isOver = false;

  constructor(handOver: () => Promise<void>) {
    this.#handOver = handOver;
  }

  /** Returns the mail as a stream. It ends when the mail may leave, and fails if the mail must not leave. */
  holdBack(mail: Readable): Readable {
    return Readable.from(this.#pass(mail), { objectMode: false });
  }

  /** Prevents the mail from leaving. Call when the submission has ended. */
  keep(): void {
    this.#isOver = true;
  }

  async *#pass(mail: Readable): AsyncGenerator<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of mail) chunks.push(chunk);
    // send one chunk: each of dozens of chunks would be a packet
    yield Buffer.concat(chunks);
    this.#requireUndecided();
    await this.#handOver();
    this.#requireUndecided();
    this.isReleased = true;
  }

  #requireUndecided(): void {
    if (this.#isOver) throw new Error("the submission ended before the mail left");
  }
}
