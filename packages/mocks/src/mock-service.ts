// The public types of a mock service. They depend only on the contract, not on the server's own types.

import type { BodyOf, ErrorCodeOf, EventType, OperationId, Schemas } from "@msgctl/contract";
import type { RequestHandler } from "msw";
import type { OnUnhandledFrame, OnUnhandledRequest } from "./unhandled-request.ts";

export interface MockServiceOptions {
  /** The origin at which the service appears to be; it need not exist. @default "https://api.msgctl.example" */
  readonly baseUrl?: string | undefined;
  /** The data at the start and after each reset; null for none. @default the demo data of seed() */
  readonly seed?: MockSeed | null | undefined;
  /**
   * Reaction to an invalid request: the mock prints a line for each fault, and with "error" the call also fails as if
   * there were no network.
   * @default "warn"
   */
  readonly onMistake?: "warn" | "error" | "silent" | undefined;
  /** Initial time, in epoch milliseconds. @default noon of 15 January 2026 UTC, outside quiet hours in UTC */
  readonly now?: number | undefined;
  /** Whether sends need a recorded consent: "strict" refuses without one, "opt_out_only" does not. @default "strict" */
  readonly consentPolicy?: "strict" | "opt_out_only" | undefined;
  /** Whether SMS from a sender with an incomplete 10DLC registration are sent ("open") or fail ("strict"). @default "open" */
  readonly registration?: "open" | "strict" | undefined;
  /** Rate limit of each credential; more requests are refused with 429. @default unlimited */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number } | undefined;
  /** Accepts callback URLs with http and on this machine, which the service otherwise refuses. @default false */
  readonly allowPrivateCallbacks?: boolean | undefined;
  /** IANA time zone of the tenant. @default "UTC" */
  readonly timezone?: string | undefined;
}

/** The bodies of the requests that create the merchants and, after them, the consents. */
export interface MockSeed {
  readonly merchants?: readonly BodyOf<"upsertMerchant">[] | undefined;
  readonly consents?: readonly BodyOf<"recordConsent">[] | undefined;
}

export interface MockCredential {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The merchant that the key is for; null for a key of the whole tenant. */
  readonly merchantId: string | null;
}

/** A message or call, whatever its outcome. */
export interface MockMessage {
  readonly messageId: string;
  readonly merchantId: string;
  readonly channel: Schemas["Channel"];
  readonly type: string;
  readonly to: string;
  readonly content: string;
  readonly status: Schemas["MessageStatus"];
  /** Why it was not a full success; null if it was one, or has not ended. */
  readonly deliveryReason: string | null;
  /** Number of submissions to the provider. */
  readonly attempts: number;
  /** Number of times that the provider sent the message. */
  readonly providerSends: number;
  /** ISO 8601, by the service's clock. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface MessageFilter {
  readonly messageId?: string | undefined;
  readonly to?: string | undefined;
  readonly channel?: Schemas["Channel"] | undefined;
  /** 1 to 1000. @default 100 */
  readonly limit?: number | undefined;
}

/** A callback that was or will be posted. */
export interface MockCallback {
  /** The `webhook-id` that every attempt carries. */
  readonly id: string;
  readonly type: EventType;
  readonly url: string;
  readonly status: "PENDING" | "DELIVERED" | "FAILED";
  /** Number of attempts that have begun. */
  readonly attempts: number;
  /** Time of the next attempt, in ISO 8601, by the service's clock; null once the callback has ended. */
  readonly nextAttemptAt: string | null;
  /** The outcome of the last attempt: a status, or a short text; null until an attempt has ended. */
  readonly lastOutcome: string | null;
  /** The event, as it is posted. */
  readonly body: unknown;
}

/** Receives a callback as a server would. A missing reply counts as 204, and a thrown error as 500. */
export type CallbackHandler = (request: Request) => Response | undefined | Promise<Response | undefined>;

