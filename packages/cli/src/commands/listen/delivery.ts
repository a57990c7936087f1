/** The stages of a callback in `listen`: the request, its event, and the handler's response. */
import type { IncomingHttpHeaders } from "node:http";

export interface Delivery {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** The reply to the service. */
export interface Reply {
  status: number;
  /** The handler's Retry-After header: seconds or a date. */
  retryAfter?: string | undefined;
}

/** The event in a callback. `id` and `timestamp` are null if an unverified callback lacks them. */
export interface ReceivedEvent {
  id: string | null;
  type: string;
  timestamp: string | null;
  data: unknown;
}

/** The handler's response to a forwarded callback. */
export interface Handled {
  /** HTTP status; null if the handler did not answer. */
  status: number | null;
  durationMs: number;
  /** Why the handler did not answer; null if it did. */
  error: string | null;
  retryAfter?: string | undefined;
}

/** The headers of a callback that are forwarded, in this order. */
const CALLBACK_HEADERS = [
  "content-type",
  "user-agent",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
] as const;

/** Picks the callback headers that are present. Node.js has already rejected values with line breaks. */
export function pickCallbackHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    CALLBACK_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]];
    }),
  );
}
