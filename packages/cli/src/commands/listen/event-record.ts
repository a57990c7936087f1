/** An event in the form in which it is printed, both as JSON and as a table row. */

import type { Output } from "../../model/record.ts";
import { isObject } from "../../output/fields.ts";
import { type Delivery, type Handled, pickCallbackHeaders, type ReceivedEvent } from "./delivery.ts";

export interface EventRecord {
  /** Time of arrival, in ISO 8601. */
  time: string;
  type: string;
  /** Identifier of the event's subject: a call or a batch. */
  subject: unknown;
  status: string | null;
  /** Identifier of the event, the same for every attempt. */
  id: string | null;
  verified: boolean;
  /** Whether an event with this id was received before. */
  repeat: boolean;
  /** The HTTP status sent to the service. */
  answered: number;
  /** Null if the event was not forwarded. */
  handler: { status: number | null; durationMs: number; error: string | null } | null;
  headers: Readonly<Record<string, string>>;
  event: ReceivedEvent;
}

const FIELDS = ["time", "type", "subject", "status", "id", "verified", "repeat", "answered"];
const HANDLER_FIELDS = ["handler.status", "handler.durationMs", "handler.error"];

/** The fields that can be printed. */
export const EVENT_OUTPUT: Output = {
  kind: "object",
  columns: [],
  fields: [...FIELDS, ...HANDLER_FIELDS],
  secrets: [],
};

export interface HandledEvent {
  /** Epoch milliseconds. */
  atMs: number;
  delivery: Delivery;
  event: ReceivedEvent;
  isVerified: boolean;
  isRepeat: boolean;
  answered: number;
  handled: Handled | undefined;
}

export function createEventRecord({
  atMs,
  delivery,
  event,
  isVerified,
  isRepeat,
  answered,
  handled,
}: HandledEvent): EventRecord {
  const { type, id, data } = event;
  return {
    time: new Date(atMs).toISOString(),
    type,
    subject: findSubject(data),
    status: findStatus(type, data),
    id,
    verified: isVerified,
    repeat: isRepeat,
    answered,
    handler:
      handled === undefined ? null : { status: handled.status, durationMs: handled.durationMs, error: handled.error },
    headers: pickCallbackHeaders(delivery.headers),
    event,
  };
}

/** Finds the identifier of the event's subject: in each view of the contract, it is the first field that ends with Id. */
function findSubject(data: unknown): unknown {
  if (!isObject(data)) return null;
  const name = Object.keys(data).find((key) => /Id$/.test(key));
  return name === undefined ? null : data[name];
}

/** Prefers `finalStatus` for finished work: `status` is COMPLETED even for a call that nobody answered. */
function findStatus(type: string, data: unknown): string | null {
  if (!isObject(data)) return null;
  const { finalStatus, status } = data;
  const shown = type.endsWith(".finalized") ? (finalStatus ?? status) : status;
  return typeof shown === "string" ? shown : null;
}
