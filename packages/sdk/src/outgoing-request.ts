/** A call as the transport receives it, and the transport's notes about it. */
import type { RunGate } from "./bulk/run-gate.ts";
import type { UnexpectedReplyError } from "./errors.ts";
import type { WatchedCall } from "./hooks.ts";
import type { ExactJson } from "./int64.ts";
import type { Bounds } from "./options.ts";

/**
 * Members that identify a success, in the shape of its body: `["id"]`, or `[["id"]]` for a list. For XML, the root element.
 * null if there is no body.
 */
export type Identity = readonly string[] | readonly [readonly string[]] | string | null;

/** Identities by method and path. */
export type Identities = Readonly<Record<string, Identity>>;

export interface OutgoingRequest {
  readonly method: string;
  /** Path as the contract writes it. */
  readonly route: string;
  url: string;
  /** Headers of the call itself. */
  readonly headers: Record<string, string>;
  body: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Media type of the reply that the caller reads. */
  readonly accept?: string | undefined;
  /** Overrides the client's knowledge of the operation. */
  readonly identity?: Identity | undefined;
  /** Limits of the call itself; the client's limits apply to those that are missing. */
  readonly bounds: Bounds;
  /** The caller's key; once a request is sent, the key that was sent. */
  idempotencyKey: string | undefined;
  /** Requests made. */
  attempts: number;
  /** The reply that the call ended with. */
  response?: Response;
  /** Gate of the run that the call is a row of. */
  readonly gate?: RunGate | undefined;
  /** The call as hooks see it, once one has been called. */
  watched?: WatchedCall;
}

/** A reply whose body was read within the attempt, so that a body that stalls or breaks off fails the attempt. */
export interface Reply {
  readonly response: Response;
  readonly text: string;
  /** Parsed text. */
  readonly json?: ExactJson | undefined;
  /** Set if a 2xx does not match the contract. */
  readonly error?: UnexpectedReplyError | undefined;
}

/** Sends a request, with retries, and returns its last reply, whatever the status. */
export type Transport = (request: OutgoingRequest) => Promise<Reply>;

/** The call as hooks see it: created for the first hook, and the same object for all others. */
export function watchedCall(request: OutgoingRequest): WatchedCall {
  const { method, route, url, idempotencyKey } = request;
  request.watched ??= { method, route, url: withoutQuery(url), idempotencyKey };
  return request.watched;
}

/** Drops the query: it names contacts and merchants, which messages need not repeat. */
export function withoutQuery(url: string): string {
  return url.split("?", 1)[0] ?? url;
}
