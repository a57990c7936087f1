// What a mock service is to its user. Typed by the contract alone: none of the server's own types are needed to read it.

import type { BodyOf, ErrorCodeOf, EventType, OperationId, Schemas } from "@msgctl/contract";
import type { RequestHandler } from "msw";
import type { OnUnhandledFrame, OnUnhandledRequest } from "./unhandled-request.ts";

export interface MockServiceOptions {
  /** Where the service seems to be: an origin that needs not exist. @default "https://api.msgctl.example" */
  readonly baseUrl?: string | undefined;
  /** What is there at first and after each reset; null for nothing. @default the demo data, as of seed() */
  readonly seed?: MockSeed | null | undefined;
  /**
   * What is done about a request that the service refuses as wrong: one line printed for each fault, and with "error" the
   * call fails as if there was no network.
   * @default "warn"
   */
  readonly onMistake?: "warn" | "error" | "silent" | undefined;
  /** What the clock reads first, in epoch milliseconds. @default noon of 15 January 2026 UTC, outside of all quiet hours there */
  readonly now?: number | undefined;
  /** Whether a recipient without a recorded consent is sent to: "strict" refuses, "opt_out_only" does not. @default "strict" */
  readonly consentPolicy?: "strict" | "opt_out_only" | undefined;
  /** What becomes of an SMS whose sender's 10DLC registration is not complete: "open" sends it, "strict" fails it. @default "open" */
  readonly registration?: "open" | "strict" | undefined;
  /** Refuses a credential that asks faster, with 429. @default as fast as it can */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number } | undefined;
  /** Takes callback URLs of http and of this machine, which the service refuses otherwise. @default false */
  readonly allowPrivateCallbacks?: boolean | undefined;
  /** IANA time zone of the tenant. @default "UTC" */
  readonly timezone?: string | undefined;
}

/** Merchants, then consents, as the requests that would make them one by one. */
export interface MockSeed {
  readonly merchants?: readonly BodyOf<"upsertMerchant">[] | undefined;
  readonly consents?: readonly BodyOf<"recordConsent">[] | undefined;
}

export interface MockCredential {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The merchant that the key is for; null for one of the whole tenant. */
  readonly merchantId: string | null;
}

/** A message or call, whatever came of it. */
export interface MockMessage {
  readonly messageId: string;
  readonly merchantId: string;
  readonly channel: Schemas["Channel"];
  readonly type: string;
  readonly to: string;
  readonly content: string;
  readonly status: Schemas["MessageStatus"];
  /** Why it was not a full success; null when it was, or is not over. */
  readonly deliveryReason: string | null;
  /** How often it was handed to the provider. */
  readonly attempts: number;
  /** How often the provider sent it. */
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

/** What was or will be posted to a callback URL. */
export interface MockCallback {
  /** The `webhook-id` that every attempt carries. */
  readonly id: string;
  readonly type: EventType;
  readonly url: string;
  readonly status: "PENDING" | "DELIVERED" | "FAILED";
  /** Attempts begun. */
  readonly attempts: number;
  /** ISO 8601, by the service's clock; null once it is over. */
  readonly nextAttemptAt: string | null;
  /** What the last attempt came to: a status, or a few words; null before its end. */
  readonly lastOutcome: string | null;
  /** The event, as it is posted. */
  readonly body: unknown;
}

/** Takes a callback as a server would; no reply means 204, and an error thrown 500. */
export type CallbackHandler = (request: Request) => Response | undefined | Promise<Response | undefined>;

export interface PlannedFailure<K extends OperationId> {
  /** One that the contract gives the operation; left out, the call is only late. */
  readonly code?: ErrorCodeOf<K> | undefined;
  /** Real time before the answer, 1 to 60000 ms. */
  readonly latencyMs?: number | undefined;
  /** How many calls. @default 1 */
  readonly times?: number | undefined;
}

/** The service's time, which stands still until it is moved. */
export interface MockClock {
  /** Epoch milliseconds; after `close()`, where it stood then. */
  now(): number;
  /**
   * Moves on by a duration such as "72h" or "1h30m", or by milliseconds, at most 366 days: everything due on the way has
   * happened when it returns, callbacks and their retries included. Throws a `MockUsageError` for anything else, and inside
   * an `onCallback` handler, which it would wait for. Moves asked for at once follow each other; `reset()` ends them all,
   * and they reject with an `AbortError`.
   */
  advance(by: string | number): Promise<void>;
  /** Waits until everything that is due now has happened; as `advance` by nothing. */
  settle(): Promise<void>;
}

export interface MockService {
  /** For msw: `server.use(...service.handlers)`. They answer every request below `baseUrl`/api/v1. */
  readonly handlers: RequestHandler[];
  /** For msw 2: `server.listen({ onUnhandledRequest: service.onUnhandledRequest })`. Tells what was asked for and what there is, and has the request fail. */
  readonly onUnhandledRequest: OnUnhandledRequest;
  /** For msw 3, the same: `server.listen({ onUnhandledFrame: service.onUnhandledFrame })`. */
  readonly onUnhandledFrame: OnUnhandledFrame;
  /**
   * For the SDK's `fetch` option: the service without anything in between. A call that is aborted while it waits, for a
   * delay or for the rest of its own body, does nothing.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly baseUrl: string;
  /** Of the tenant; good for the service's whole life. */
  readonly apiKey: string;
  readonly apiSecret: string;
  /** What callbacks are signed with, `whsec_…`. */
  readonly webhookSecret: string;
  readonly clock: MockClock;
  /** A credential of one merchant, or another of the tenant; a reset ends it. Rejects with a `MockUsageError` for a merchant that there is not. */
  issue(owner?: { merchantId?: string | undefined }): Promise<MockCredential>;
  /**
   * Leaves the service as it was first: data, time, planned failures, delay and callback handler. What was begun before ends
   * with it: calls and moves of the clock reject with an `AbortError` (through msw, a call fails as if there was no
   * network), and a callback's handler is no longer waited for, so that a handler may call it too. Whatever is asked for
   * after it waits for it. Throws a `MockUsageError` once the service is closed.
   */
  reset(): Promise<void>;
  /** Adds merchants and consents; without any, the demo data. Throws a `MockUsageError` that names each fault, and inside an `onCallback` handler. */
  seed(data?: MockSeed): Promise<void>;
  /** Newest first. */
  messages(filter?: MessageFilter): Promise<MockMessage[]>;
  /** Newest first; 1 to 1000, 100 unless told. */
  callbacks(filter?: { limit?: number | undefined }): Promise<MockCallback[]>;
  /** Has the operation's next calls fail or be late. Throws a `MockUsageError` that says what is allowed. */
  failNext<K extends OperationId>(operation: K, failure: PlannedFailure<K>): Promise<void>;
  /** Has every answer from now on be late by this real time, 0 to 60000 ms. */
  delay(latencyMs: number): void;
  /**
   * Has callbacks reach a handler, or a URL by way of the global fetch; without one they are taken with 204. One that has not
   * answered after 15 s of real time is told of, and counts as silent; from then on it is waited for 250 ms, until it answers.
   * Returns how to end it.
   */
  onCallback(receiver: CallbackHandler | string | URL): () => void;
  /**
   * Ends it: what the service has begun is finished first, for which a callback's handler has 2 s of real time (none where
   * it is the handler that closes), and what still waits then, as for a delay, rejects with a `MockUsageError`. So does
   * whatever is asked for afterwards, but for `close()` itself, which may come any number of times.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