export interface PlannedFailure<K extends OperationId> {
  /** A code that the contract documents for the operation. If omitted, the call is only delayed. */
  readonly code?: ErrorCodeOf<K> | undefined;
  /** Real time before the answer, 1 to 60000 ms. */
  readonly latencyMs?: number | undefined;
  /** Number of calls that fail or are delayed. @default 1 */
  readonly times?: number | undefined;
}

/** The service's clock, which stands still until it is moved. */
export interface MockClock {
  /** Epoch milliseconds; after `close()`, the time of closing. */
  now(): number;
  /**
   * Advances the clock by a duration such as "72h" or "1h30m", or by milliseconds, at most 366 days. When it returns,
   * everything due by then has happened, including callbacks and their retries. Throws a `MockUsageError` for an invalid
   * duration, or if called inside an `onCallback` handler, because it would wait for that handler. Concurrent calls run one
   * after the other. `reset()` ends them all; they reject with an `AbortError`.
   */
  advance(by: string | number): Promise<void>;
  /** Waits until everything due now has happened; the same as `advance(0)`. */
  settle(): Promise<void>;
}

export interface MockService {
  /** For msw: `server.use(...service.handlers)`. They answer every request below `baseUrl`/api/v1. */
  readonly handlers: RequestHandler[];
  /**
   * For msw 2: `server.listen({ onUnhandledRequest: service.onUnhandledRequest })`. Prints the unhandled request with the
   * operations that it may be meant for, and makes the request fail.
   */
  readonly onUnhandledRequest: OnUnhandledRequest;
  /** The same for msw 3: `server.listen({ onUnhandledFrame: service.onUnhandledFrame })`. */
  readonly onUnhandledFrame: OnUnhandledFrame;
  /**
   * For the SDK's `fetch` option: calls the service directly. A call that is aborted during a delay, or before its whole body
   * has arrived, has no effect.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly baseUrl: string;
  /** The tenant's key. Valid until the service is closed. */
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The secret that signs callbacks, `whsec_…`. */
  readonly webhookSecret: string;
  readonly clock: MockClock;
  /**
   * Issues a credential for a merchant or, without `merchantId`, another one for the tenant. It is valid until the next
   * `reset()`. Rejects with a `MockUsageError` for an unknown merchant.
   */
  issue(owner?: { merchantId?: string | undefined }): Promise<MockCredential>;
  /**
   * Restores the service's initial state: data, time, planned failures, delay and callback handler. Calls and clock
   * advances in progress reject with an `AbortError`; through msw, such a call fails as if there were no network. `reset()`
   * does not wait for callback handlers, so a handler may call it too. Later calls wait until the reset is complete.
   * Throws a `MockUsageError` once the service is closed.
   */
  reset(): Promise<void>;
  /**
   * Adds merchants and consents, or the demo data if called without `data`. Throws a `MockUsageError` that names each fault
   * of the data. Also throws one if called inside an `onCallback` handler.
   */
  seed(data?: MockSeed): Promise<void>;
  /** Newest first. */
  messages(filter?: MessageFilter): Promise<MockMessage[]>;
  /** Newest first; `limit` is 1 to 1000, 100 by default. */
  callbacks(filter?: { limit?: number | undefined }): Promise<MockCallback[]>;
  /** Makes the operation's next calls fail or take longer. Throws a `MockUsageError` that says what is allowed. */
  failNext<K extends OperationId>(operation: K, failure: PlannedFailure<K>): Promise<void>;
  /** Delays every later answer by this real time, 0 to 60000 ms. */
  delay(latencyMs: number): void;
  /**
   * Sends callbacks to a handler, or to a URL through the global fetch. Without a receiver, every callback counts as
   * answered with 204. A receiver that does not answer within 15 s of real time is reported, and the attempt times out.
   * Further attempts to reach it time out after 250 ms, until it answers one. Returns a function that removes the receiver.
   */
  onCallback(receiver: CallbackHandler | string | URL): () => void;
  /**
   * Closes the service. Work in progress is finished first. Callback handlers get 2 s of real time to finish, or none if a
   * handler itself calls `close()`. Calls that are still waiting then, such as for a delay, reject with a `MockUsageError`,
   * and so does any later call, except `close()` itself, which may be called any number of times.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
