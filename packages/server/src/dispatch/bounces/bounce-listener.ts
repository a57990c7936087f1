// Takes the mails that come back, and tells the dispatcher what they report. A mail is acknowledged once that is recorded;
// whoever brought it tries again otherwise.

import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import type { Logger } from "../../platform/logging.ts";
import { createMessageTokens } from "../../rules/message-tokens.ts";
import type { MessageEvent } from "../providers/provider.ts";
import { type ReadReport, readMail } from "./read-mail.ts";

export interface BounceListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly protocol: "smtp" | "lmtp";
  readonly pepper: string;
  readonly logger: Logger;
  /** Resolves once the event is durably recorded. */
  readonly record: (event: MessageEvent) => Promise<void>;
}

export interface BounceListener {
  readonly port: number;
  /** Takes no more, and waits for the mails being read. */
  close(): Promise<void>;
}

/** A report has a few kilobytes, and quotes a mail of up to a megabyte, perhaps in base64. */
const LARGEST_MAIL_BYTES = 2 * 1_048_576;
const MOST_CLIENTS = 50;
const MOST_RECIPIENTS = 10;
const SILENCE_MS = 60_000;
const CLOSE_MS = 2_000;

/** Listens. Rejects if it cannot. */
export async function openBounceListener(options: BounceListenerOptions): Promise<BounceListener> {
  const { host, port, protocol, pepper, logger, record } = options;
  const tokens = createMessageTokens(pepper, "bounce");

  async function take(source: Buffer, { envelope }: SMTPServerSession): Promise<void> {
    const recipients = envelope.rcptTo.map(({ address }) => address).slice(0, MOST_RECIPIENTS);
    const read = await readMail(source, recipients, tokens).catch((error: unknown) => {
      logger.warn({ err: error }, "a mail that came back could not be read, and was dropped");
      return undefined;
    });
    if (read !== undefined) await record(toEvent(read, tokens.make(read.messageId)));
  }

  const server = new SMTPServer({
    lmtp: protocol === "lmtp",
    logger: false,
    name: "msgd",
    banner: "msgd",
    size: LARGEST_MAIL_BYTES,
    // who may send here is decided by the network; whose a report is, by its token
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    maxClients: MOST_CLIENTS,
    socketTimeout: SILENCE_MS,
    closeTimeout: CLOSE_MS,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= LARGEST_MAIL_BYTES) chunks.push(chunk);
      });
      stream.on("end", () => {
        if (bytes > LARGEST_MAIL_BYTES) return done(reply(552, "5.3.4 the mail is too large for a report"));
        take(Buffer.concat(chunks), session).then(
          () => done(null, "2.0.0 taken"),
          (error: unknown) => {
            logger.error({ err: error }, "a report could not be recorded; whoever brought it tries again");
            done(reply(451, "4.3.0 it could not be recorded: try again"));
          },
        );
      });
    },
  });
  // a client that went away; not being able to listen is told below
  server.on("error", (error) => logger.warn({ err: error }, "a connection that brought a mail back failed"));
  await new Promise<void>((resolve, reject) => {
    server.server.once("error", (error: NodeJS.ErrnoException) => {
      const words = `--bounces (MSGD_BOUNCES): cannot listen on port ${port} of ${host}: ${error.code ?? error.message}`;
      reject(new Error(words, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function toEvent({ messageId, report }: ReadReport, token: string): MessageEvent {
  const event = { clientReference: messageId, eventId: `${report.kind} ${messageId}` };
  if (report.kind === "complaint") return { ...event, kind: "opt-out", cause: "COMPLAINT" };
  const receipt = { ...event, kind: "receipt", providerMessageId: token } as const;
  switch (report.kind) {
    case "delivered":
      return { ...receipt, status: "DELIVERED", reason: null };
    case "relayed":
      return { ...receipt, status: "SENT", reason: null };
    case "undelivered":
      return { ...receipt, status: "UNDELIVERED", reason: report.reason, detail: report.detail };
  }
}

function reply(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}
