// A stand-in for the mail providers SES, SendGrid, Mailgun and Postmark. It signs requests with events as they do, for the
// mails that a test server took, and its requests can be repeated, reordered and forged.

import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import PostalMime from "postal-mime";
import type { MailEventsSettings } from "../carriers/smtp/events/mail-events.ts";
import type { EventsRequest } from "../domain/carrier-events.ts";
import type { TakenMail } from "./mail-server.ts";
import { makeSelfSignedCertificate } from "./self-signed-certificate.ts";

export type MailEventKind = "accepted" | "delivered" | "bounced" | "deferred" | "complained" | "unsubscribed";

export const TOPIC_ARN = "arn:aws:sns:us-east-1:123456789012:mail";
const SNS = "https://sns.us-east-1.amazonaws.com";
export const CERTIFICATE_PATH = `/SimpleNotificationService-${"0".repeat(32)}.pem`;

const HALF_DAY_MS = 12 * 60 * 60_000;

/** Reads the headers of a mail, as a provider does. */
async function headersOf(mail: TakenMail): Promise<ReadonlyMap<string, string>> {
  const { headers } = await PostalMime.parse(mail.source);
  return new Map(headers.map(({ key, value }) => [key, value]));
}

export interface MailProvider {
  readonly settings: MailEventsSettings;
  /** Makes the request that reports an event of a mail. */
  report(mail: TakenMail, kind: MailEventKind): Promise<EventsRequest>;
}

export class SendGridDouble implements MailProvider {
  readonly #now: () => number;
  readonly #key: KeyObject;
  readonly settings;

  constructor(now: () => number) {
    this.#now = now;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    this.#key = privateKey;
    const verificationKey = publicKey.export({ type: "spki", format: "der" }).toString("base64");
    this.settings = { provider: "sendgrid", verificationKey } as const;
  }

