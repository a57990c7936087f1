// One connection that delivers mails: SMTP (RFC 5321) after EHLO or HELO, LMTP (RFC 2033) after LHLO.

import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "../../../platform/timers.ts";

export interface BroughtMail {
  readonly recipients: readonly string[];
  /** The first bytes of the mail, still with SMTP's dot-stuffing. */
  readonly head: Buffer;
}

export interface MailSessionOptions {
  /** Handles a mail. Resolves to one reply per recipient, in their order. */
  readonly take: (mail: BroughtMail) => Promise<readonly string[]>;
  /** Called with the name of the protocol if a client speaks neither SMTP nor LMTP. */
  readonly onStranger: (what: string) => void;
}

/** Limit for a report: a few kilobytes, plus a quoted mail of up to a megabyte, perhaps in base64. */
export const LARGEST_MAIL_BYTES = 2 * 1_048_576;
/** Bytes of a mail that are kept; further bytes are only counted. The report comes before the mail that it quotes. */
export const MOST_KEPT_BYTES = 131_072;
export const MOST_RECIPIENTS = 10;
/** A line has at most 512 octets (RFC 5321, 4.5.3.1), and extensions may add to that. */
const LONGEST_LINE = 4_096;
/** Maximum number of commands without a mail. */
const MOST_COMMANDS = 100;
/** Time limits for a client to begin a mail, and to finish sending it. */
export const BEGIN_MS = 60_000;
export const MAIL_MS = 120_000;

/** Maximum number of reply bytes that a client may leave unread. */
const MOST_UNREAD = 65_536;
/** Time limit for a client to read the last reply. */
const CLOSE_MS = 5_000;

const END = Buffer.from("\r\n.\r\n");
/** First byte of a TLS connection: the type of a handshake record. */
const TLS_HANDSHAKE = 0x16;
const HTTP = /^(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|CONNECT|TRACE|PATCH|PRI) \S+ HTTP\/\d/;

interface MailUnderWay {
  readonly head: Buffer;
  /** Bytes received, including those that were not kept. */
  bytes: number;
}

