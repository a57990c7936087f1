// Mail by SMTP. A server that has a mail's last byte, its final dot, and lost the connection tells nobody whether it took the
// mail. So the dot is held back until it is on record that the mail leaves; before that, nothing was sent.

import nodemailer, { type SendMailOptions, type SMTPPoolOptions } from "nodemailer";
import DKIM from "nodemailer/lib/dkim";
import type { Clock } from "../../../platform/clock.ts";
import type { DkimSettings, SmtpSettings } from "../../../rules/carrier-settings.ts";
import { createMessageTokens } from "../../../rules/message-tokens.ts";
import type { Provider } from "../provider.ts";
import { isTaken, readFailure, readQueueId, type SmtpFailure } from "./answers.ts";
import { FinalDot } from "./final-dot.ts";
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
