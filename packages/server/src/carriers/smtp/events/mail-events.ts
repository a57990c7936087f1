// The events of a mail carrier's provider. The mails leave over SMTP; the provider posts what becomes of them.

import type { EventsReply, EventsRequest } from "../../../domain/carrier-events.ts";
import { findNamedMessage, type MessageTokens } from "../../../domain/message-tokens.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/logging.ts";
import { ApiClient } from "../../api-client.ts";
import type { EventSink } from "../../provider.ts";
import { toMessageEvent } from "../mail-reports.ts";
import type { MailEvent, ReadEvents } from "./event-request.ts";
import { type MailgunSettings, mailgunHeaders, readMailgunEvents, UsedTokens } from "./mailgun.ts";
import { type PostmarkSettings, postmarkHeaders, readPostmarkEvents } from "./postmark.ts";
import { readSendGridEvents, type SendGridSettings, sendGridHeaders } from "./sendgrid.ts";
import { readSesEvents, type SesSettings } from "./ses.ts";
import { type GetFromSns, hostOfTopic, SnsVerifier } from "./sns.ts";

export type MailEventsSettings = SesSettings | SendGridSettings | MailgunSettings | PostmarkSettings;

/** Headers of a mail that make its provider name the token in the mail's events. SES names the Message-ID without any. */
export function headersForEvents(settings: MailEventsSettings | undefined, token: string): Record<string, string> {
  switch (settings?.provider) {
    case "sendgrid":
      return sendGridHeaders(token);
    case "mailgun":
      return mailgunHeaders(token);
    case "postmark":
      return postmarkHeaders(token);
    default:
      return {};
  }
}

export interface MailEventsOptions {
  readonly name: string;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly logger: Pick<Logger, "warn">;
  readonly tokens: MessageTokens;
  /** Sends a GET request to the host of an SNS topic. @default over HTTPS */
  readonly getFromSns?: GetFromSns | undefined;
}

const SNS_MS = 10_000;
/** Events of one request that are recorded at once. */
const AT_ONCE = 100;

/** Receives the requests of a provider. */
export class MailEvents {
  readonly #options: MailEventsOptions;
  readonly #read: (request: EventsRequest) => ReadEvents | Promise<ReadEvents>;
  readonly #receiving = new Set<Promise<EventsReply>>();
  #sink: EventSink | undefined;
  #closeClient = () => {};

  constructor(settings: MailEventsSettings, options: MailEventsOptions) {
    this.#options = options;
    this.#read = this.#createReader(settings);
  }

  get isBusy(): boolean {
    return this.#receiving.size > 0;
  }

  start(sink: EventSink): void {
    this.#sink = sink;
  }

  /** Stops receiving, and waits for the events in progress. */
  async stop(): Promise<void> {
    this.#sink = undefined;
    await Promise.allSettled(this.#receiving);
    this.#closeClient();
  }

  async receive(request: EventsRequest): Promise<EventsReply> {
    const receiving = this.#receive(request);
    this.#receiving.add(receiving);
    try {
      return await receiving;
    } finally {
      this.#receiving.delete(receiving);
    }
  }

  async #receive(request: EventsRequest): Promise<EventsReply> {
    if (this.#sink === undefined) return { status: 503 };
    const read = await this.#read(request);
    if ("refused" in read) return { status: 403, detail: read.refused };
    const { tokens } = this.#options;
    // events without one of our tokens are about mails that others sent through the same account
    const found = read.events.flatMap(({ names, ...event }) => {
      const messageId = findNamedMessage(names, tokens);
      return messageId === undefined ? [] : [toMessageEvent({ messageId, ...event }, tokens)];
    });
    for (let first = 0; first < found.length; first += AT_ONCE) {
      const sink = this.#sink;
      if (sink === undefined) return { status: 503 };
      const ends = await Promise.allSettled(found.slice(first, first + AT_ONCE).map((event) => sink(event)));
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    }
    // Mailgun repeats a request after any other status than 200
    return { status: 200 };
  }

  #createReader(settings: MailEventsSettings): (request: EventsRequest) => ReadEvents | Promise<ReadEvents> {
    const { clock } = this.#options;
    switch (settings.provider) {
      case "sendgrid":
        return (request) => readSendGridEvents(settings, request, clock.now());
      case "mailgun": {
        const usedTokens = new UsedTokens();
        return (request) => readMailgunEvents(settings, request, { now: clock.now(), usedTokens });
      }
      case "postmark":
        return (request) => readPostmarkEvents(settings, request);
      case "ses": {
        const get = this.#options.getFromSns ?? this.#openSns(hostOfTopic(settings.topicArn));
        const verifier = new SnsVerifier(settings.topicArn, get);
        return ({ body }) => this.#readSns(verifier, get, body);
      }
    }
  }

  #openSns(host: string): GetFromSns {
    const client = new ApiClient(`https://${host}`, { connections: 2, clock: this.#options.clock });
    this.#closeClient = () => client.close();
    return (path) => client.send({ method: "GET", path, headers: {}, timeoutMs: SNS_MS });
  }

  async #readSns(verifier: SnsVerifier, get: GetFromSns, body: Buffer): Promise<ReadEvents> {
    const { clock, logger, name } = this.#options;
    const message = await verifier.read(body.toString("utf8"), clock.now());
    if ("refused" in message) return message;
    let events: MailEvent[] = [];
    if (message.type === "Notification") events = readSesEvents(message.message);
    else if (message.type === "UnsubscribeConfirmation") {
      logger.warn({ carrier: name }, "the subscription to the SNS topic was removed: no events arrive for the carrier");
    } else {
      const { status } = await get(message.path);
      if (status !== 200) throw new Error(`SNS did not confirm the subscription: status ${status}`);
    }
    return { events };
  }
}
