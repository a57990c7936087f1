// Requests with which the providers of carriers report events, such as status callbacks.

import type { IncomingHttpHeaders } from "node:http";

/** A request to the URL of a carrier's events. Anyone who knows the URL may have sent it. */
export interface EventsRequest {
  /** The query of the URL, without `?`. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as received. */
  readonly body: Buffer;
}

export interface EventsReply {
  readonly status: 200 | 204 | 400 | 403 | 503;
  readonly contentType?: string;
  readonly body?: string;
  /** Why the request was refused, for the log. */
  readonly detail?: string;
}

export interface EventsReceiver {
  readonly name: string;
  /**
   * Verifies a request to the carrier's URL for events, and reports its events. Resolves once they are recorded. After a
   * rejection, the provider must repeat the request. Omitted if the carrier has no such URL.
   */
  receive?(request: EventsRequest): Promise<EventsReply>;
}
