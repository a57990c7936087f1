// Mail by SMTP. A server that has a mail's last byte, its final dot, and lost the connection tells nobody whether it took the
// mail. So the dot is held back until it is on record that the mail leaves; before that, nothing was sent.

import { Readable } from "node:stream";
import nodemailer, { type SendMailOptions, type SMTPPoolOptions } from "nodemailer";
import DKIM from "nodemailer/lib/dkim";
import type { Clock } from "../../../platform/clock.ts";
import type { DkimSettings, SmtpSettings } from "../../../rules/carrier-settings.ts";
import { readReason } from "../../../rules/delivery.ts";
import { createMessageTokens } from "../../../rules/message-tokens.ts";
import type { Provider, SubmitOutcome } from "../provider.ts";
import { writeMail } from "./mail.ts";

/** Until the final dot: connecting, all that is said before, and the mail itself. */
const CALL_MS = 120_000;
/** RFC 5321, 4.5.3.2.6: a server may take ten minutes after the dot. */
const ANSWER_MS = 10 * 60_000;
const CONNECT_MS = 20_000;
const GREETING_MS = 30_000;
const LOOKUP_MS = 10_000;
/** Of a probe, each answer. */
const PROBE_MS = 10_000;
/** Most servers end a connection after a minute or more of silence, and what was being sent on it then has to wait. */
const IDLE_MS = 30_000;
/** Some count what comes over one connection. */
const MAILS_A_CONNECTION = 1_000;
/** RFC 8058 wants both of the last two to be signed. */
const SIGNED =
  "From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post";

/** Opens a carrier that gives mails to an SMTP server. It connects with the first mail. */
export function openSmtpCarrier(
  name: string,
  settings: SmtpSettings,
  { clock, pepper, publicUrl }: { clock: Pick<Clock, "now">; pepper: string; publicUrl?: string | undefined },
): Provider {
  const parts = {
    settings,
    publicUrl: settings.publicUrl ?? publicUrl,
    bounceTokens: createMessageTokens(pepper, "bounce"),
    unsubscribeTokens: createMessageTokens(pepper, "unsubscribe"),
  };
  const transport = nodemailer.createTransport(toOptions(settings));
  const signer = settings.dkim === undefined ? undefined : createSigner(settings.dkim);
  // in this order: a signature is of all of a mail, and is made before any of it is held back
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
      const mail: DottedMail = { ...writeMail(parts, submission, clock.now()), signal, finalDot };
      try {
        const { response } = await transport.sendMail(mail);
        if (!finalDot.isReleased || !isTaken(response)) throw new Error(`the server spoke out of turn: ${response}`);
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
    // a few more, so that no connection is idle while the next mails are claimed
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

function toOptions({
  host,
  port,
  tls,
  ca,
  user,
  password,
  connections,
}: SmtpSettings): SMTPPoolOptions & { pool: true } {
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
    // what was on a connection that closed is judged by whether it had left
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

// What an SMTP server's answer means for a message. RFC 5321 says what each reply proves; RFC 3463 has the codes in their text.

/** What nodemailer knows of a failure. */
interface SmtpFailure extends Error {
  readonly code?: string;
  /** What was said last: `MAIL FROM`, `RCPT TO`, `DATA`, `AUTH PLAIN`, `CONN` … */
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** The pause after a first deferral, twice as long after each that follows, and the longest. */
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/** The same where no server was reached that could say anything: all others wait too, and the line decides when to try. */
const FIRST_UNREACHED_MS = 1_000;
const LONGEST_UNREACHED_MS = 5 * 60_000;

/** What is said before any mail. */
const OPENING = /^(?:CONN|EHLO|HELO|STARTTLS|AUTH\b.*)$/;
/** RFC 4954, 6: it wants a login, at whatever command it says so. No mail is at fault. */
const LOGIN_WANTED = 530;
/** What nodemailer calls that nobody was reached. */
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
 * The outcome that a failure proves; undefined where it proves none. `attempts` were made before; `mayHaveLeft` says whether
 * the final dot was let go.
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
  // what we said of ourselves
  return command === "MAIL FROM" ? { outcome: "failed", detail } : undefined;
}

/** The id that a server gave a mail: what its words call one, else the words, without the code. */
export function readQueueId(response: string): string {
  const words = response.replace(/^\d{3}[ -](\d\.\d+\.\d+ )?/, "").trim();
  const [, id] = /\b(?:queued as|id=|Message accepted for delivery:?)\s*<?([\w.@+/=-]+)>?/i.exec(words) ?? [];
  return id ?? words;
}

/** Whether it says that the mail was taken. */
function isTaken(response: string): boolean {
  return /^2\d\d[ -]/.test(response);
}

/** Holds back the end of a mail, which is the final dot on the wire, until it is on record that the mail leaves. */
class FinalDot {
  readonly #handOver: () => Promise<void>;
  #isReleased = false;
  #isOver = false;

  constructor(handOver: () => Promise<void>) {
    this.#handOver = handOver;
  }

  /** Whether it may have left. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** The mail, which ends once it may leave, and fails where it must not. */
  holdBack(mail: Readable): Readable {
    return Readable.from(this.#pass(mail), { objectMode: false });
  }

  /** From now on it must not leave: there is an outcome. */
  keep(): void {
    this.#isOver = true;
  }

  async *#pass(mail: Readable): AsyncGenerator<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of mail) chunks.push(chunk);
    // as one: each of dozens would be a packet
    yield Buffer.concat(chunks);
    this.#requireUndecided();
    await this.#handOver();
    this.#requireUndecided();
    this.#isReleased = true;
  }

  #requireUndecided(): void {
    if (this.#isOver) throw new Error("there was an outcome before the mail had left");
  }
}
