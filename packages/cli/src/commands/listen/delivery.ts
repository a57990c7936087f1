/** A callback on its way through the command: what came, what it holds, and what the handler made of it. */
import type { IncomingHttpHeaders } from "node:http";

export interface Delivery {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** The answer to the service. */
export interface Reply {
  status: number;
  /** Seconds or a date, as the handler gave it. */
  retryAfter?: string | undefined;
}

/** The event of a callback; id and timestamp are null where an unverified one has none. */
export interface ReceivedEvent {
  id: string | null;
  type: string;
  timestamp: string | null;
  data: unknown;
}

/** What the handler that callbacks are forwarded to made of one. */
export interface Handled {
  /** Null where no answer came. */
  status: number | null;
  durationMs: number;
  /** Why none came. */
  error: string | null;
  retryAfter?: string | undefined;
}

/** The headers that describe a callback, in the order in which they are passed on. */
const CALLBACK_HEADERS = [
  "content-type",
  "user-agent",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
] as const;

/** Those of them that came. Node has refused line ends in them. */
export function pickCallbackHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    CALLBACK_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]];
    }),
  );
}
