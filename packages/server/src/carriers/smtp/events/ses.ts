// Events of Amazon SES, published to a topic of SNS. Their contents:
// https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
// https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html

import { isComplaint, type MailReport } from "../../../domain/messages/emails.ts";
import { type DeliveryReason, readReason } from "../../../domain/messages/rules.ts";
import { type Fields, fieldsOf, readJson, textOf } from "../../json-fields.ts";
import { joinWords, type MailEvent, toMailEvents } from "./event-request.ts";

export interface SesSettings {
  readonly provider: "ses";
  /** Topic to which SES publishes. */
  readonly topicArn: string;
}

/** Number of a mail's headers that are searched for its Message-ID. */
const MOST_HEADERS = 200;

/** Reads the message of a notification. SES also publishes plain texts, such as the one that tests a topic. */
export function readSesEvents(message: string): MailEvent[] {
  const event = fieldsOf(readJson(message));
  const names = namesOf(fieldsOf(event.mail));
  return toMailEvents(readReports(event), { names, happenedAt: textOf(fieldsOf(event.complaint).timestamp) });
}

/** SES replaces the Message-ID of a mail, and reports the one that it replaced, and the sender of the envelope. */
function namesOf({ headers, commonHeaders, source }: Fields): string[] {
  const list = Array.isArray(headers) ? headers.slice(0, MOST_HEADERS).map(fieldsOf) : [];
  const own = list.find(({ name }) => textOf(name).toLowerCase() === "message-id");
  const texts = [textOf(own?.value), textOf(fieldsOf(commonHeaders).messageId), textOf(source)];
  return texts.map((text) => text.trim().replace(/^</, "").replace(/@.*$/s, ""));
}

function readReports(event: Fields): MailReport[] {
  switch (event.eventType ?? event.notificationType) {
    case "Send":
      return [{ kind: "relayed", detail: "" }];
    case "DeliveryDelay":
      return [{ kind: "relayed", detail: textOf(fieldsOf(event.deliveryDelay).delayType) }];
    case "Delivery":
      return [{ kind: "delivered", detail: textOf(fieldsOf(event.delivery).smtpResponse) }];
    case "Bounce":
      return [readBounce(fieldsOf(event.bounce))];
    case "Complaint":
      return readComplaint(fieldsOf(event.complaint));
    case "Reject":
      return [{ kind: "undelivered", reason: "CARRIER_FILTERED", detail: textOf(fieldsOf(event.reject).reason) }];
    default:
      return [];
  }
}

/** Subtypes of transient bounces after which SES gives a mail up. `General` may also be an out-of-office reply. */
const transient: ReadonlyMap<string, DeliveryReason> = new Map([
  ["MailboxFull", "UNREACHABLE"],
  ["MessageTooLarge", "CARRIER_FILTERED"],
  ["ContentRejected", "CARRIER_FILTERED"],
  ["AttachmentRejected", "CARRIER_FILTERED"],
]);

function readBounce({ bounceType, bounceSubType, bouncedRecipients }: Fields): MailReport {
  // a mail has one recipient
  const [recipient] = Array.isArray(bouncedRecipients) ? bouncedRecipients : [];
  const { action, status, diagnosticCode } = fieldsOf(recipient);
  const answer = textOf(diagnosticCode).replace(/^\s*[\w-]+\s*;\s*/, "");
  const kind = joinWords(textOf(bounceType), textOf(bounceSubType));
  const detail = answer === "" ? joinWords(kind, textOf(status)) : answer;
  const subtype = transient.get(textOf(bounceSubType));
  if (bounceType === "Permanent" || textOf(action).toLowerCase() === "failed") {
    const reason = subtype ?? readReason(joinWords(textOf(status), answer));
    const isHard = bounceType === "Permanent" && reason === "UNREACHABLE";
    return { kind: "undelivered", reason, detail, ...(isHard ? { isPermanent: true } : {}) };
  }
  return subtype === undefined ? { kind: "relayed", detail } : { kind: "undelivered", reason: subtype, detail };
}

/** Reads a complaint. SES does not send a mail to an address that complained before. */
function readComplaint({ complaintFeedbackType, complaintSubType }: Fields): MailReport[] {
  if (complaintSubType === "OnAccountSuppressionList") {
    return [{ kind: "undelivered", reason: "OPTED_OUT", detail: complaintSubType }, { kind: "complaint" }];
  }
  const type = textOf(complaintFeedbackType);
  return type === "" || isComplaint(type) ? [{ kind: "complaint" }] : [];
}