  async report(mail: TakenMail, kind: MailEventKind): Promise<EventsRequest> {
    const { unique_args: uniqueArguments } = JSON.parse((await headersOf(mail)).get("x-smtpapi") ?? "{}");
    const events = {
      accepted: { event: "processed" },
      delivered: { event: "delivered", response: "250 OK" },
      bounced: { event: "bounce", type: "bounce", status: "5.1.1", reason: "550 5.1.1 no such user" },
      deferred: { event: "deferred", response: "450 4.2.0 greylisted", attempt: "1" },
      complained: { event: "spamreport" },
      unsubscribed: { event: "unsubscribe" },
    };
    const common = { email: mail.to, timestamp: this.#now() / 1_000, sg_event_id: `${kind} ${mail.to}` };
    return this.sign([{ ...common, ...events[kind], ...uniqueArguments }]);
  }

  sign(events: unknown, { at = this.#now() }: { at?: number } = {}): EventsRequest {
    const timestamp = String(Math.floor(at / 1_000));
    const body = Buffer.from(JSON.stringify(events));
    const signature = sign("sha256", Buffer.concat([Buffer.from(timestamp), body]), this.#key).toString("base64");
    const headers = {
      "x-twilio-email-event-webhook-timestamp": timestamp,
      "x-twilio-email-event-webhook-signature": signature,
    };
    return { query: "", headers, body };
  }
}

export class MailgunDouble implements MailProvider {
  readonly #now: () => number;
  #tokens = 0;
  readonly settings = { provider: "mailgun", signingKey: "double-signing-key" } as const;

  constructor(now: () => number) {
    this.#now = now;
  }

  async report(mail: TakenMail, kind: MailEventKind): Promise<EventsRequest> {
    const variables = JSON.parse((await headersOf(mail)).get("x-mailgun-variables") ?? "{}");
    const status = { code: 550, message: "5.1.1 no such user", "enhanced-code": "5.1.1" };
    const events = {
      accepted: { event: "accepted" },
      delivered: { event: "delivered", "delivery-status": { code: 250, message: "OK" } },
      bounced: { event: "failed", severity: "permanent", reason: "bounce", "delivery-status": status },
      deferred: { event: "failed", severity: "temporary", reason: "greylisted" },
      complained: { event: "complained" },
      unsubscribed: { event: "unsubscribed" },
    };
    const common = { recipient: mail.to, timestamp: this.#now() / 1_000, "user-variables": variables };
    return this.sign({ ...events[kind], ...common });
  }

  sign(event: unknown, { at = this.#now(), token }: { at?: number; token?: string } = {}): EventsRequest {
    this.#tokens += 1;
    const signed = token ?? String(this.#tokens).padStart(50, "0");
    const timestamp = String(Math.floor(at / 1_000));
    const hmac = createHmac("sha256", this.settings.signingKey).update(timestamp + signed);
    const signature = { timestamp, token: signed, signature: hmac.digest("hex") };
    return { query: "", headers: {}, body: Buffer.from(JSON.stringify({ signature, "event-data": event })) };
  }
}

export class PostmarkDouble implements MailProvider {
  readonly #now: () => number;
  readonly settings = { provider: "postmark", user: "postmark", password: "double-password-0" } as const;

  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  async report(mail: TakenMail, kind: MailEventKind): Promise<EventsRequest> {
    const PREFIX = "x-pm-metadata-";
    const metadata = [...(await headersOf(mail))].filter(([name]) => name.startsWith(PREFIX));
    const Metadata = Object.fromEntries(metadata.map(([name, value]) => [name.slice(PREFIX.length), value]));
    const at = new Date(this.#now()).toISOString();
    const suppression = {
      ChangedAt: at,
      SuppressSending: true,
      SuppressionReason: "ManualSuppression",
      Origin: "Recipient",
    };
    const events = {
      accepted: { RecordType: "Open" },
      delivered: { RecordType: "Delivery", Details: "250 OK" },
      bounced: { RecordType: "Bounce", Type: "HardBounce", TypeCode: 1, Details: "550 5.1.1 no such user" },
      deferred: { RecordType: "Bounce", Type: "Transient", TypeCode: 2 },
      complained: { RecordType: "SpamComplaint", Type: "SpamComplaint", TypeCode: 100_001, BouncedAt: at },
      unsubscribed: { RecordType: "SubscriptionChange", ...suppression },
    };
    return this.authorize({ ...events[kind], Recipient: mail.to, Metadata });
  }

  authorize(event: unknown): EventsRequest {
    const { user, password } = this.settings;
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
    return { query: "", headers: { authorization }, body: Buffer.from(JSON.stringify(event)) };
  }
}

/** SES, which publishes its events to a topic of SNS. */
export class SesDouble implements MailProvider {
  readonly #now: () => number;
  readonly #key: string;
  #messages = 0;
  readonly settings = { provider: "ses", topicArn: TOPIC_ARN } as const;
  /** Paths that were requested from SNS. */
  readonly requested: string[] = [];
  /** Answers of SNS by path, and the status of all others. */
  readonly answers = new Map<string, string>();
  status = 404;

  /** @param host name in the certificate, which is valid for a day around `now()` */
  constructor(now: () => number, { host = "sns.amazonaws.com" }: { host?: string } = {}) {
    this.#now = now;
    const validFromMs = now() - Date.now() - HALF_DAY_MS;
    const { key, cert } = makeSelfSignedCertificate({ algorithm: "rsa", host, validFromMs });
    this.#key = key;
    this.answers.set(CERTIFICATE_PATH, cert);
  }

  readonly getFromSns = async (path: string) => {
    this.requested.push(path);
    const body = this.answers.get(path);
    return body === undefined ? { status: this.status, body: "" } : { status: 200, body };
  };

  async report(mail: TakenMail, kind: MailEventKind): Promise<EventsRequest> {
    const headers = Array.from(await headersOf(mail), ([name, value]) => ({ name, value }));
    const timestamp = new Date(this.#now()).toISOString();
    const recipient = { emailAddress: mail.to, action: "failed", status: "5.1.1", diagnosticCode: "smtp; 550 no" };
    const events = {
      accepted: { eventType: "Send", send: {} },
      delivered: { eventType: "Delivery", delivery: { smtpResponse: "250 ok" } },
      bounced: {
        eventType: "Bounce",
        bounce: { bounceType: "Permanent", bounceSubType: "General", bouncedRecipients: [recipient] },
      },
      deferred: { eventType: "DeliveryDelay", deliveryDelay: { delayType: "MailboxFull" } },
      complained: { eventType: "Complaint", complaint: { complaintFeedbackType: "abuse", timestamp } },
      // SES has no links of its own in mails over SMTP: a complaint may be an opt-out, too
      unsubscribed: { eventType: "Complaint", complaint: { complaintFeedbackType: "opt-out", timestamp } },
    };
    const content = { ...events[kind], mail: { messageId: "0100018", source: mail.from, headers } };
    return this.publish(JSON.stringify(content));
  }

  publish(message: string, changes: Readonly<Record<string, string>> = {}): EventsRequest {
    return this.sign({ Type: "Notification", Message: message, ...changes });
  }

  confirmation(changes: Readonly<Record<string, string>> = {}): EventsRequest {
    const query = new URLSearchParams({ Action: "ConfirmSubscription", TopicArn: TOPIC_ARN, Token: "t" });
    const SubscribeURL = `${SNS}/?${query}`;
    return this.sign({ Type: "SubscriptionConfirmation", Message: "Confirm", Token: "t", SubscribeURL, ...changes });
  }

  /** Signs a message. `Signature` in `changes` replaces the signature. */
  sign(changes: Readonly<Record<string, string>>): EventsRequest {
    this.#messages += 1;
    const fields: Record<string, string> = {
      MessageId: `message ${this.#messages}`,
      TopicArn: TOPIC_ARN,
      Timestamp: new Date(this.#now()).toISOString(),
      SignatureVersion: "2",
      SigningCertURL: `${SNS}${CERTIFICATE_PATH}`,
      ...changes,
    };
    const names =
      fields.Type === "Notification"
        ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
        : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
    const signed = names.flatMap((name) => (fields[name] === undefined ? [] : [`${name}\n${fields[name]}\n`])).join("");
    const digest = fields.SignatureVersion === "1" ? "sha1" : "sha256";
    const Signature = sign(digest, Buffer.from(signed), this.#key).toString("base64");
    return { query: "", headers: {}, body: Buffer.from(JSON.stringify({ Signature, ...fields })) };
  }
}
