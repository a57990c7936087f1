// How the checks ask a server: one request, one reply, or why there is none.

import type { CheckedReply } from "../contract-check/reply-check.ts";

export interface Credential {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface Request {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  /** Sent as JSON; a text is sent as it is, under the content type that is given. */
  readonly body?: unknown;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Another credential than the target's own; null: none. */
  readonly as?: Credential | null;
}

export type Send<Reply extends CheckedReply = CheckedReply> = (
  request: Request,
  options?: SendOptions,
) => Promise<Reply>;

/** Says why a reply that the contract documents cannot be brought about in this target. */
export class NotReachable extends Error {}

/** A request to which nothing came back that can be read: the server's fault, but not the end of the run. */
export class NoReply extends Error {}

/** Ends a run that can go no further: nobody is there, a bound is reached, or it is to stop. */
export class RunEnded extends Error {}
