// Converts Telnyx's answers and events to outcomes and reports.

import type { DeliveryReason } from "../../domain/messages/rules.ts";
import { choosePauseMs } from "../api-carrier.ts";
import type { ApiAnswer } from "../api-client.ts";
import { fieldsOf, readFields, textOf } from "../json-fields.ts";
import type { DeliveryReport, SubmitOutcome } from "../provider.ts";

/**
 * Why a message was not delivered, by Telnyx's code. Codes that are not listed give `CARRIER_UNKNOWN`.
 * https://developers.telnyx.com/docs/messaging/messages/error-codes/index
 */
const reasons: ReadonlyMap<string, DeliveryReason> = new Map([
  // a landline, or a wireless number without texts
  ["40001", "UNREACHABLE"],
  ["40002", "CARRIER_FILTERED"],
  ["40003", "CARRIER_FILTERED"],
  ["40004", "BLOCKED"],
  ["40005", "TTL_EXPIRED"],
  ["40006", "UNREACHABLE"],
  ["40010", "UNREGISTERED_SENDER"],
  ["40012", "UNKNOWN_HANDSET"],
  ["40014", "TTL_EXPIRED"],
  ["40015", "CARRIER_FILTERED"],
  ["40310", "UNKNOWN_HANDSET"],
]);

/** The recipient sent STOP to the sender, if the title says so: other faults of the sender have the same code. */
const BLOCKED = "40300";
/** The queue of the sender is full. */
const QUEUE_FULL = "40318";
/** The account has no funds. */
const NO_FUNDS = "20100";

/** An error of an answer or an event. Unknown fields are empty. */
interface TelnyxError {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
}

/** A message of an answer or an event. Unknown fields are empty. */
export interface TelnyxMessage {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly status: string;
  readonly isLandline: boolean;
  readonly errors: readonly TelnyxError[];
}

/** An event about a message. */
export interface TelnyxEvent {
  readonly type: string;
  readonly message: TelnyxMessage;
}

/**
 * Returns the outcome that the answer to a message proves; undefined if it proves none. An answer with status 5xx proves
 * nothing: the message may have been accepted before the fault.
 */
export function readAnswer({ status, headers, body }: ApiAnswer, attempts: number): SubmitOutcome | undefined {
  const said = readFields(body);
  if (status >= 200 && status < 300) {
    const { id } = readMessage(said.data);
    return id === "" ? undefined : { outcome: "taken", providerMessageId: id };
  }
  if (status >= 500) return undefined;
  const [error = { code: "", title: `HTTP status ${status}`, detail: "" }] = readErrors(said.errors);
  const { code } = error;
  const detail = describe(error);
  const retryAfterMs = choosePauseMs(attempts, headers["retry-after"]);
  const reason = findReason(error);
  if (reason !== undefined) return { outcome: "refused", reason, isOptOut: reason === "OPTED_OUT", detail };
  if (status === 429 || code === QUEUE_FULL) return { outcome: "deferred", retryAfterMs, detail };
  // No message can be sent with this account now, so all wait. Every error of Telnyx's has a code: an answer without one is
  // that of a proxy, which did not pass the message on.
  if (status === 401 || status === 402 || status === 403 || code === NO_FUNDS || code === "") {
    return { outcome: "deferred", retryAfterMs, detail, isUnreached: true };
  }
  // other codes are faults of the account or its settings
  return { outcome: "failed", detail };
}

function findReason({ code, title, detail }: TelnyxError): DeliveryReason | undefined {
  if (code === BLOCKED) return /\bSTOP\b/.test(`${title} ${detail}`) ? "OPTED_OUT" : undefined;
  return reasons.get(code);
}

function describe({ code, title, detail }: TelnyxError): string {
  const words = detail === "" ? title : detail;
  return code === "" ? words : `${code}: ${words}`;
}

/** The report of a message's status; undefined if the status says nothing that is reported. */
export function readStatus({ status, isLandline, errors: [error] }: TelnyxMessage): DeliveryReport | undefined {
  switch (status) {
    case "queued":
    case "sending":
    case "sent":
    // no receipt came from the carrier
    case "delivery_unconfirmed":
      // proves that Telnyx has the message
      return { status: "SENT", reason: null };
    case "delivered":
      return { status: "DELIVERED", reason: null };
    case "expired":
    case "sending_failed":
    case "delivery_failed": {
      const found = (error && findReason(error)) ?? (status === "expired" ? "TTL_EXPIRED" : "CARRIER_UNKNOWN");
      const reason = found === "UNREACHABLE" && isLandline ? "LANDLINE" : found;
      const detail = error === undefined ? `Telnyx's status is ${status}` : `Telnyx's error ${describe(error)}`;
      return { status: reason === "TTL_EXPIRED" ? "EXPIRED" : "UNDELIVERED", reason, detail };
    }
    default:
      return undefined;
  }
}

/** Reads an event; undefined if the body is none. */
export function readEvent(body: string): TelnyxEvent | undefined {
  const data = fieldsOf(readFields(body).data);
  const type = data.event_type;
  return typeof type === "string" ? { type, message: readMessage(data.payload) } : undefined;
}

export function readMessage(given: unknown): TelnyxMessage {
  const { id, text, from, to, errors } = fieldsOf(given);
  const [first] = Array.isArray(to) ? to : [];
  const recipient = fieldsOf(first);
  return {
    ...{ id: textOf(id), text: textOf(text), from: textOf(fieldsOf(from).phone_number) },
    ...{ to: textOf(recipient.phone_number), status: textOf(recipient.status) },
    ...{ isLandline: recipient.line_type === "Wireline", errors: readErrors(errors) },
  };
}

function readErrors(given: unknown): TelnyxError[] {
  return (Array.isArray(given) ? given : []).map((one) => {
    const { code, title, detail } = fieldsOf(one);
    return { code: textOf(code), title: textOf(title), detail: textOf(detail) };
  });
}
