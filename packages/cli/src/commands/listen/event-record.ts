/** An event as it is printed: what a program wants of it, and what a line of the table shows. */

import type { Output } from "../../model/record.ts";
import { isObject } from "../../output/fields.ts";
import { type Delivery, type Handled, pickCallbackHeaders, type ReceivedEvent } from "./delivery.ts";

export interface EventRecord {
  /** When it came, as ISO 8601 has it. */
  time: string;
  type: string;
  /** Identifier of what it is about: the call, or the batch. */
  subject: unknown;
  status: string | null;
  /** Identifier of the event, the same each time that it comes. */
  id: string | null;
  verified: boolean;
  /** Whether it came before. */
  repeat: boolean;
  /** The HTTP status that the service was answered with. */
  answered: number;
  /** Null where it was not forwarded. */
  handler: { status: number | null; durationMs: number; error: string | null } | null;
  headers: Readonly<Record<string, string>>;
  event: ReceivedEvent;
}

const FIELDS = ["time", "type", "subject", "status", "id", "verified", "repeat", "answered"];
const HANDLER_FIELDS = ["handler.status", "handler.durationMs", "handler.error"];

/** What there is to print. */
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

/** Every view of the contract begins with its own identifier. */
function findSubject(data: unknown): unknown {
  if (!isObject(data)) return null;
  const name = Object.keys(data).find((key) => /Id$/.test(key));
  return name === undefined ? null : data[name];
}

/** The outcome of what is over: a call that nobody took is COMPLETED, too. */
function findStatus(type: string, data: unknown): string | null {
  if (!isObject(data)) return null;
  const { finalStatus, status } = data;
  const shown = type.endsWith(".finalized") ? (finalStatus ?? status) : status;
  return typeof shown === "string" ? shown : null;
}
