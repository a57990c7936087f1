// Converts Twilio's answers and status callbacks to outcomes and reports. Each error code is described at
// https://www.twilio.com/docs/api/errors/<code>.

import type { DeliveryReason } from "../../domain/messages/rules.ts";
import { choosePauseMs } from "../api-carrier.ts";
import type { ApiAnswer } from "../api-client.ts";
import { readFields } from "../json-fields.ts";
import type { DeliveryReport, SubmitOutcome } from "../provider.ts";

/** Why a message was not delivered, by Twilio's code. Codes that are not listed give `CARRIER_UNKNOWN`. */
const reasons: ReadonlyMap<number, DeliveryReason> = new Map([
  [13224, "INVALID_NUMBER"],
  [21211, "UNKNOWN_HANDSET"],
  [21214, "UNREACHABLE"],
  [21217, "INVALID_NUMBER"],
  [21610, "OPTED_OUT"],
  [21612, "CARRIER_UNKNOWN"],
  [21614, "UNKNOWN_HANDSET"],
  [21635, "LANDLINE"],
  [30003, "UNREACHABLE"],
  [30004, "BLOCKED"],
  [30005, "UNKNOWN_HANDSET"],
  [30006, "LANDLINE"],
  [30007, "CARRIER_FILTERED"],
  [30032, "UNREGISTERED_SENDER"],
  [30034, "UNREGISTERED_SENDER"],
  [30036, "TTL_EXPIRED"],
]);

/** The recipient sent STOP to the sender. */
const OPTED_OUT = 21610;

export function reasonOf(code: number): DeliveryReason {
  return reasons.get(code) ?? "CARRIER_UNKNOWN";
}

/**
 * Returns the outcome that the answer to a message proves; undefined if it proves none. An answer with status 5xx proves
 * nothing: the message may have been accepted before the fault.
 */
export function readAnswer({ status, headers, body }: ApiAnswer, attempts: number): SubmitOutcome | undefined {
  const { sid, code, message } = readFields(body);
  if (status === 200 || status === 201) {
    return typeof sid === "string" ? { outcome: "taken", providerMessageId: sid } : undefined;
  }
  if (status < 300 || status >= 500) return undefined;
  const known = typeof code === "number" ? code : 0;
  const words = typeof message === "string" ? message : `HTTP status ${status}`;
  const detail = known === 0 ? words : `${known}: ${words}`;
  const pause = choosePauseMs(attempts, headers["retry-after"]);
  if (status === 429) return { outcome: "deferred", retryAfterMs: pause, detail };
  // No message can be sent with this account now, so all wait. Every error of Twilio's has a code: an answer without one is
  // that of a proxy, which did not pass the message on.
  if (status === 401 || status === 403 || known === 0)
    return { outcome: "deferred", retryAfterMs: pause, detail, isUnreached: true };
  // other codes are faults of the account or its settings
  if (reasons.has(known)) {
    return { outcome: "refused", reason: reasonOf(known), isOptOut: known === OPTED_OUT, detail };
  }
  return { outcome: "failed", detail };
}

/** The report of a status callback; undefined if the status is not one of a text that was sent. */
export function readStatus(status: string, code: number): DeliveryReport | undefined {
  switch (status) {
    case "accepted":
    case "scheduled":
    case "queued":
    case "sending":
    case "sent":
      // proves that Twilio has the message
      return { status: "SENT", reason: null };
    case "delivered":
    case "read":
      return { status: "DELIVERED", reason: null };
    case "undelivered":
    case "failed":
    case "canceled": {
      const reason = reasonOf(code);
      const detail = code === 0 ? `Twilio's status is ${status}` : `Twilio's error ${code}`;
      return { status: reason === "TTL_EXPIRED" ? "EXPIRED" : "UNDELIVERED", reason, detail };
    }
    default:
      return undefined;
  }
}
