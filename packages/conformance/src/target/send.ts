// How the checks call a server: a request gets a reply, or an error that says why there is none.

import type { CheckedReply } from "../contract-check/reply-check.ts";

export interface Credential {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface Request {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  /** Sent as JSON; a text is sent unchanged, with the given content type. */
  readonly body?: unknown;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** A credential other than the target's own; null for none. */
  readonly as?: Credential | null;
}

export type Send<Reply extends CheckedReply = CheckedReply> = (
  request: Request,
  options?: SendOptions,
) => Promise<Reply>;

/** Says why a documented reply cannot be provoked in this target. */
export class NotReachable extends Error {}

/** A request got no readable reply, which is a fault of the server. The run continues. */
export class NoReply extends Error {}

/** Ends a run that cannot continue: no server is reachable, a limit is reached, or the run was interrupted. */
export class RunEnded extends Error {}
