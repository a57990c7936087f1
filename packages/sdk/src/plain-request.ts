/** What openapi-fetch makes of a call, in place of the platform's Request. */
import type { WatchedCall } from "./hooks.ts";

/** What a call asks of the transport, and what the transport notes of it. openapi-fetch hands it through untouched. */
export interface CallRecord {
  /** Path as the contract writes it. */
  readonly route: string;
  readonly timeoutMs: number | undefined;
  readonly totalTimeoutMs: number | undefined;
  readonly maxRetries: number | undefined;
  /** The caller's key; then the one that was sent. */
  idempotencyKey: string | undefined;
  /** Requests made. */
  attempts: number;
  /** What hooks were told of the call. */
  watched?: WatchedCall;
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
  /** Absent for a call of the raw client. */
  readonly record: CallRecord | undefined;

  constructor(url: string, { method, headers, body, signal, record }: PlainRequestInit) {
    this.url = url;
    this.method = method;
    this.headers = headers;
    this.body = body;
    this.signal = signal;
    this.record = record;
  }
}
