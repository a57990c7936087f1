/** The caller's functions that watch calls: for logs, counts and traces. Credentials are never shown to them. */
import type { MessagingError } from "./errors.ts";

/** One call. Every hook of the call gets the same object, so that it can be the key of a WeakMap. */
export interface WatchedCall {
  readonly method: string;
  /** Path as the contract writes it, `/api/v1/merchants/{merchantId}`: one value for all calls of an operation. */
  readonly route: string;
  /** Address without the query, which may name people. */
  readonly url: string;
  /** Idempotency key of a write. */
  readonly idempotencyKey: string | undefined;
}

/** A request about to be sent. */
export interface RequestEvent {
  readonly call: WatchedCall;
  /** 1 for the first request of the call. */
  readonly attempt: number;
  /** Headers that are sent; `***` for a credential. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A reply, with any status. */
export interface ResponseEvent {
  readonly call: WatchedCall;
  readonly attempt: number;
  readonly status: number;
  readonly headers: Headers;
  /** Time from the request to the end of its reply, in milliseconds. */
  readonly durationMs: number;
}

/** A request that is about to be sent again. */
export interface RetryEvent {
  readonly call: WatchedCall;
  /** The attempt that failed. */
  readonly attempt: number;
  /** Pause before the next attempt, in milliseconds. */
  readonly delayMs: number;
  /** Status of the reply; undefined if there was none. */
  readonly status: number | undefined;
  /** Why there was no reply, or why the reply could not be used. */
  readonly error: MessagingError | undefined;
}

/** A call that failed, after all of its retries. */
export interface ErrorEvent {
  readonly call: WatchedCall;
  readonly error: MessagingError;
}

/** If a hook throws, or its promise rejects, the error is written to the console and does not affect the call. */
export interface Hooks {
  /** Called before each request. Headers that it returns are sent too, such as `traceparent`. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only watches returns nothing
  onRequest?: ((event: RequestEvent) => Record<string, string> | void) | undefined;
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called once for a call of a named method or of `request` that ends with an error. */
  onError?: ((event: ErrorEvent) => void) | undefined;
}

/** Calls a hook. An error in a hook must not cost the caller the outcome of a call. */
export function tell<Event, Answer>(hook: ((event: Event) => Answer) | undefined, event: Event): Answer | undefined {
  try {
    const answer = hook?.(event);
    Promise.resolve(answer).catch(reportFault);
    return answer;
  } catch (error) {
    reportFault(error);
    return undefined;
  }
}

function reportFault(error: unknown): void {
  console.error("A hook of the messaging client threw:", error);
}