export class MailSession {
  readonly #socket: Socket;
  readonly #options: MailSessionOptions;
  #protocol: "SMTP" | "LMTP" | undefined;
  #hasSender = false;
  #recipients: string[] = [];
  #commands = 0;
  /** Bytes received but not processed yet: at most one command line, or a possible end of a mail. */
  #rest: Buffer = Buffer.alloc(0);
  #mail: MailUnderWay | undefined;
  #isTaking = false;
  #isEnding = false;
  #deadline: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: MailSessionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("close", () => clearTimeout(this.#deadline));
    this.#allow(BEGIN_MS);
    this.#say("220 msgd ESMTP and LMTP");
  }

  /** Ends the connection. If a mail is being handled, first waits for its reply. */
  end(): void {
    this.#isEnding = true;
    if (!this.#isTaking) this.#close(STOPS);
  }

  #allow(ms: number): void {
    clearTimeout(this.#deadline);
    const words = `421 4.4.2 timeout after ${ms / 1_000} s`;
    this.#deadline = setTimeout(() => this.#close(words), ms).unref();
  }

  #say(reply: string): void {
    if (this.#socket.writableLength > MOST_UNREAD) this.#socket.destroy();
    else if (this.#socket.writable) this.#socket.write(`${reply}\r\n`);
  }

  #close(reply: string): void {
    clearTimeout(this.#deadline);
    this.#say(reply);
    this.#socket.destroySoon();
    if (!this.#socket.destroyed) this.#deadline = setTimeout(() => this.#socket.destroy(), CLOSE_MS).unref();
  }

  #read(chunk: Buffer): void {
    if (!this.#socket.writable) return;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#goOn();
  }

  #goOn(): void {
    while (!this.#isTaking && this.#socket.writable) {
      if (!(this.#mail === undefined ? this.#readCommand() : this.#readMail(this.#mail))) break;
    }
  }

  /** Reads a command. Returns whether more input may be ready. */
  #readCommand(): boolean {
    const end = this.#rest.indexOf("\n");
    const isUnknown = this.#protocol === undefined;
    if (isUnknown && this.#rest[0] === TLS_HANDSHAKE) this.#rejectProtocol("TLS");
    else if (end > LONGEST_LINE || (end < 0 && this.#rest.length > LONGEST_LINE))
      this.#close("500 5.5.2 a line too long");
    else if (end >= 0) {
      const line = this.#rest.toString("utf8", 0, end).trimEnd();
      this.#rest = this.#rest.subarray(end + 1);
      this.#commands += 1;
      if (isUnknown && HTTP.test(line)) this.#rejectProtocol("HTTP");
      else if (this.#commands > MOST_COMMANDS) this.#close("421 4.7.0 too many commands without a mail");
      else {
        const reply = this.#obey(line);
        if (reply !== undefined) this.#say(reply);
      }
      return true;
    }
    return false;
  }

  #rejectProtocol(what: string): void {
    this.#options.onStranger(what);
    this.#close("500 5.5.1 this port accepts only unencrypted SMTP or LMTP");
  }

  /** Executes a command. Returns the reply, or undefined if the connection was ended. */
  #obey(line: string): string | undefined {
    const [word = ""] = line.split(" ", 1);
    switch (word.toUpperCase()) {
      case "HELO":
        this.#greet("SMTP");
        return "250 msgd";
      case "EHLO":
        this.#greet("SMTP");
        return extensions;
      case "LHLO":
        this.#greet("LMTP");
        return extensions;
      case "MAIL":
        return this.#beginMail(line);
      case "RCPT":
        return this.#addRecipient(line);
      case "DATA":
        return this.#beginData();
      case "RSET":
        this.#reset();
        return DONE;
      case "NOOP":
        return DONE;
      case "VRFY":
        return "252 2.5.2 cannot verify, but will accept the mail";
      case "QUIT":
        this.#close("221 2.0.0 bye");
        return undefined;
      default:
        if (this.#protocol === undefined) this.#options.onStranger("neither SMTP nor LMTP");
        return "500 5.5.1 unknown command";
    }
  }

  #greet(protocol: "SMTP" | "LMTP"): void {
    this.#protocol = protocol;
    this.#reset();
  }

  #reset(): void {
    this.#hasSender = false;
    this.#recipients = [];
  }

  #beginMail(line: string): string {
    if (this.#protocol === undefined) return "503 5.5.1 say EHLO or LHLO first";
    if (this.#hasSender) return "503 5.5.1 one mail at a time";
    const parameters = /^MAIL FROM: ?<[^<>]*>(.*)$/i.exec(line)?.[1];
    if (parameters === undefined) return "501 5.5.4 expected MAIL FROM:<address>";
    const size = /\sSIZE=(\d{1,20})(?:\s|$)/i.exec(parameters)?.[1];
    if (Number(size ?? 0) > LARGEST_MAIL_BYTES) return TOO_LARGE;
    this.#hasSender = true;
    return "250 2.1.0 sender ok";
  }

  #addRecipient(line: string): string {
    if (!this.#hasSender) return "503 5.5.1 say MAIL first";
    const address = /^RCPT TO: ?<([^<>]+)>/i.exec(line)?.[1];
    if (address === undefined) return "501 5.5.4 expected RCPT TO:<address>";
    if (this.#recipients.length >= MOST_RECIPIENTS) return `452 4.5.3 at most ${MOST_RECIPIENTS} recipients at a time`;
    this.#recipients.push(address);
    return "250 2.1.5 recipient ok";
  }

  #beginData(): string {
    if (this.#recipients.length === 0) return "503 5.5.1 say RCPT first";
    this.#commands = 0;
    this.#allow(MAIL_MS);
    this.#mail = { head: Buffer.allocUnsafeSlow(MOST_KEPT_BYTES), bytes: 0 };
    // the dot of an empty mail is on its first line, so put a line end before it
    this.#rest = Buffer.concat([END.subarray(0, 2), this.#rest]);
    return "354 send the mail; end with <CRLF>.<CRLF>";
  }

  #readMail(mail: MailUnderWay): boolean {
    const end = this.#rest.indexOf(END);
    // the last bytes may be the start of the end marker
    const until = end < 0 ? Math.max(this.#rest.length - END.length + 1, 0) : end + 2;
    if (mail.bytes < MOST_KEPT_BYTES) this.#rest.copy(mail.head, mail.bytes, 0, until);
    mail.bytes += until;
    this.#rest = this.#rest.subarray(end < 0 ? until : end + END.length);
    // lets a client finish sending a mail that is too large, but only up to twice the limit
    if (mail.bytes > 2 * LARGEST_MAIL_BYTES) this.#close(TOO_LARGE);
    if (end < 0) return false;
    void this.#take(mail);
    return true;
  }

  async #take({ head: kept, bytes }: MailUnderWay): Promise<void> {
    this.#mail = undefined;
    this.#isTaking = true;
    clearTimeout(this.#deadline);
    this.#socket.pause();
    const recipients = this.#recipients;
    this.#reset();
    // drops the line end that was added in #beginData
    const head = kept.subarray(2, Math.min(bytes, MOST_KEPT_BYTES));
    const replies =
      bytes > LARGEST_MAIL_BYTES ? recipients.map(() => TOO_LARGE) : await this.#options.take({ recipients, head });
    const said = this.#protocol === "LMTP" ? replies : [worstOf(replies)];
    for (const reply of said) this.#say(reply);
    this.#isTaking = false;
    if (this.#isEnding) return this.#close(STOPS);
    this.#allow(BEGIN_MS);
    this.#socket.resume();
    this.#goOn();
  }
}

const DONE = "250 2.0.0 done";
const STOPS = "421 4.3.2 the server is stopping";
const TOO_LARGE = `552 5.3.4 a report has at most ${LARGEST_MAIL_BYTES} bytes`;
const extensions = [
  ...["250-msgd", "250-PIPELINING", `250-SIZE ${LARGEST_MAIL_BYTES}`, "250-8BITMIME", "250-SMTPUTF8"],
  "250 ENHANCEDSTATUSCODES",
].join("\r\n");

/** Chooses the single reply that SMTP allows for all recipients. A retry is safe, because each report is recorded once. */
function worstOf(replies: readonly string[]): string {
  const [first = ""] = replies;
  return replies.find((reply) => reply.startsWith("4")) ?? replies.find((reply) => reply.startsWith("5")) ?? first;
}
