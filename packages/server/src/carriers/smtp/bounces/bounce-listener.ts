// Receives bounced mails and records what they report. A mail is acknowledged when its report is recorded; otherwise
// its sender retries.

import { type AddressInfo, createServer, type Socket } from "node:net";
import { createMessageTokens, findNamedMessage, readReturnAddress } from "../../../domain/message-tokens.ts";
import type { MailReport } from "../../../domain/messages/emails.ts";
import type { Logger } from "../../../platform/logging.ts";
import { clearTimeout, setTimeout } from "../../../platform/timers.ts";
import { TaskTooCostly } from "../../../threads/worker-threads.ts";
import type { MessageEvent } from "../../provider.ts";
import { toMessageEvent } from "../mail-reports.ts";
import { type BroughtMail, MailSession } from "./mail-session.ts";
import { type MailToRead, type ReadMail, readMail } from "./read-mail.ts";

export interface BounceListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly pepper: string;
  readonly logger: Logger;
  /** Reads a mail. @default `readMail`, in this thread */
  readonly read?: (mail: MailToRead) => Promise<ReadMail>;
  /** Resolves once the event is durably recorded. */
  readonly record: (event: MessageEvent) => Promise<void>;
}

export interface BounceListener {
  readonly port: number;
  /** Stops accepting mails, and waits for those being read. */
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 100;
/** Maximum number of connections per address. Postfix delivers over 20 at once. */
const MOST_OF_ADDRESS = 25;
const CLOSE_MS = 2_000;

/** Starts listening. Rejects if the address cannot be bound. */
export async function openBounceListener(options: BounceListenerOptions): Promise<BounceListener> {
  const { host, port } = options;
  const take = createTaker(options);
  const sessions = new Map<Socket, MailSession>();

  function admit(socket: Socket): void {
    const from = socket.remoteAddress;
    socket.on("error", () => socket.destroy());
    const own = [...sessions.keys()].filter(({ remoteAddress }) => remoteAddress === from).length;
    if (own >= MOST_OF_ADDRESS || sessions.size >= MOST_CONNECTIONS) {
      socket.write("421 4.3.2 too many connections\r\n");
      socket.destroySoon();
      return;
    }
    const onStranger = (spoken: string) =>
      options.logger.warn(
        { from, spoken },
        "a client of another protocol connected to --bounces, which speaks SMTP and LMTP",
      );
    sessions.set(socket, new MailSession(socket, { take, onStranger }));
    socket.on("close", () => sessions.delete(socket));
  }

  const server = createServer(admit);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const words = `--bounces (MSGD_BOUNCES): cannot listen on port ${port} of ${host}: ${error.code ?? error.message}`;
      reject(new Error(words, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions.values()) session.end();
      const alarm = setTimeout(() => {
        for (const socket of sessions.keys()) socket.destroy();
      }, CLOSE_MS);
      await closed;
      clearTimeout(alarm);
    },
  };
}

const TAKEN = "250 2.0.0 taken";
const NO_ROOM = "452 4.3.1 no room now: try again";
const NOT_RECORDED = "451 4.3.0 it could not be recorded: try again";
const UNREADABLE = "554 5.6.0 it cannot be read";

/** Creates a function that reads a mail, records its report once per message, and returns a reply for each recipient. */
function createTaker({ pepper, logger, record, read = readMail }: BounceListenerOptions) {
  const tokens = createMessageTokens(pepper, "bounce");

  async function recordReport(messageId: string, report: MailReport): Promise<string> {
    try {
      await record(toMessageEvent({ messageId, report }, tokens));
      return TAKEN;
    } catch (error) {
      logger.error({ err: error }, "failed to record a bounce report; its sender is asked to retry");
      return NOT_RECORDED;
    }
  }

  return async ({ recipients, head }: BroughtMail): Promise<string[]> => {
    const messages = recipients.map((recipient) => readReturnAddress(recipient, tokens));
    const isOurs = messages.some((messageId) => messageId !== undefined);
    let mail: ReadMail;
    try {
      mail = await read({ head, isOurs });
    } catch (error) {
      const isFinal = error instanceof TaskTooCostly;
      logger.warn(
        { err: error },
        `a bounce could not be read; ${isFinal ? "it is refused" : "its sender is asked to try again"}`,
      );
      return recipients.map(() => (isFinal ? UNREADABLE : NO_ROOM));
    }
    if (mail.isUnreadable) return recipients.map(() => UNREADABLE);
    const { report, names } = mail;
    if (report === undefined) return recipients.map(() => TAKEN);
    const named = messages.map((messageId) => messageId ?? (isOurs ? undefined : findNamedMessage(names, tokens)));
    const replies = new Map<string, Promise<string>>();
    for (const messageId of named) {
      if (messageId !== undefined && !replies.has(messageId)) replies.set(messageId, recordReport(messageId, report));
    }
    return Promise.all(named.map((messageId) => (messageId === undefined ? TAKEN : (replies.get(messageId) ?? TAKEN))));
  };
}
