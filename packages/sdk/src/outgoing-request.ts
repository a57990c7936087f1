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

/** The identity of each operation's success, by method and path. */
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
  /** Used instead of the client's own entry for the operation. */
  readonly identity?: Identity | undefined;
  /** Limits of the call itself. The client's limits apply where the call sets none. */
  readonly bounds: Bounds;
  /** The caller's key; once a request is sent, the key that was sent. */
  idempotencyKey: string | undefined;
  /** Requests made. */
  attempts: number;
  /** The reply that the call ended with. */
  response?: Response;
  /** If the call is a row of a bulk run, the gate of that run. */
  readonly gate?: RunGate | undefined;
  /** The call as hooks see it; undefined until the first hook is called. */
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
