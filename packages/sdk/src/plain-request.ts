/** What openapi-fetch makes of a call, in place of the platform's Request. */
import type { MessagingError } from "./errors.ts";

/** What a call asks of the transport, and what the transport notes of it. openapi-fetch hands it through untouched. */
export interface CallRecord {
  timeoutMs?: number | undefined;
  /** The caller's key; then the one that was sent. */
  idempotencyKey?: string | undefined;
  /** Requests made. */
  attempts: number;
  /** Turns what the sending of the request, or the reading of its reply, threw into the error that a caller sees. */
  explain?: (cause: unknown) => MessagingError;
}

interface PlainRequestInit {
  method: string;
  headers: Headers;
  body?: string;
  signal?: AbortSignal;
  record?: CallRecord;
}

/**
 * Plain data: the platform's Request costs more than the rest of a call, and its body is a stream that is sent once.
 * Here the body stays a string, which can be sent again.
 */
export class PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly record: CallRecord;

  constructor(url: string, { method, headers, body, signal, record = { attempts: 0 } }: PlainRequestInit) {
    this.url = url;
    this.method = method;
    this.headers = headers;
    this.body = body;
    this.signal = signal;
    this.record = record;
  }
}
