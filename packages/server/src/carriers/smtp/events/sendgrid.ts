// Events of SendGrid: https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event
// A request has the events of many mails. Its signature covers its time and its body:
// https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { EventsRequest } from "../../../domain/carrier-events.ts";
import type { MailReport } from "../../../domain/messages/emails.ts";
import { type DeliveryReason, readReason } from "../../../domain/messages/rules.ts";
import { type Fields, fieldsOf, readJson, textOf } from "../../json-fields.ts";
import { isTimely, joinWords, type ReadEvents, readSeconds, TOKEN_FIELD, toMailEvents } from "./event-request.ts";

export interface SendGridSettings {
  readonly provider: "sendgrid";
  /** Public key of the signed event webhook, as SendGrid shows it. */
  readonly verificationKey: string;
}

/** SendGrid sends at most 768 kB at once, which is a few thousand events. */
const MOST_EVENTS = 10_000;

/** Unique arguments become fields of the mail's events: https://www.twilio.com/docs/sendgrid/for-developers/sending-email/unique-arguments */
export function sendGridHeaders(token: string): Record<string, string> {
  return { "X-SMTPAPI": JSON.stringify({ unique_args: { [TOKEN_FIELD]: token } }) };
}

/** Reads a verification key: Base64 of a public key (SPKI) on P-256. Throws if it is not one. */
export function readVerificationKey(text: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") throw new Error("the key is not on the curve P-256");
  return key;
}

export function readSendGridEvents(
  { verificationKey }: SendGridSettings,
  { headers, body }: Pick<EventsRequest, "headers" | "body">,
  now: number,
): ReadEvents {
  const timestamp = textOf(headers["x-twilio-email-event-webhook-timestamp"]);
  const signature = Buffer.from(textOf(headers["x-twilio-email-event-webhook-signature"]), "base64");
  if (!verify("sha256", Buffer.concat([Buffer.from(timestamp), body]), readVerificationKey(verificationKey), signature))
    return { refused: "the signature is not SendGrid's" };
  if (!isTimely(readSeconds(timestamp), now))
    return { refused: "the request was signed too long ago, or in the future" };
  const list = readJson(body.toString("utf8"));
  if (!Array.isArray(list)) return { refused: "the body is not a JSON array of events" };
  if (list.length > MOST_EVENTS) return { refused: `the request has more than ${MOST_EVENTS} events` };
  const events = list.map(fieldsOf).flatMap((event) => {
    const names = [textOf(event[TOKEN_FIELD])];
    return toMailEvents(readReports(event), { names, happenedAt: textOf(event.timestamp) });
  });
  return { events };
}

function readReports(event: Fields): MailReport[] {
  const words = joinWords(textOf(event.status), textOf(event.reason));
  switch (event.event) {
    case "processed":
    case "deferred":
      return [{ kind: "relayed", detail: textOf(event.response) }];
    case "delivered":
      return [{ kind: "delivered", detail: textOf(event.response) }];
    case "bounce": {
      const classified = textOf(event.bounce_classification);
      const reason = classes.get(classified) ?? readReason(words);
      const report = { kind: "undelivered", reason, detail: words } as const;
      return [classified === "Invalid Address" ? { ...report, isPermanent: true } : report];
    }
    case "dropped":
      return readDrop(textOf(event.reason));
    case "spamreport":
      return [{ kind: "complaint" }];
    case "unsubscribe":
    case "group_unsubscribe":
      return [{ kind: "unsubscribed" }];
    default:
      return [];
  }
}

/** Reasons by SendGrid's classification of bounces: https://sendgrid.com/en-us/blog/bounce-block-classifications-in-event-webhook */
const classes: ReadonlyMap<string, DeliveryReason> = new Map([
  ["Content", "CARRIER_FILTERED"],
  ["Reputation", "BLOCKED"],
  ["Invalid Address", "UNREACHABLE"],
  ["Mailbox Unavailable", "UNREACHABLE"],
]);

/** Reads why SendGrid did not try to deliver a mail. The reasons are listed under "Dropped" in the reference of events. */
function readDrop(reason: string): MailReport[] {
  const detail = `dropped: ${reason}`;
  switch (reason.toLowerCase()) {
    case "unsubscribed address":
      return [{ kind: "undelivered", reason: "OPTED_OUT", detail }, { kind: "unsubscribed" }];
    case "spam reporting address":
      return [{ kind: "undelivered", reason: "OPTED_OUT", detail }, { kind: "complaint" }];
    case "bounced address":
    case "invalid":
      return [{ kind: "undelivered", reason: "UNREACHABLE", detail, isPermanent: true }];
    case "spam content":
      return [{ kind: "undelivered", reason: "CARRIER_FILTERED", detail }];
    default:
      return [{ kind: "undelivered", reason: "CARRIER_UNKNOWN", detail }];
  }
}
