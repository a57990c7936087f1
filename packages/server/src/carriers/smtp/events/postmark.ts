// Events of Postmark: https://postmarkapp.com/developer/webhooks/webhooks-overview
// Postmark does not sign its requests. It sends the user and password of the webhook's HTTP authentication.

import type { EventsRequest } from "../../../domain/carrier-events.ts";
import type { MailReport } from "../../../domain/messages/emails.ts";
import { type DeliveryReason, readReason } from "../../../domain/messages/rules.ts";
import { isSameSecret } from "../../../platform/same-secret.ts";
import { type Fields, fieldsOf, readJson, textOf } from "../../json-fields.ts";
import { joinWords, type ReadEvents, TOKEN_FIELD, toMailEvents } from "./event-request.ts";

export interface PostmarkSettings {
  readonly provider: "postmark";
  /** Chosen by the operator, and entered at Postmark too. */
  readonly user: string;
  readonly password: string;
}

/** Metadata is returned in the mail's events: https://postmarkapp.com/support/article/1125-custom-metadata-faq */
export function postmarkHeaders(token: string): Record<string, string> {
  return { [`X-PM-Metadata-${TOKEN_FIELD}`]: token };
}

export function readPostmarkEvents(
  { user, password }: PostmarkSettings,
  { headers, body }: Pick<EventsRequest, "headers" | "body">,
): ReadEvents {
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  if (!isSameSecret(headers.authorization ?? "", expected))
    return { refused: "the user or password is not Postmark's" };
  const content = readJson(body.toString("utf8"));
  if (typeof content !== "object" || content === null) return { refused: "the body is not a JSON object" };
  const event = fieldsOf(content);
  const names = [textOf(fieldsOf(event.Metadata)[TOKEN_FIELD])];
  const happenedAt = textOf(event.ChangedAt) || textOf(event.BouncedAt);
  return { events: toMailEvents(readReports(event), { names, happenedAt }) };
}

function readReports(event: Fields): MailReport[] {
  switch (event.RecordType) {
    case "Delivery":
      return [{ kind: "delivered", detail: textOf(event.Details) }];
    case "Bounce":
      return readBounce(event);
    case "SpamComplaint":
      return [{ kind: "complaint" }];
    case "SubscriptionChange":
      return readChange(event);
    default:
      return [];
  }
}

/**
 * Types of bounces that are final, with their reason; `undefined` if the reason is in the server's answer. All types:
 * https://postmarkapp.com/developer/api/bounce-api#bounce-types
 */
const finalBounces: ReadonlyMap<string, DeliveryReason | undefined> = new Map([
  ["HardBounce", undefined],
  ["BadEmailAddress", "UNREACHABLE"],
  ["ManuallyDeactivated", "BLOCKED"],
  ["Blocked", "BLOCKED"],
  ["DMARCPolicy", "BLOCKED"],
  ["SpamNotification", "CARRIER_FILTERED"],
  ["VirusNotification", "CARRIER_FILTERED"],
  ["SMTPApiError", "CARRIER_UNKNOWN"],
]);

/** Reads a bounce. A soft bounce, an answer by a machine and an unknown mail leave open whether the mail arrived. */
function readBounce(event: Fields): MailReport[] {
  const type = textOf(event.Type);
  const detail = joinWords(textOf(event.Details), textOf(event.Description));
  if (type === "SpamComplaint") return [{ kind: "complaint" }];
  if (type === "Unsubscribe") return [{ kind: "unsubscribed" }];
  if (!finalBounces.has(type)) return [{ kind: "relayed", detail }];
  const report = { kind: "undelivered", reason: finalBounces.get(type) ?? readReason(detail), detail } as const;
  return [report.reason === "UNREACHABLE" ? { ...report, isPermanent: true } : report];
}

/** Reads a change of the suppressed addresses. Those that the operator made, or that follow a bounce, are not opt-outs. */
function readChange({ SuppressSending, SuppressionReason, Origin }: Fields): MailReport[] {
  if (SuppressSending !== true) return [];
  if (SuppressionReason === "SpamComplaint") return [{ kind: "complaint" }];
  return SuppressionReason === "ManualSuppression" && Origin === "Recipient" ? [{ kind: "unsubscribed" }] : [];
}
