/** A callback on its way through the command: the request, its event, and the handler's response. */
import type { IncomingHttpHeaders } from "node:http";

export interface Delivery {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** The answer to the service. */
export interface Reply {
  status: number;
  /** Seconds or a date, as sent by the handler. */
  retryAfter?: string | undefined;
}

/** The event of a callback; id and timestamp are null if an unverified callback has none. */
export interface ReceivedEvent {
  id: string | null;
  type: string;
  timestamp: string | null;
  data: unknown;
}

/** The handler's response to a forwarded callback. */
export interface Handled {
  /** Null if there was no answer. */
  status: number | null;
  durationMs: number;
  /** Why there was no answer. */
  error: string | null;
  retryAfter?: string | undefined;
}

/** The headers that describe a callback, in the order they are forwarded. */
const CALLBACK_HEADERS = [
  "content-type",
  "user-agent",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
] as const;

/** Picks the callback headers that are present. Node has already rejected line breaks in them. */
export function pickCallbackHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    CALLBACK_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]];
    }),
  );
}
